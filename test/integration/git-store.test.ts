import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { GitStore } from '../../src/git/git-store.ts';
import type { CommitRequest, Endpoint } from '@docent/git/contract';
import { createGitStore } from '../../src/git/git-store.ts';
import { RepositoryProblem } from '@docent/git/repository-problem';
import { SnapshotCache } from '@docent/git/snapshot/snapshot-cache';
import { openSnapshot } from '@docent/git/snapshot/snapshot';
import { WorkspaceRefusal } from '@docent/git/workspace';
import { times } from '../support/how-often.ts';
import { QUICKLY } from '../support/processes.ts';
import { commitFiles, git, makeBare, makeWorkTree, manyPages, noise, temporaryFolder } from '../support/git-fixture.ts';

let folder: ReturnType<typeof temporaryFolder>;
let work: string;
let bare: string;
let cacheDir: string;
let endpoint: Endpoint;
let base: string;
/** Of all tests but those that end its processes. Each test has its own repository. */
let store: GitStore;
/** As of another worker: it knows nothing of what `store` did. */
let other: GitStore;

/** Made once: each test works on a copy. */
const template = temporaryFolder();
const shared = temporaryFolder();
const sharedCache = path.join(shared.path, 'cache');
beforeAll(() => {
  base = makeWorkTree(path.join(template.path, 'work'), manyPages(20));
  makeBare(path.join(template.path, 'work'), path.join(template.path, 'docs.git'));
  store = createGitStore({ cacheDir: sharedCache, poolSize: 2 });
  other = createGitStore({ cacheDir: path.join(shared.path, 'other'), poolSize: 1 });
});
afterAll(async () => {
  await Promise.all([store.close(), other.close()]);
  for (const made of [template, shared, large]) made.remove();
});
beforeEach(() => {
  folder = temporaryFolder();
  cpSync(template.path, folder.path, { recursive: true });
  work = path.join(folder.path, 'work');
  bare = path.join(folder.path, 'docs.git');
  cacheDir = path.join(folder.path, 'cache');
  endpoint = { kind: 'local', path: bare };
});
afterEach(() => folder.remove());

/** With a cache and processes of its own. */
function ownStore(): GitStore {
  const own = createGitStore({ cacheDir, poolSize: 2 });
  onTestFinished(() => own.close());
  return own;
}

const requestOf = (more: Partial<CommitRequest> = {}): CommitRequest => ({
  branch: 'docent/job1',
  expectedTip: null,
  parent: base,
  chainBase: base,
  changes: [{ path: 'docs/s1/page-1.mdx', content: 'changed\n', blobId: null }],
  message: 'Change a page',
  author: { name: 'Docent', email: 'docent@example.org' },
  timestamp: 1_700_000_000,
  ...more,
});

const LARGE_FILES = 100;

const large = temporaryFolder();
const largeBare = path.join(large.path, 'docs.git');

/** Puts enough on a branch that fetching it takes a moment. */
function makeLarge(): string {
  if (!existsSync(largeBare)) {
    const files = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`big/${i}.bin`, noise(60_000 + i)]));
    commitFiles(work, { ...files, ...manyPages(LARGE_FILES - 15, 100) });
    cpSync(bare, largeBare, { recursive: true });
    git(work, 'push', '-q', largeBare, 'HEAD:refs/heads/large');
  }
  cpSync(largeBare, bare, { recursive: true });
  return git(bare, 'rev-parse', 'large');
}

const filesInCache = () =>
  existsSync(cacheDir) ? readdirSync(cacheDir).flatMap((inside) => readdirSync(path.join(cacheDir, inside))) : [];

/** What the cache of `store` has of the test's repository. */
function filesInSharedCache(): string[] {
  const inside = path.dirname(new SnapshotCache(sharedCache).attemptPath(endpoint, 'pack'));
  return existsSync(inside) ? readdirSync(inside) : [];
}

