import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CodeHost, OpenRepository } from '../../src/code-hosts/host.ts';
import { AppError } from '../../src/platform/errors.ts';
import { RepositoryProblem } from '@docent/git/repository-problem';
import { createLocalHost } from '../../src/code-hosts/local/local.ts';
import { listPullRequestsOfJob, setPullRequestState } from '../../src/store/pull-requests/pull-requests.ts';
import { jobs, projects, pullRequests, turns } from '../../src/store/schema.ts';
import { commitFiles, git, makeBare, makeWorkTree, temporaryFolder, writeFiles } from '../support/git-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';

let database: TestDatabase;
let host: CodeHost;
let pulls: OpenRepository;
const at = (repository: string) => ({ repository, repositoryId: null });
const openAt = (repository: string) => host.open({ ...at(repository), projectId: 'p' });
/** Made once: each test works on a copy. */
const template = temporaryFolder();
let folder: ReturnType<typeof temporaryFolder>;
let work: string;
let bare: string;

beforeAll(async () => {
  makeWorkTree(path.join(template.path, 'work'), { 'index.mdx': 'one\n', 'guide/a.mdx': 'a\n' });
  makeBare(path.join(template.path, 'work'), path.join(template.path, 'docs.git'));
  database = await createTestDatabase();
  host = createLocalHost({ db: database.db, publicUrl: () => 'http://127.0.0.1:4000/' });
});
afterAll(async () => {
  await database.drop();
  template.remove();
});
beforeEach(async () => {
  folder = temporaryFolder();
  work = path.join(folder.path, 'work');
  bare = path.join(folder.path, 'docs.git');
  cpSync(template.path, folder.path, { recursive: true });
  await database.db.delete(pullRequests);
  await database.db.delete(jobs);
  await database.db.delete(projects);
  await database.db.insert(projects).values({ id: 'p', repository: bare, ref: 'main', model: 'builtin' });
  pulls = await openAt(bare);
});
afterEach(() => folder.remove());

/** The problem with a repository, as a person reads it. */
async function problemOf(repository: string, ref: string | null = null): Promise<RepositoryProblem> {
  const problem = await host.check(at(repository), ref).then(
    () => null,
    (err: unknown) => err,
  );
  expect(problem).toBeInstanceOf(RepositoryProblem);
  return problem as RepositoryProblem;
}

