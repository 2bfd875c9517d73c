import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { movedExecutables } from '@docent/git/commit/kept-modes';
import { buildCommit, commitAndPush, NewObjects } from '@docent/git/commit/publish';
import type { CommitRequest, Endpoint, PushOutcome } from '@docent/git/contract';
import type { OverlayEntry } from '@docent/base/files/base-tree';
import { lfsObject, pointerTo } from '@docent/git/lfs/pointer';
import { objectId } from '@docent/base/files/object-id';
import { fetchSnapshot } from '@docent/git/snapshot/fetch-snapshot';
import { SnapshotCache } from '@docent/git/snapshot/snapshot-cache';
import { DEFAULT_TRANSFER_LIMITS } from '@docent/git/transport/transport';
import { Workspace, WorkspaceRefusal } from '@docent/git/workspace';
import {
  commitFiles,
  git,
  gitBytes,
  gitWithInput,
  makeBare,
  makeWorkTree,
  temporaryFolder,
} from '../support/git-fixture.ts';
import { startGitHttpServer } from '../support/git-http-server.ts';
import { times } from '../support/how-often.ts';

const options = { limits: DEFAULT_TRANSFER_LIMITS };
const policy = { docsDir: '', maxFiles: 100, maxFileBytes: 1_048_576, maxTotalBytes: 10_485_760 };
const FILES = {
  'index.mdx': 'one\ntwo\nthree\n',
  'guide/a.mdx': 'a\n',
  'guide/deep/b.mdx': 'b',
  'crlf.md': 'x\r\ny\r\n',
  'img/logo.png': Buffer.from([137, 80, 78, 71, 0, 1, 2]),
  'bin/run.sh': { executable: '#!/bin/sh\n' },
  link: { symlink: 'index.mdx' },
};

/** Made once: each test works on a copy. */
const template = temporaryFolder();
let folder: ReturnType<typeof temporaryFolder>;
let work: string;
let bare: string;
let endpoint: Endpoint;
let cache: SnapshotCache;
let base: string;

beforeAll(() => {
  base = makeWorkTree(path.join(template.path, 'work'), FILES);
  makeBare(path.join(template.path, 'work'), path.join(template.path, 'docs.git'));
});
afterAll(() => template.remove());

beforeEach(() => {
  folder = temporaryFolder();
  cpSync(template.path, folder.path, { recursive: true, verbatimSymlinks: true });
  work = path.join(folder.path, 'work');
  bare = path.join(folder.path, 'docs.git');
  endpoint = { kind: 'local', path: bare };
  cache = new SnapshotCache(path.join(folder.path, 'cache'));
});
afterEach(() => folder.remove());

const snapshotOf = async (commit: string) =>
  cache.find(endpoint, commit) ?? fetchSnapshot(cache, endpoint, commit, options);

function requestOf(changes: OverlayEntry[], more: Partial<CommitRequest> = {}): CommitRequest {
  return {
    branch: 'docent/job1',
    expectedTip: null,
    parent: base,
    chainBase: base,
    changes,
    message: 'Change pages\n\nDocent-Turn: job1/1\n',
    author: { name: 'Docent', email: 'docent@example.org' },
    timestamp: 1_700_000_000,
    ...more,
  };
}

/** Whether a push to a new branch looks for it first. */
let isFirstAttempt = false;

async function push(request: CommitRequest, to = endpoint): Promise<PushOutcome> {
  const snapshots = { parent: await snapshotOf(request.parent), chainBase: await snapshotOf(request.chainBase) };
  return commitAndPush(cache, to, { ...request, isFirstAttempt }, snapshots, options);
}

const text = (at: string, content: string): OverlayEntry => ({ path: at, content, blobId: null });
const gone = (at: string): OverlayEntry => ({ path: at, content: null, blobId: null });