/** Pool children of this process. */
function childPids(): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid,ppid,args']).toString().split('\n');
  return rows
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row))
    .filter((row) => row && Number(row[2]) === process.pid && row[3]!.includes('git-child'))
    .map((row) => Number(row![1]));
}

/** A push that its hook holds up for some seconds, and then refuses. */
async function hangingPush(own: GitStore): Promise<{ push: Promise<unknown>; removeHook: () => void }> {
  const hook = path.join(bare, 'hooks', 'pre-receive');
  const reached = path.join(folder.path, 'reached');
  writeFileSync(hook, `#!/bin/sh\ntouch '${reached}'\nsleep 5\nexit 1\n`, { mode: 0o755 });
  const push = own.commitAndPush(endpoint, requestOf());
  push.catch(() => {});
  await expect.poll(() => existsSync(reached)).toBe(true);
  return { push, removeHook: () => rmSync(hook) };
}

describe('one worker', () => {
  test('goes from a repository to a pushed commit, read by any process on the way', async () => {
    expect(await store.listBranches(endpoint)).toEqual(new Map([['main', base]]));
    const snapshot = openSnapshot(await store.ensureSnapshot(endpoint, { branch: 'main', commit: base }));
    expect(snapshot.files()).toHaveLength(20);
    expect(snapshot.readText('docs/s1/page-1.mdx')).toContain('title: Page 1');
    const outcome = await store.commitAndPush(endpoint, requestOf());
    if (outcome.status !== 'published') throw new Error(outcome.status);
    expect(git(bare, 'rev-parse', 'docent/job1')).toBe(outcome.commit);
    expect(await store.mergeBase(endpoint, { tip: outcome.commit, baseTip: base })).toBe(base);
    const to = { branch: 'docent/job1', commit: outcome.commit };
    expect(await store.changedPaths(endpoint, base, to)).toEqual(['docs/s1/page-1.mdx']);
  });

  test.skipIf(spawnSync('ssh-keygen', ['-?']).error)(
    'signs a commit so that git verifies it, and the same commit the same way',
    async () => {
      const key = path.join(folder.path, 'signing-key');
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
      const signers = path.join(folder.path, 'signers');
      writeFileSync(signers, `docent@localhost ${readFileSync(`${key}.pub`, 'utf8')}`);
      const request = requestOf({ branch: 'docent/signed', signingKey: readFileSync(key, 'utf8') });
      const outcome = await store.commitAndPush(endpoint, request);
      if (outcome.status !== 'published') throw new Error(outcome.status);
      git(bare, '-c', `gpg.ssh.allowedSignersFile=${signers}`, 'verify-commit', outcome.commit);
      git(bare, 'fsck', '--strict', '--no-dangling');
      const again = await store.commitAndPush(endpoint, request);
      expect(again).toMatchObject({ status: 'already-there', commit: outcome.commit });
    },
  );

  test.skipIf(spawnSync('gpg', ['--version']).error).each(['ed25519', 'rsa3072', 'rsa3072 with a signing subkey'])(
    'signs with an OpenPGP key of kind %s so that git and gpg verify it, the same commit the same way',
    async (kind) => {
      const gnupg = path.join(folder.path, 'gnupg');
      mkdirSync(gnupg, { mode: 0o700 });
      const env = { ...process.env, GNUPGHOME: gnupg };
      onTestFinished(() => void execFileSync('gpgconf', ['--kill', 'all'], { env }));
      const gpg = (...args: string[]) =>
        execFileSync('gpg', ['--batch', '--quiet', '--pinentry-mode', 'loopback', '--passphrase', '', ...args], {
          env,
          encoding: 'utf8',
        });
      const [algorithm = '', ...more] = kind.split(' ');
      gpg('--quick-generate-key', 'Docent <docent@example.org>', algorithm, more.length > 0 ? 'cert' : 'sign', '1y');
      const fingerprint = /^fpr:+([0-9A-F]+)/m.exec(gpg('--list-keys', '--with-colons'))?.[1] ?? '';
      if (more.length > 0) gpg('--quick-add-key', fingerprint, 'ed25519', 'sign', '1y');
      const signingKey = gpg('--armor', '--export-secret-keys');
      // After and before the key was made.
      let request = requestOf();
      let commit = '';
      for (const timestamp of [Math.floor(Date.now() / 1_000), 1_700_000_000]) {
        request = requestOf({ branch: `docent/pgp-${timestamp}`, signingKey, timestamp });
        const outcome = await store.commitAndPush(endpoint, request);
        if (outcome.status !== 'published') throw new Error(outcome.status);
        ({ commit } = outcome);
        const { stderr, status } = spawnSync('git', ['-C', bare, 'verify-commit', '--raw', commit], {
          env,
          encoding: 'utf8',
        });
        expect(stderr).toContain(fingerprint);
        expect(stderr).toContain('[GNUPG:] GOODSIG');
        expect(status).toBe(0);
      }
      expect(await store.commitAndPush(endpoint, request)).toMatchObject({ status: 'already-there', commit });
      git(bare, 'fsck', '--strict', '--no-dangling');
    },
  );

  test('makes errors of its children errors of ours', async () => {
    const nowhere: Endpoint = { kind: 'local', path: path.join(folder.path, 'nowhere') };
    const problem = await store.listBranches(nowhere).catch((err: unknown) => err);
    expect(problem).toBeInstanceOf(RepositoryProblem);
    expect(problem).toMatchObject({ code: 'repository_missing' });
    const changes = [{ path: '.git/config', content: 'x', blobId: null }];
    const refusal = await store.commitAndPush(endpoint, requestOf({ changes })).catch((err: unknown) => err);
    expect(refusal).toBeInstanceOf(WorkspaceRefusal);
    await expect(store.ensureSnapshot(endpoint, { branch: 'main', commit: '--help' })).rejects.toThrow(TypeError);
  });

  test('stops an aborted call and accepts the next one', async () => {
    const commit = makeLarge();
    const abort = new AbortController();
    const fetched = store.ensureSnapshot(endpoint, { branch: 'large', commit }, { signal: abort.signal, onProgress: () => abort.abort(new Error('enough')) }); // oxfmt-ignore
    await expect(fetched).rejects.toThrow('enough');
    expect(filesInSharedCache()).toEqual([]);
    const again = openSnapshot(await store.ensureSnapshot(endpoint, { branch: 'large', commit }));
    expect(again.files()).toHaveLength(LARGE_FILES);
    await expect(store.listBranches(endpoint, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow(
      'too late',
    );
  });

  test('fetches a commit once for parallel callers', async () => {
    const commit = makeLarge();
    const paths = await Promise.all(
      Array.from({ length: 20 }, () => store.ensureSnapshot(endpoint, { branch: 'large', commit })),
    );
    expect(new Set(paths).size).toBe(1);
    expect(filesInSharedCache()).toEqual([`${commit}.snapshot`]);
  });

  test('outlives a child that is killed at its work', async () => {
    const others = childPids();
    const own = ownStore();
    const hanging = await hangingPush(own);
    for (const pid of childPids()) if (!others.includes(pid)) process.kill(pid, 'SIGKILL');
    await expect(hanging.push).rejects.toThrow(/SIGKILL/);
    hanging.removeHook();
    expect((await own.commitAndPush(endpoint, requestOf())).status).toBe('published');
  });

  test('replaces children that hold too much memory once they have answered', async () => {
    const others = childPids();
    const small = createGitStore({ cacheDir, poolSize: 1, memory: { recycleAbove: 1, killAbove: 1_500_000_000 } });
    for (let i = 0; i < 2; i++) {
      expect(await small.listBranches(endpoint)).toBeDefined();
      await expect.poll(childPids, { interval: 200 }).toEqual(others);
    }
    await small.close();
  });

  test('ends its children when it is closed, and rejects their calls', async () => {
    const others = childPids();
    const own = ownStore();
    const { push } = await hangingPush(own);
    expect(childPids()).not.toEqual(others);
    await own.close();
    await expect(push).rejects.toThrow(/closed/);
    expect(childPids()).toEqual(others);
    await expect(own.listBranches(endpoint)).rejects.toThrow(/closed/);
  });
});

describe('pushes to one branch', () => {
  test("by several at the same time: exactly one wins, the others learn the branch's commit", async () => {
    await store.ensureSnapshot(endpoint, { branch: 'main', commit: base });
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, (_, i) => store.commitAndPush(endpoint, requestOf({ message: `Change ${i}` }))),
    );
    const winners = outcomes.filter((outcome) => outcome.status === 'published');
    expect(winners).toHaveLength(1);
    const tip = git(bare, 'rev-parse', 'docent/job1');
    expect(winners[0]).toMatchObject({ commit: tip });
    for (const outcome of outcomes)
      if (outcome.status !== 'published') expect(outcome).toEqual({ status: 'stale', tip });
    git(bare, 'fsck', '--strict');
  });

  test('by several with the very same commit: it is there once, and all know', async () => {
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => store.commitAndPush(endpoint, requestOf())));
    expect(new Set(outcomes.map((outcome) => ('commit' in outcome ? outcome.commit : outcome.status))).size).toBe(1);
    expect(outcomes.filter(({ status }) => status === 'published')).toHaveLength(1);
    expect(git(bare, 'rev-list', '--count', `${base}..docent/job1`)).toBe('1');
  });
});