describe('checking a repository', () => {
  test('takes bare repositories, work trees, linked work trees, symlinks and file URLs to one canonical path', async () => {
    const tip = git(work, 'rev-parse', 'main');
    expect(await host.check(at(bare), null)).toEqual({
      repository: bare,
      repositoryId: null,
      url: pathToFileURL(bare).href,
      ref: 'main',
      commit: tip,
    });
    git(work, 'branch', 'next');
    git(work, 'worktree', 'add', '-q', path.join(folder.path, 'linked'), 'next');
    symlinkSync(work, path.join(folder.path, 'link'));
    for (const given of [
      work,
      `${work}/`,
      path.join(work, '.git'),
      pathToFileURL(work).href,
      path.join(folder.path, 'link'),
    ]) {
      expect(await host.check(at(given), null)).toMatchObject({ repository: work, ref: 'main', commit: tip });
    }
    expect(await host.check(at(path.join(folder.path, 'linked')), null)).toMatchObject({
      repository: work,
      ref: 'next',
    });
    expect(await host.check(at(work), 'next')).toMatchObject({ repository: work, ref: 'next' });
  });

  test('reports missing parts', async () => {
    expect(await problemOf(path.join(folder.path, 'nowhere'))).toMatchObject({ code: 'repository_missing' });
    expect(await problemOf('docs')).toMatchObject({
      code: 'repository_missing',
      message: expect.stringContaining('absolute'),
    });
    expect(await problemOf('/a\0b')).toMatchObject({ code: 'repository_missing' });
    expect(await problemOf('https://example.org/x.git')).toMatchObject({ code: 'repository_missing' });
    const plain = path.join(folder.path, 'plain');
    mkdirSync(plain);
    expect((await problemOf(plain)).message).toContain('There is no git repository at');
    writeFileSync(path.join(plain, 'file'), 'x');
    expect((await problemOf(path.join(plain, 'file'))).message).toContain('is a file');
    expect((await problemOf(path.join(plain, 'file', 'x'))).code).toBe('repository_missing');
    git(work, 'bundle', 'create', '-q', path.join(folder.path, 'docs.bundle'), 'main');
    expect((await problemOf(path.join(folder.path, 'docs.bundle'))).message).toContain('git bundle');
  });

  test('names the root when given a folder inside a repository', async () => {
    const inside = await problemOf(path.join(work, 'guide'));
    expect(inside.code).toBe('repository_missing');
    expect(inside.message).toContain(`inside the repository ${work}`);
    expect((await problemOf(path.join(bare, 'refs'))).message).toContain(`inside the repository ${bare}`);
  });

  test('refuses empty, SHA-256, newer-format and foreign repositories, each for its own reason', async () => {
    const empty = path.join(folder.path, 'empty');
    git('/', 'init', '-q', '-b', 'main', empty);
    expect(await problemOf(empty)).toMatchObject({ code: 'repository_empty' });

    const sha256 = path.join(folder.path, 'sha256');
    git('/', 'init', '-q', '--object-format=sha256', '-b', 'main', sha256);
    commitFiles(sha256, { 'a.md': 'a' });
    expect(await problemOf(sha256)).toMatchObject({
      code: 'repository_unsupported',
      message: expect.stringContaining('SHA-256'),
    });

    const future = path.join(folder.path, 'future');
    makeWorkTree(future, { 'a.md': 'a' });
    git(future, 'config', 'core.repositoryformatversion', '1');
    git(future, 'config', 'extensions.fromTheFuture', 'true');
    expect(await problemOf(future)).toMatchObject({ code: 'repository_unsupported' });

    if (process.getuid?.() === 0) {
      chownSync(bare, 65_534, 65_534);
      const foreign = await problemOf(bare);
      expect(foreign.code).toBe('repository_unreadable');
      expect(foreign.message).toContain(`git config --global --add safe.directory ${bare}`);
    }
  });

  test('refuses missing branches and invalid names, and asks for one when HEAD is detached', async () => {
    expect(await problemOf(bare, 'nope')).toMatchObject({
      code: 'branch_missing',
      message: expect.stringContaining('It has: main.'),
    });
    for (const ref of [
      '-x',
      'a..b',
      'refs/heads/main',
      'a b',
      '',
      'x.lock',
      '@{-1}',
      'HEAD',
      'a~1',
      'main^{tree}',
      'a\nb',
    ]) {
      expect((await problemOf(bare, ref)).code, ref).toBe('branch_invalid');
    }
    git(work, 'checkout', '-q', '--detach');
    expect(await problemOf(work)).toMatchObject({
      code: 'branch_missing',
      message: expect.stringContaining('detached'),
    });
    expect(await host.check(at(work), 'main')).toMatchObject({ ref: 'main' });
    git(work, 'symbolic-ref', 'HEAD', 'refs/heads/unborn');
    expect(await problemOf(work)).toMatchObject({
      code: 'branch_missing',
      message: expect.stringContaining('"unborn"'),
    });
  });

  test('works with objects borrowed from another repository, and reports missing ones', async () => {
    const borrowing = path.join(folder.path, 'borrowing.git');
    git('/', 'clone', '-q', '--bare', '--shared', bare, borrowing);
    expect(await host.check(at(borrowing), null)).toMatchObject({ repository: borrowing, ref: 'main' });
    writeFileSync(path.join(borrowing, 'objects/info/alternates'), '/nowhere/objects\n');
    expect(await problemOf(borrowing)).toMatchObject({
      code: 'repository_unreadable',
      message: expect.stringContaining('git fsck'),
    });
  });
});

const PLAIN = { draft: false, labels: [], reviewers: [] };
/** The last part of its page's address. */
const idOf = ({ link }: { link: string }) => link.slice(link.lastIndexOf('/') + 1);