/** The tree that native git makes of the same changes, in its own index. */
function nativeTree(parent: string, changes: readonly OverlayEntry[], moved: ReadonlySet<string> = new Set()): string {
  const index = path.join(folder.path, 'index');
  rmSync(index, { force: true });
  const run = (input: string, ...args: string[]) =>
    gitWithInput(bare, input, '-c', `alias.with=!GIT_INDEX_FILE='${index}' git`, 'with', ...args);
  run('', 'read-tree', parent);
  const lines = changes.map(({ path: at, content, blobId }) => {
    const old = git(bare, 'ls-tree', '-z', parent, '--', at).split('\0')[0] ?? '';
    const mode = /^100\d{3}/.exec(old)?.[0] ?? (moved.has(at) ? '100755' : '100644');
    if (content === null && blobId === null) return `0 ${'0'.repeat(40)}\t${at}\0`;
    return `${mode} ${blobId ?? gitWithInput(bare, content!, 'hash-object', '-w', '--stdin')}\t${at}\0`;
  });
  // Removals first: a file may take the place of a folder.
  run(
    lines.toSorted((a, b) => Number(!a.startsWith('0 ')) - Number(!b.startsWith('0 '))).join(''),
    'update-index',
    '-z',
    '--index-info',
  );
  return run('', 'write-tree');
}

function isBinaryIn(commit: string, at: string): boolean {
  try {
    return gitBytes(bare, '', 'cat-file', 'blob', `${commit}:${at}`).includes(0);
  } catch {
    return false;
  }
}

/**
 * Applies a diff to a commit's tree with native git and compares the result with another. Binary files have
 * no diff.
 */
function mustApply(diff: string, from: string, to: string): void {
  const textOnly = diff.split(/^(?=diff --git )/m).filter((part) => part !== '' && !part.includes('\nBinary files ')); // oxfmt-ignore
  const index = path.join(folder.path, 'apply-index');
  rmSync(index, { force: true });
  const run = (input: string, ...args: string[]) =>
    gitWithInput(bare, input, '-c', `alias.with=!GIT_INDEX_FILE='${index}' git`, 'with', ...args);
  run('', 'read-tree', from);
  if (textOnly.length > 0) run(textOnly.join(''), 'apply', '--cached', '--whitespace=nowarn');
  const left = run('', 'diff-index', '--cached', '--no-renames', '--name-only', '-z', to).split('\0').filter(Boolean);
  if (left.length > 0) expect(diff).toContain('Binary files ');
  expect(left.every((at) => at.includes('logo.png') || isBinaryIn(to, at) || isBinaryIn(from, at))).toBe(true);
}