/** Two commits on the job's branch, and what the pushes answered. */
async function pushTwo() {
  const first = await store.commitAndPush(endpoint, requestOf());
  if (first.status !== 'published') throw new Error(first.status);
  const parent = first.commit;
  const request = requestOf({
    parent,
    expectedTip: parent,
    changes: [{ path: 'docs/s1/page-1.mdx', content: 'again\n', blobId: null }],
    message: 'Second\r\n\r\nWhy',
  });
  const second = await store.commitAndPush(endpoint, request);
  if (second.status !== 'published') throw new Error(second.status);
  return { first, second };
}

describe('a branch whose push was never recorded', () => {
  test('is described by another worker as the push would have described it', async () => {
    const { first, second } = await pushTwo();
    const { status: _, ...told } = second;
    const at = { branch: 'docent/job1', tip: second.commit, chainBase: base };
    expect(await other.describeBranch(endpoint, at)).toEqual(told);
    expect(told.commits.map(({ id }) => id)).toEqual([first.commit, second.commit]);
    expect(told.diff).not.toBe(told.pullRequestDiff);
    expect(git(bare, 'rev-parse', 'docent/job1')).toBe(second.commit);
  });

  test('adds no commit to a base that has all of it', async () => {
    const { first, second } = await pushTwo();
    for (const chainBase of [first.commit, second.commit]) {
      const at = { branch: 'docent/job1', tip: first.commit, chainBase };
      expect(await store.describeBranch(endpoint, at)).toMatchObject({ commit: first.commit, commits: [] });
    }
  });

  test('has its complete diff if the server has lost the previous commit', async () => {
    const { second } = await pushTwo();
    const shallow = `${bare}-shallow`;
    git('/', 'clone', '-q', '--bare', '--depth=1', '--no-single-branch', `file://${bare}`, shallow);
    const at = { branch: 'docent/job1', tip: second.commit, chainBase: base };
    const found = await other.describeBranch({ kind: 'local', path: shallow }, at);
    expect(found.diff).toBe(second.pullRequestDiff);
    expect(found.pullRequestDiff).toBe(second.pullRequestDiff);
    expect(found.commits.map(({ id }) => id)).toEqual([second.commit]);
  });

  test('is not described while the repository cannot be read', async () => {
    const nowhere: Endpoint = { kind: 'local', path: path.join(folder.path, 'nowhere') };
    const at = { branch: 'docent/job1', tip: base, chainBase: base };
    await expect(store.describeBranch(nowhere, at)).rejects.toMatchObject({ code: 'repository_missing' });
    await expect(store.describeBranch(endpoint, { ...at, tip: '--help' })).rejects.toThrow(TypeError);
  });
});