/** A branch with one commit on top of main, and its pull request. */
async function openPullRequest(
  repository: string,
  branch = 'docent/job1',
  files: Record<string, string> = { 'index.mdx': 'two\n' },
) {
  const clone = path.join(folder.path, `clone-${branch.replaceAll('/', '-')}`);
  git('/', 'clone', '-q', repository, clone);
  git(clone, 'checkout', '-q', '-b', branch);
  const head = commitFiles(clone, files, 'Change the index');
  git(clone, 'push', '-q', 'origin', branch);
  const saved = await (
    await openAt(repository)
  ).savePullRequest({
    ...PLAIN,
    projectId: 'p',
    jobId: 'job1',
    chainNo: 1,
    headBranch: branch,
    baseBranch: 'main',
    title: 'Change the index',
    body: 'Because.',
    headCommit: head,
    diff: 'diff',
    commits: [],
  });
  const id = idOf(saved);
  return { pr: { ...saved, id, projectId: 'p', repository, baseBranch: 'main' }, head, clone };
}

async function refusalOf(work: Promise<unknown>): Promise<AppError> {
  const refusal = await work.then(
    () => null,
    (err: unknown) => err,
  );
  expect(refusal).toBeInstanceOf(AppError);
  return refusal as AppError;
}

describe('pull requests', () => {
  test('have one row per branch and an unguessable link, and include later turns', async () => {
    const { pr } = await openPullRequest(bare);
    expect(pr).toMatchObject({ state: 'open', headBranch: 'docent/job1' });
    expect(pr.link).toBe(`http://127.0.0.1:4000/pull-requests/${pr.id}`);
    expect(pr.id).toMatch(/^[0-9a-z]{26,}$/);
    const input = {
      projectId: 'p',
      jobId: 'job1',
      chainNo: 1,
      headBranch: 'docent/job1',
      baseBranch: 'main',
    };
    const again = await pulls.savePullRequest({
      ...input,
      ...PLAIN,
      title: 'T2',
      body: 'B2',
      headCommit: 'c'.repeat(40),
      diff: 'd2',
      commits: [],
    });
    expect(idOf(again)).toBe(pr.id);
    expect(await listPullRequestsOfJob(database.db, 'job1')).toMatchObject([{ title: 'T2', body: 'B2', diff: 'd2' }]);
    expect(
      await pulls.findPullRequest({ projectId: 'p', headBranch: 'docent/job1', baseBranch: 'main' }),
    ).toMatchObject({ link: pr.link, state: 'open' });
    expect(await pulls.findPullRequest({ projectId: 'p', headBranch: 'docent/job2', baseBranch: 'main' })).toBeNull();
  });

  test('once closed or merged stay so, whatever a late turn saves', async () => {
    const { pr, head } = await openPullRequest(bare);
    expect(await pulls.close(pr)).toEqual({ state: 'closed' });
    expect(await pulls.close(pr)).toEqual({ state: 'closed' });
    const input = {
      projectId: 'p',
      jobId: 'job1',
      chainNo: 1,
      headBranch: 'docent/job1',
      baseBranch: 'main',
    };
    const late = await pulls.savePullRequest({
      ...input,
      ...PLAIN,
      title: 'late',
      body: '',
      headCommit: head,
      diff: '',
      commits: [],
    });
    expect(late).toMatchObject({ link: pr.link, state: 'closed' });
    const [row] = await database.db.select().from(pullRequests).where(eq(pullRequests.id, pr.id));
    expect(row).toMatchObject({ title: 'Change the index', state: 'closed' });
    expect((await refusalOf(pulls.merge(pr))).code).toBe('pull_request_not_open');
    expect((await refusalOf(pulls.merge({ ...pr, headBranch: 'nope' }))).code).toBe('pull_request_not_open');
  });

  test('merged manually count as merged: by fast-forward, by merge commit, and after later commits', async () => {
    const { pr, head, clone } = await openPullRequest(bare);
    expect(
      await pulls.findPullRequest({ projectId: 'p', headBranch: 'docent/job1', baseBranch: 'main' }),
    ).toMatchObject({ state: 'open' });
    git(clone, 'checkout', '-q', 'main');
    commitFiles(clone, { 'other.mdx': 'x' });
    git(clone, 'merge', '-q', '--no-ff', '-m', 'by hand', 'docent/job1');
    const merge = git(clone, 'rev-parse', 'HEAD');
    commitFiles(clone, { 'later.mdx': 'x' });
    git(clone, 'push', '-q', 'origin', 'main');
    git(clone, 'push', '-q', 'origin', '--delete', 'docent/job1');
    expect(
      await pulls.findPullRequest({ projectId: 'p', headBranch: 'docent/job1', baseBranch: 'main' }),
    ).toMatchObject({ link: pr.link, state: 'merged' });
    const [row] = await listPullRequestsOfJob(database.db, 'job1');
    expect(row).toMatchObject({ state: 'merged', mergeCommit: merge });
    expect(await pulls.merge(pr)).toEqual({ state: 'merged', mergeCommit: merge });
    expect((await refusalOf(pulls.close(pr))).code).toBe('pull_request_not_open');

    const second = await openPullRequest(bare, 'docent/job1-2', { 'index.mdx': 'three\n' });
    git(second.clone, 'push', '-q', 'origin', 'docent/job1-2:main');
    git(second.clone, 'checkout', '-q', '-B', 'after');
    commitFiles(second.clone, { 'after.mdx': 'x' });
    git(second.clone, 'push', '-q', 'origin', 'after:main');
    expect(await pulls.merge(second.pr)).toEqual({ state: 'merged', mergeCommit: second.head });
    expect(head).not.toBe(second.head);
  });

  test('are checked without a git process while the base branch has not moved, and with one afterwards', async () => {
    const { pr, head, clone } = await openPullRequest(bare);
    const base = git(bare, 'rev-parse', 'main');
    await database.db
      .insert(jobs)
      .values({ id: 'job1', projectId: 'p', model: 'builtin', repositoryUrl: bare, baseRef: 'main', title: 'Change' });
    await database.db
      .insert(turns)
      .values({ jobId: 'job1', no: 1, commitTime: new Date(), commit: head, chainBaseCommit: base, baseCommit: base });
    const programs = process.env.PATH;
    process.env.PATH = path.join(folder.path, 'no-programs');
    try {
      expect(await pulls.pollPullRequest(pr)).toMatchObject({ state: 'open', headCommit: head });
    } finally {
      process.env.PATH = programs;
    }
    git(clone, 'push', '-q', 'origin', 'docent/job1:main');
    expect(await pulls.pollPullRequest(pr)).toMatchObject({ state: 'merged', headCommit: head });
  });
});