describe('the commit', () => {
  test('is on the branch as native git would have made it, and is sent alone', async () => {
    const changes = [
      text('index.mdx', 'one\n2\nthree\n'),
      text('new/page.mdx', 'new'),
      gone('guide/deep/b.mdx'),
      text('bin/run.sh', '#!/bin/sh\necho\n'),
      gone('img/logo.png'),
      { path: 'logo.png', content: null, blobId: git(bare, 'rev-parse', 'main:img/logo.png') },
    ];
    const outcome = await push(requestOf(changes));
    expect(outcome.status).toBe('published');
    const { commit } = outcome as Extract<PushOutcome, { status: 'published' }>;
    expect(git(bare, 'rev-parse', 'docent/job1')).toBe(commit);
    expect(git(bare, 'rev-parse', 'docent/job1^{tree}')).toBe(nativeTree(base, changes));
    expect(git(bare, 'show', '-s', '--format=%an|%ae|%at|%cn|%ct|%P|%B', commit)).toBe(
      `Docent|docent@example.org|1700000000|Docent|1700000000|${base}|Change pages\n\nDocent-Turn: job1/1\n`,
    );
    expect(git(bare, 'ls-tree', '-r', commit)).toContain('100755 blob');
    expect(git(bare, 'ls-tree', '-r', commit)).not.toContain('guide/deep');
    git(bare, 'fsck', '--strict');
    const commitObject = git(bare, 'cat-file', 'commit', commit);
    expect(gitWithInput(bare, `${commitObject}\n`, 'hash-object', '-t', 'commit', '--stdin')).toBe(commit);
  });

  test('keeps an executable file executable when it moves, even with an edit', async () => {
    const changes = [gone('bin/run.sh'), text('tools/start.sh', '#!/bin/sh\necho\n'), text('new.sh', 'other\n')];
    const outcome = await push(requestOf(changes));
    const { commit, diff } = outcome as Extract<PushOutcome, { status: 'published' }>;
    expect(git(bare, 'ls-tree', '-r', commit, 'tools', 'new.sh')).toMatch(/^100644 .*new\.sh\n100755 .*start\.sh$/);
    expect(diff).toContain('new file mode 100755');
  });

  test('equals native git for any edits of the workspace, and its diff applies', async () => {
    const name = fc.constantFrom('index.mdx', 'guide/a.mdx', 'guide/deep/b.mdx', 'crlf.md', 'img/logo.png', 'bin/run.sh', 'new.mdx', 'guide', 'guide/x', 'x y/é.md', '"q".md', 'link'); // oxfmt-ignore
    const content = fc.array(fc.constantFrom('one\n', 'two\n', 'three\r\n', 'no end', ''), { maxLength: 5 }).map((lines) => lines.join('')); // oxfmt-ignore
    const step = fc.oneof(
      fc.record({ op: fc.constant('write' as const), at: name, text: content }),
      fc.record({ op: fc.constant('remove' as const), at: name }),
      fc.record({ op: fc.constant('move' as const), at: name, to: name }),
    );
    const parent = await snapshotOf(base);
    let no = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const ws = new Workspace(parent, [], policy);
        for (const s of steps) {
          try {
            if (s.op === 'write') ws.write(s.at, s.text);
            else if (s.op === 'remove') ws.remove(s.at);
            else ws.move(s.at, s.to);
          } catch (err) {
            if (!(err instanceof WorkspaceRefusal)) throw err;
          }
        }
        const changes = ws.changes();
        const branch = `docent/any-${(no += 1)}`;
        const outcome = await push(requestOf(changes, { branch, policy }));
        if (changes.length === 0) {
          expect(outcome.status).toBe('empty');
          return;
        }
        if (outcome.status !== 'published') throw new Error(outcome.status);
        expect(git(bare, 'rev-parse', `${branch}^{tree}`)).toBe(
          nativeTree(base, changes, movedExecutables(parent, changes)),
        );
        expect(
          git(bare, 'diff', '--name-only', '-z', '--no-renames', base, branch).split('\0').filter(Boolean).toSorted(),
        ).toEqual(changes.map((entry) => entry.path));
        mustApply(outcome.diff, base, branch);
      }),
      { numRuns: times(5) },
    );
    git(bare, 'fsck', '--strict');
  });

  test('is read by native git like by Docent, with objects of isomorphic-git', async () => {
    const changes = [text('new/page.mdx', 'new'), gone('guide/a.mdx'), text('index.mdx', 'é\r\n')];
    const { commit } = (await push(requestOf(changes))) as { commit: string };
    const snapshot = await snapshotOf(commit);
    const listed = git(bare, 'ls-tree', '-r', '-z', '--format=%(objectname) %(path)', commit)
      .split('\0')
      .filter(Boolean);
    expect(snapshot.files().map((file) => `${file.blobId} ${file.path}`)).toEqual(listed);
    for (const { path: at, content } of changes) if (content !== null) expect(snapshot.readText(at)).toBe(content);
    expect(snapshot.commitObject.equals(gitBytes(bare, '', 'cat-file', 'commit', commit))).toBe(true);
    git(bare, 'fsck', '--strict');
  });

  test('leaves other entries alone: odd modes, names that are not UTF-8, order', async () => {
    const blob = gitWithInput(bare, 'odd', 'hash-object', '-w', '--stdin');
    const id = Buffer.from(blob, 'hex');
    const entry = (head: string, name: Buffer | string) => Buffer.concat([Buffer.from(`${head} `), Buffer.from(name), Buffer.from([0]), id]); // oxfmt-ignore
    const raw = Buffer.concat([entry('100664', 'a.md'), entry('100644', Buffer.from('caf\xe9.md', 'latin1')), entry('100664', 'z.md')]); // oxfmt-ignore
    const tree = gitWithInput(bare, raw, 'hash-object', '-w', '--literally', '-t', 'tree', '--stdin');
    const odd = git(bare, 'commit-tree', tree, '-m', 'odd');
    git(bare, 'branch', 'odd', odd);
    const outcome = await push(requestOf([text('a.md', 'new'), text('b.md', 'b')], { parent: odd, chainBase: odd }));
    expect(outcome.status).toBe('published');
    const after = gitBytes(bare, '', 'cat-file', 'tree', 'docent/job1^{tree}').toString('latin1');
    expect([...after.matchAll(/(\d{6}) ([^\0]+)\0/g)].map((match) => `${match[1]} ${match[2]}`)).toEqual([
      '100664 a.md',
      '100644 b.md',
      '100644 caf\xe9.md',
      '100664 z.md',
    ]);
  });

  test('is null if the changes have no effect', async () => {
    const same = [text('index.mdx', 'one\ntwo\nthree\n'), gone('not-there.mdx')];
    expect(await push(requestOf(same))).toEqual({ status: 'empty' });
    expect(await push(requestOf([]))).toEqual({ status: 'empty' });
    expect(git(bare, 'branch', '--list', 'docent/*')).toBe('');
  });

  test('can empty the repository', async () => {
    const all = git(bare, 'ls-tree', '-r', '--name-only', base).split('\n').filter((at) => at !== 'link'); // oxfmt-ignore
    expect((await push(requestOf(all.map(gone)))).status).toBe('published');
    expect(git(bare, 'ls-tree', '-r', '--name-only', 'docent/job1')).toBe('link');
    git(bare, 'fsck', '--strict');
  });

  test('has the same id each time, and another for another time', async () => {
    const parent = await snapshotOf(base);
    const ids: string[] = [];
    for (const later of [0, 0, 1]) {
      const objects = new NewObjects();
      const request = requestOf([text('a', 'b')], { timestamp: 1_700_000_000 + later });
      ids.push((await buildCommit(parent, request, objects))!.id);
    }
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test.each([
    ['Subject', 'Subject\n'],
    ['Subject\n\nBody\n\n\n', 'Subject\n\nBody\n'],
    ['\n\r\nSubject\r\n\r\n  Body\t', 'Subject\n\n  Body\n'],
    ['S\0ubj\rect 😀 \ud800', 'Subject 😀 \ufffd\n'],
    [' \n', '\n'],
    ['', '\n'],
  ])('holds the message %j, and what is reported about it, to the byte', async (message, written) => {
    const outcome = await push(requestOf([text('a.md', 'b')], { message }));
    if (outcome.status !== 'published') throw new Error(outcome.status);
    const person = 'Docent <docent@example.org> 1700000000 +0000';
    const tree = git(bare, 'rev-parse', 'docent/job1^{tree}');
    const content = `tree ${tree}\nparent ${base}\nauthor ${person}\ncommitter ${person}\n\n${written}`;
    expect(outcome.commit).toBe(objectId('commit', Buffer.from(content)));
    expect(Buffer.from(outcome.commits[0]!.message).toString()).toBe(written);
  });

  test("leaves only snapshots in the cache, whatever the push's outcome", async () => {
    const inCache = () => readdirSync(path.join(folder.path, 'cache'), { recursive: true }).map(String);
    await push(requestOf([text('a.md', 'x')]));
    await push(requestOf([text('b.md', 'x')]));
    await push(requestOf([]));
    const nowhere: Endpoint = { kind: 'local', path: path.join(folder.path, 'nowhere') };
    await expect(push(requestOf([text('c.md', 'x')]), nowhere)).rejects.toThrow();
    expect(inCache().filter((at) => at.includes('attempt-'))).toEqual([]);
    expect(inCache().filter((at) => at.endsWith('.snapshot'))).toHaveLength(1);
  });

  test('treats hostile names and messages as text', async () => {
    const author = { name: 'Eve\n> <x@y>\0', email: 'eve\n@example.org>' };
    const message = 'Subject\0\n\ncommitter Someone <a@b> 1 +0000\n\ntree 123\n';
    const outcome = await push(requestOf([text('a.md', 'b')], { author, message }));
    expect(outcome.status).toBe('published');
    expect(git(bare, 'show', '-s', '--format=%an|%ae', 'docent/job1')).toBe('Eve x@y|eve@example.org');
    git(bare, 'fsck', '--strict');
  });

  test.each([
    ['.git/config', text('.git/config', 'x')],
    ['a build file', text('.github/workflows/x.yml', 'x')],
    ['a path through a symlink', text('link/x', 'x')],
    ['a symlink', text('link', 'x')],
    ['..', text('../x', 'x')],
    ['a twin', text('INDEX.mdx', 'x')],
  ])('never has %s, whatever the overlay says', async (_, entry) => {
    await expect(push(requestOf([entry]))).rejects.toBeInstanceOf(WorkspaceRefusal);
    await expect(push(requestOf([entry], { policy }))).rejects.toBeInstanceOf(WorkspaceRefusal);
    expect(git(bare, 'branch', '--list', 'docent/*')).toBe('');
  });

  test('keeps to the policy of the project', async () => {
    const changes = [text('index.mdx', 'x')];
    await expect(push(requestOf(changes, { policy: { ...policy, docsDir: 'guide' } }))).rejects.toThrow(
      /outside guide/,
    );
    await expect(push(requestOf(changes, { policy: { ...policy, maxFileBytes: 0 } }))).rejects.toThrow(/at most 0/);
  });
});

