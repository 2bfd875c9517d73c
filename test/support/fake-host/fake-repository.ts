import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { git, gitWithInput, madeRepository, type WorkFile } from '../git-fixture.ts';

/** A pull or merge request, as any host has it. */
export interface FakePull {
  number: number;
  head: string;
  base: string;
  title: string;
  body: string;
  state: 'open' | 'closed' | 'merged';
  draft: boolean;
  labels: string[];
  reviewers: string[];
  /** Where the branch was when the pull request ended; null while it is open. */
  endedAt: string | null;
  mergeCommit: string | null;
  /** How many lists of pull requests will not have it yet. */
  unlistedFor: number;
  readonly comments: { id: number; user: { id: number; login: string }; body: string }[];
  /** On lines, as the API takes them. */
  readonly lineComments: { path: string; line: number; body: string }[];
  readonly reactions: string[];
}

/** A repository of a fake host: a real bare one, and what the host keeps beside it. */
export class FakeRepository {
  readonly id: number;
  /** Below the host: `acme/docs`. */
  path: string;
  readonly folder: string;
  readonly pulls: FakePull[] = [];
  /** Whether commits that its API makes are marked as verified. */
  isVerifying = true;
  readonly labels = new Set<string>(['docs']);
  /** Who can be asked for a review. */
  readonly people = new Set<string>(['reader']);
  /** CI's results for any commit. */
  checks: { name: string; passed: boolean }[] = [];
  archived = false;
  /** Whether it has merge requests at all. */
  takesPulls = true;
  /**
   * How the API lags behind git: this many next requests to open a pull request see the head branch not at
   * all, or at the base.
   */
  readonly lag = { pulls: 0, sees: 'nothing' as 'nothing' | 'base', lists: 0 };

  constructor(id: number, repositoryPath: string, root: string, files: Record<string, WorkFile>) {
    this.id = id;
    this.path = repositoryPath;
    this.folder = path.join(root, `${id}.git`);
    cpSync(madeRepository(files), this.folder, { recursive: true });
  }

  /** As the hosts do it: their hook refuses the branch. */
  protect(branch: string): void {
    const hook = path.join(this.folder, 'hooks', 'pre-receive');
    const says = `You are not allowed to push to the protected branch ${branch}.`;
    const lines = [
      '#!/bin/sh',
      'while read old new ref; do',
      `  if [ "$ref" = "refs/heads/${branch}" ]; then echo "${says}" >&2; exit 1; fi`,
      'done',
      '',
    ];
    mkdirSync(path.dirname(hook), { recursive: true });
    writeFileSync(hook, lines.join('\n'), { mode: 0o755 });
  }

  /** Null if there is no such branch. */
  tip(branch: string): string | null {
    const found = git(this.folder, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
    return found === '' ? null : found;
  }

  /** What the API says of a head branch at this request. */
  sees(head: string): 'branch' | 'nothing' | 'base' {
    if (this.lag.pulls > 0) {
      this.lag.pulls -= 1;
      return this.lag.sees;
    }
    return this.tip(head) === null ? 'nothing' : 'branch';
  }

  /**
   * The pull requests that a list has, oldest first. Lists lag behind what was opened, by `lag.lists` of
   * them.
   */
  list(wanted: (pull: FakePull) => boolean): FakePull[] {
    return this.pulls.filter((pull) => {
      if (!wanted(pull)) return false;
      pull.unlistedFor -= 1;
      return pull.unlistedFor < 0;
    });
  }

  /** What a person pushes to a branch: a commit that changes nothing. */
  commitOn(branch: string): string {
    const tip = this.tip(branch) ?? '';
    const commit = git(this.folder, 'commit-tree', `${tip}^{tree}`, '-p', tip, '-m', 'By hand');
    git(this.folder, 'update-ref', `refs/heads/${branch}`, commit, tip);
    return commit;
  }

  branches(): string[] {
    return git(this.folder, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n').toSorted();
  }

  /** Commits that a branch has and main lacks. */
  commits(branch: string): string[] {
    return git(this.folder, 'log', '--format=%H', `main..${branch}`).split('\n').filter(Boolean);
  }

  read(branch: string, file: string): string {
    return git(this.folder, 'show', `${branch}:${file}`);
  }

  branchOff(branch: string): void {
    git(this.folder, 'branch', branch, 'main');
  }

  deleteBranch(branch: string): void {
    git(this.folder, 'update-ref', '-d', `refs/heads/${branch}`);
  }

  /** What a person pushes to a new branch: one more page. */
  addPage(branch: string, file: string, text: string): string {
    const stream = `commit refs/heads/${branch}
committer A Person <person@example.org> 1767225600 +0000
data 8
Add page
from refs/heads/main^0
M 644 inline ${file}
data ${Buffer.byteLength(text)}
${text}
`;
    gitWithInput(this.folder, stream, 'fast-import', '--quiet');
    return this.tip(branch) ?? '';
  }

  open(input: Pick<FakePull, 'head' | 'base' | 'title' | 'body' | 'draft'>): FakePull {
    const pull: FakePull = {
      ...input,
      number: this.pulls.length + 1,
      state: 'open',
      labels: [],
      reviewers: [],
      endedAt: null,
      mergeCommit: null,
      unlistedFor: this.lag.lists,
      comments: [],
      lineComments: [],
      reactions: [],
    };
    this.pulls.push(pull);
    return pull;
  }

  openPullOf(head: string): FakePull | undefined {
    return this.pulls.find((pull) => pull.head === head && pull.state === 'open');
  }

  headCommit(pull: FakePull): string {
    return pull.endedAt ?? this.tip(pull.head) ?? '0'.repeat(40);
  }

  close(pull: FakePull): void {
    pull.endedAt = this.headCommit(pull);
    pull.state = 'closed';
  }

  diff({ base, head }: FakePull): string {
    return `${git(this.folder, 'diff', `${base}...${head}`)}\n`;
  }

  /** Really merges; answers the merge commit. */
  merge(pull: FakePull): string {
    const head = this.headCommit(pull);
    const tree = git(this.folder, 'merge-tree', '--write-tree', pull.base, head);
    const base = this.tip(pull.base) ?? '';
    const commit = git(this.folder, 'commit-tree', tree, '-p', base, '-p', head, '-m', `Merge #${pull.number}`);
    git(this.folder, 'update-ref', `refs/heads/${pull.base}`, commit, base);
    pull.endedAt = head;
    pull.state = 'merged';
    pull.mergeCommit = commit;
    return commit;
  }

  /** A hook of the server, such as one that protects branches. */
  refusePushes(sentence: string): void {
    const script = `#!/bin/sh\necho "${sentence}" >&2\nexit 1\n`;
    writeFileSync(path.join(this.folder, 'hooks', 'update'), script, { mode: 0o755 });
  }
}