describe('merging', () => {
  test('fast-forwards if possible', async () => {
    const { pr, head } = await openPullRequest(bare);
    expect(await pulls.merge(pr)).toEqual({ state: 'merged', mergeCommit: head });
    expect(git(bare, 'rev-parse', 'main')).toBe(head);
    expect(await pulls.merge(pr)).toEqual({ state: 'merged', mergeCommit: head });
    git(bare, 'fsck', '--strict');
  });

  test('creates a merge commit with both sides if the base has moved', async () => {
    const { pr, head, clone } = await openPullRequest(bare);
    git(clone, 'checkout', '-q', 'main');
    const other = commitFiles(clone, { 'guide/a.mdx': 'changed\n' });
    git(clone, 'push', '-q', 'origin', 'main');
    const { mergeCommit } = await pulls.merge(pr);
    expect(git(bare, 'rev-parse', 'main')).toBe(mergeCommit);
    expect(git(bare, 'show', '-s', '--format=%P|%an', 'main')).toBe(`${other} ${head}|Docent`);
    expect(git(bare, 'show', 'main:index.mdx')).toBe('two');
    expect(git(bare, 'show', 'main:guide/a.mdx')).toBe('changed');
    git(bare, 'fsck', '--strict');
  });

  test('refuses a conflict, names the files, and changes nothing', async () => {
    const { pr, clone } = await openPullRequest(bare);
    git(clone, 'checkout', '-q', 'main');
    const other = commitFiles(clone, { 'index.mdx': 'three\n' });
    git(clone, 'push', '-q', 'origin', 'main');
    const refusal = await refusalOf(pulls.merge(pr));
    expect(refusal).toMatchObject({ code: 'merge_conflict', message: expect.stringContaining('index.mdx') });
    expect(git(bare, 'rev-parse', 'main')).toBe(other);
    expect(
      await pulls.findPullRequest({ projectId: 'p', headBranch: 'docent/job1', baseBranch: 'main' }),
    ).toMatchObject({ state: 'open' });
  });

  test('refuses while the base is checked out, with the command to run, and leaves a dirty work tree as it is', async () => {
    writeFiles(work, { 'index.mdx': 'dirty\n', 'untracked.mdx': 'x' });
    const { pr } = await openPullRequest(work);
    const before = git(work, 'status', '--porcelain');
    const refusal = await refusalOf(pulls.merge(pr));
    expect(refusal).toMatchObject({
      code: 'branch_checked_out',
      message: expect.stringContaining(`git -C ${work} merge docent/job1`),
    });
    expect(git(work, 'status', '--porcelain')).toBe(before);
    expect(readFileSync(path.join(work, 'index.mdx'), 'utf8')).toBe('dirty\n');
    // The same for a linked work tree; and it is removed once no work tree has it checked out.
    git(work, 'checkout', '-q', '--detach');
    git(work, 'worktree', 'add', '-q', path.join(folder.path, 'linked'), 'main');
    expect((await refusalOf(pulls.merge(pr))).message).toContain(path.join(folder.path, 'linked'));
    git(work, 'worktree', 'remove', path.join(folder.path, 'linked'));
    expect((await pulls.merge(pr)).state).toBe('merged');
    expect(readFileSync(path.join(work, 'index.mdx'), 'utf8')).toBe('dirty\n');
  });

  test("passes on a hook's output", async () => {
    const { pr } = await openPullRequest(bare);
    const hook = path.join(bare, 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\necho "main is frozen until Monday" >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    const refusal = await refusalOf(pulls.merge(pr));
    expect(refusal.code).toBe('merge_refused');
    expect(refusal.message).toContain('main is frozen until Monday');
  });

  test('is found done after a crash between the ref and the row', async () => {
    const { pr, head } = await openPullRequest(bare);
    await pulls.merge(pr);
    await setPullRequestState(database.db, pr.id, { from: 'merged', to: 'open' });
    expect(await pulls.merge(pr)).toEqual({ state: 'merged', mergeCommit: head });
  });

  test('merges once for parallel requests', async () => {
    const { pr, clone } = await openPullRequest(bare);
    git(clone, 'checkout', '-q', 'main');
    commitFiles(clone, { 'other.mdx': 'x' });
    git(clone, 'push', '-q', 'origin', 'main');
    const merges = await Promise.all(Array.from({ length: 6 }, () => pulls.merge(pr)));
    expect(new Set(merges.map(({ mergeCommit }) => mergeCommit)).size).toBe(1);
    expect(git(bare, 'rev-list', '--count', '--merges', 'main')).toBe('1');
  });

  test('merges the commit if the branch is gone, and reports it if both are', async () => {
    const { pr, head } = await openPullRequest(bare);
    git(bare, 'update-ref', '-d', 'refs/heads/docent/job1');
    expect(await pulls.merge(pr)).toEqual({ state: 'merged', mergeCommit: head });
    const second = await openPullRequest(bare, 'docent/job2', { 'index.mdx': 'x\n' });
    git(bare, 'update-ref', '-d', 'refs/heads/docent/job2');
    git(bare, 'reflog', 'expire', '--expire=now', '--all');
    git(bare, 'gc', '-q', '--prune=now');
    expect((await refusalOf(pulls.merge(second.pr))).message).toContain('nothing to merge');
    expect(existsSync(bare)).toBe(true);
  });
});