describe('repositories of all sorts', () => {
  test.each([
    ['with a work tree', () => work],
    ['with borrowed objects', () => (git('/', 'clone', '-q', '--bare', '--shared', bare, `${bare}-shared`), `${bare}-shared`)],
    ['shallow', () => (commitFiles(work, { 'x.md': 'x' }), git('/', 'clone', '-q', '--bare', '--depth=1', `file://${work}`, `${bare}-shallow`), `${bare}-shallow`)],
    ['packed to the last ref', () => (git(bare, 'gc', '-q', '--prune=now'), git(bare, 'pack-refs', '--all'), bare)],
    ['with a linked work tree', () => (git(bare, 'worktree', 'add', '-q', path.join(folder.path, 'linked'), 'main'), path.join(folder.path, 'linked'))],
  ])('%s', async (_, make) => {
    const at: Endpoint = { kind: 'local', path: make() };
    const tip = (await store.listBranches(at)).get('main')!;
    const outcome = await store.commitAndPush(at, requestOf({ parent: tip, chainBase: tip }));
    expect(outcome.status).toBe('published');
    expect(git(at.path, 'show', 'docent/job1:docs/s1/page-1.mdx')).toBe('changed');
    git(at.path, 'fsck', '--strict');
  });
}); // oxfmt-ignore