describe.each([
  ['of an attempt before which there may have been another', false],
  ['of a first attempt, which does not look before it pushes', true],
])('the push (%s)', (_of, isFirst) => {
  beforeEach(() => {
    isFirstAttempt = isFirst;
  });
  afterEach(() => {
    isFirstAttempt = false;
  });

  test('repeated finds itself done: on the tip, below other commits, with the same answer', async () => {
    const request = requestOf([text('index.mdx', 'changed\n')]);
    const first = await push(request);
    const again = await push(request);
    expect(again).toEqual({ ...first, status: 'already-there' });
    git(work, 'fetch', '-q', bare, 'docent/job1');
    git(work, 'checkout', '-q', 'FETCH_HEAD');
    commitFiles(work, { 'theirs.mdx': 'x' });
    const tip = commitFiles(work, { 'theirs2.mdx': 'x' });
    git(work, 'push', '-q', bare, 'HEAD:refs/heads/docent/job1');
    expect(await push(request)).toEqual({ ...first, status: 'already-there' });
    expect(git(bare, 'rev-parse', 'docent/job1')).toBe(tip);
  });

  test('to a branch that moved or was deleted is stale, and changes nothing', async () => {
    const { commit } = (await push(requestOf([text('a.md', '1')]))) as { commit: string };
    const second = requestOf([text('a.md', '2')], { parent: commit, expectedTip: commit });
    git(work, 'fetch', '-q', bare, 'docent/job1');
    git(work, 'checkout', '-q', 'FETCH_HEAD');
    const theirs = commitFiles(work, { 'theirs.mdx': 'x' });
    git(work, 'push', '-q', bare, 'HEAD:refs/heads/docent/job1');
    expect(await push(second)).toEqual({ status: 'stale', tip: theirs });
    expect(await push(requestOf([text('b.md', 'x')]))).toEqual({ status: 'stale', tip: theirs });
    expect(git(bare, 'rev-parse', 'docent/job1')).toBe(theirs);
    git(bare, 'branch', '-D', 'docent/job1');
    expect(await push(second)).toEqual({ status: 'stale', tip: null });
    expect(git(bare, 'branch', '--list', 'docent/*')).toBe('');
    await expect(push({ ...second, expectedTip: base })).rejects.toThrow(/forced/);
  });

  test('of a second commit lists both and shows the whole pull request', async () => {
    const first = (await push(requestOf([text('a.md', '1\n')]))) as Extract<PushOutcome, { status: 'published' }>;
    const request = requestOf([text('b.md', '2\n'), gone('a.md'), text('index.mdx', 'x\n')], {
      parent: first.commit,
      expectedTip: first.commit,
      message: 'Second',
    });
    const second = (await push(request)) as Extract<PushOutcome, { status: 'published' }>;
    expect(second.status).toBe('published');
    expect(second.commits).toEqual([
      {
        id: first.commit,
        message: 'Change pages\n\nDocent-Turn: job1/1\n',
        authorName: 'Docent',
        time: '2023-11-14T22:13:20.000Z',
      },
      { id: second.commit, message: 'Second\n', authorName: 'Docent', time: '2023-11-14T22:13:20.000Z' },
    ]);
    expect(second.diff).toContain('deleted file mode');
    expect(second.pullRequestDiff).not.toContain('a.md');
    expect(second.pullRequestDiff).toContain('+++ b/b.md');
  });

  test("refused by a hook reports the hook's output", async () => {
    const hook = path.join(bare, 'hooks', 'update');
    writeFileSync(hook, '#!/bin/sh\necho "ask the docs team first" >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    const outcome = await push(requestOf([text('a.md', 'x')]));
    expect(outcome).toMatchObject({ status: 'refused', reason: expect.stringContaining('ask the docs team first') });
    rmSync(hook);
    expect((await push(requestOf([text('a.md', 'x')]))).status).toBe('published');
  });

  test('refused for a checked-out branch, or a name taken by a folder of branches, reports the reason', async () => {
    const own: Endpoint = { kind: 'local', path: work };
    git(work, 'checkout', '-q', '-b', 'docent/job1');
    const dirty = commitFiles(work, {});
    writeFileSync(path.join(work, 'index.mdx'), 'dirty');
    const request = requestOf([text('a.md', 'x')], { parent: dirty, expectedTip: dirty, chainBase: dirty });
    endpoint = own;
    expect(await push(request)).toMatchObject({ status: 'refused', reason: expect.stringContaining('checked out') });
    expect(git(work, 'status', '--porcelain')).toBe(' M index.mdx');
    git(work, 'branch', 'taken');
    const inside = await push(requestOf([text('a.md', 'x')], { branch: 'taken/job', parent: dirty, chainBase: dirty }));
    expect(inside).toMatchObject({ status: 'refused', reason: expect.stringContaining('taken') });
  });

  test('waits for a held lock, and reports one that stays', async () => {
    const lock = path.join(bare, 'refs/heads/docent/job1.lock');
    mkdirSync(path.dirname(lock), { recursive: true });
    writeFileSync(lock, '');
    setTimeout(() => rmSync(lock), 400);
    expect((await push(requestOf([text('a.md', 'x')]))).status).toBe('published');
  });

  test('leaves a person’s dirty work tree, index and HEAD as they are', async () => {
    writeFileSync(path.join(work, 'index.mdx'), 'dirty');
    writeFileSync(path.join(work, 'staged.mdx'), 'staged');
    git(work, 'add', 'staged.mdx');
    const before = git(work, 'status', '--porcelain=v2', '--branch');
    endpoint = { kind: 'local', path: work };
    expect((await push(requestOf([text('index.mdx', 'ours')]))).status).toBe('published');
    expect(git(work, 'status', '--porcelain=v2', '--branch')).toBe(before);
    expect(git(work, 'show', 'docent/job1:index.mdx')).toBe('ours');
  });

  test('works the same over HTTP', async () => {
    const server = await startGitHttpServer(folder.path);
    try {
      endpoint = { kind: 'http', url: `${server.url}/docs.git`, headers: {}, privateHosts: ['127.0.0.1'] };
      const request = requestOf([text('index.mdx', 'changed\n')]);
      const first = await push(request);
      expect(first.status).toBe('published');
      expect(await push(request)).toEqual({ ...first, status: 'already-there' });
      // The answer is lost: the push is detected as done.
      const second = requestOf([text('index.mdx', 'again\n')], { parent: (first as { commit: string }).commit, expectedTip: (first as { commit: string }).commit }); // oxfmt-ignore
      let lost = false;
      server.intercept = (incoming, response) => {
        if (incoming.method !== 'POST' || !incoming.url?.endsWith('/git-receive-pack') || lost) return false;
        lost = true;
        response.write = () => true;
        const end = response.end.bind(response);
        response.end = () => {
          response.destroy();
          return end();
        };
        return false;
      };
      expect((await push(second)).status).toBe('already-there');
      expect(lost).toBe(true);
      git(bare, 'fsck', '--strict');
    } finally {
      await server.close();
    }
  });

  test('uploads Git LFS files once before it pushes their pointers, and reports what a server lacks', async () => {
    const parent = makeWorkTree(path.join(folder.path, 'lfs'), {
      '.gitattributes': '*.png filter=lfs\n',
      'a.md': 'a\n',
    });
    makeBare(path.join(folder.path, 'lfs'), path.join(folder.path, 'lfs.git'));
    const server = await startGitHttpServer(folder.path);
    const png = Buffer.from([137, 80, 78, 71, 0, 1]);
    const object = lfsObject(png);
    const stored = new Map<string, Buffer>();
    let [status, uploads, verified, cut] = [200, 0, 0, false];
    const credentials: unknown[] = [];
    server.intercept = (incoming, response) => {
      const at = incoming.url ?? '';

      if (/\/lfs\.git\/(?:info\/refs|git-)/.test(at)) return false;
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const body = Buffer.concat(chunks);
        const json = (value: unknown, code = 200) => response.writeHead(code).end(JSON.stringify(value));
        if (at.endsWith('/objects/batch')) {
          credentials.push(incoming.headers.authorization);
          if (status !== 200) return json({ message: 'quota' }, status);
          const [{ oid }] = (JSON.parse(body.toString()) as { objects: [{ oid: string }] }).objects;
          const upload = { href: `${server.url}/store-lfs/${oid}`, header: { Authorization: 'Once x' } };
          const verify = { href: `${server.url}/verify-lfs` };
          return json({
            transfer: 'basic',
            objects: [{ oid, ...(stored.has(oid) ? {} : { actions: { upload, verify } }) }],
          });
        }
        if (at.includes('/store-lfs/')) {
          uploads += 1;
          credentials.push(incoming.headers.authorization);
          if (cut) return response.destroy();
          stored.set(at.split('/').at(-1)!, body);
          return response.writeHead(200).end();
        }
        verified += 1;
        credentials.push(incoming.headers.authorization);
        expect(JSON.parse(body.toString())).toEqual(object);
        return response.writeHead(200).end();
      });
      return true;
    };
    try {
      const headers = { authorization: 'Basic y' };
      endpoint = { kind: 'http', url: `${server.url}/lfs.git`, headers, privateHosts: ['127.0.0.1'] };
      const blobId = objectId('blob', png);
      const request = requestOf([{ path: 'x.png', content: null, blobId }, text('a.md', 'b\n')], {
        parent,
        chainBase: parent,
        blobs: new Map([[blobId, png]]),
        policy: { ...policy, lfs: true },
      });
      for (const [code, problem] of [
        [404, /does not offer Git LFS/], [413, /takes no file of this size/], [507, /no room left \(status 507: quota\)/], [403, /credential/],
      ] as const) {
        status = code;
        await expect(push(request)).rejects.toThrow(problem);
      } // oxfmt-ignore
      status = 503;
      await expect(push(request)).rejects.toMatchObject({ code: 'unreachable' });
      status = 200;
      cut = true;
      await expect(push(request)).rejects.toMatchObject({ code: 'unreachable' });
      cut = false;
      expect(git(path.join(folder.path, 'lfs.git'), 'branch', '--list', 'docent/*')).toBe('');
      const first = await push(request);
      expect(first.status).toBe('published');
      expect(await push(request)).toEqual({ ...first, status: 'already-there' });
      expect([uploads, verified, stored.get(object.oid)]).toEqual([2, 1, png]);
      expect(new Set(credentials)).toEqual(new Set(['Basic y', 'Once x']));
      expect(`${git(path.join(folder.path, 'lfs.git'), 'show', 'docent/job1:x.png')}\n`).toBe(pointerTo(object));
    } finally {
      await server.close();
    }
  });

  test.each(['-x', 'a..b', 'refs/heads/x', 'x.lock', ''])(
    'to a branch named %j is refused before anything is asked',
    async (branch) => {
      await expect(push(requestOf([text('a.md', 'x')], { branch }))).rejects.toMatchObject({ code: 'branch_invalid' });
    },
  );
});