describe('several processes on one cache', () => {
  const script = fileURLToPath(new URL('../support/git-store-process.ts', import.meta.url));
  const start = () => {
    const child = spawn(process.execPath, [...QUICKLY, script, cacheDir, bare, 'large'], { stdio: ['ignore', 'pipe', 'inherit'], detached: true }); // oxfmt-ignore
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { child, exit, output: () => output };
  };

  test('at the same time create the same snapshot', async () => {
    const commit = makeLarge();
    const runs = [start(), start()];
    expect(await Promise.all(runs.map(({ exit }) => exit))).toEqual([0, 0]);
    expect(new Set(runs.map(({ output }) => output())).size).toBe(1);
    expect(filesInCache()).toEqual([`${commit}.snapshot`]);
    expect(openSnapshot(runs[0]!.output().trim().split('\n').at(-1)!).files()).toHaveLength(LARGE_FILES);
  });

  test('killed at any moment, with children, leave nothing that breaks the next one', async () => {
    const commit = makeLarge();
    for (let kill = 0; kill < times(2); kill += 1) {
      const delay = Math.random() * 150;
      const run = start();
      await expect.poll(run.output, { interval: 5 }).toContain('fetching');
      await new Promise((resolve) => setTimeout(resolve, delay));
      try {
        process.kill(-run.child.pid!, 'SIGKILL');
      } catch {
        // It was done already.
      }
      await run.exit;
      const made = filesInCache().find((file) => file.endsWith('.snapshot'));
      if (made) {
        // A file with its final name is complete.
        expect(new SnapshotCache(cacheDir).find(endpoint, commit)?.files()).toHaveLength(LARGE_FILES);
        break;
      }
    }
    const snapshot = openSnapshot(await ownStore().ensureSnapshot(endpoint, { branch: 'large', commit }));
    expect(snapshot.files()).toHaveLength(LARGE_FILES);
    for (const file of snapshot.files()) snapshot.readText(file.path);
    const long = Date.now() / 1000 - 7_200;
    for (const inside of readdirSync(cacheDir)) {
      for (const file of readdirSync(path.join(cacheDir, inside))) {
        if (file.startsWith('attempt-')) utimesSync(path.join(cacheDir, inside, file), long, long);
      }
    }
    new SnapshotCache(cacheDir).collectGarbage({ maxAgeMs: 1e9, maxBytes: 1e12 });
    expect(filesInCache()).toEqual([`${commit}.snapshot`]);
  });
});
