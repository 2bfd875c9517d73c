import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Endpoint } from '@docent/git/contract';
import type { BaseTree } from '@docent/base/files/base-tree';
import { RepositoryProblem } from '@docent/git/repository-problem';
import { fetchSnapshot, type FetchSnapshotOptions } from '@docent/git/snapshot/fetch-snapshot';
import { SnapshotCache } from '@docent/git/snapshot/snapshot-cache';
import { openSnapshot, Snapshot } from '@docent/git/snapshot/snapshot';
import { DEFAULT_TRANSFER_LIMITS } from '@docent/git/transport/transport';
import {
  commitFiles,
  git,
  gitObjects,
  gitWithInput,
  makeWorkTree,
  manyPages,
  temporaryFolder,
} from '../support/git-fixture.ts';
import { times } from '../support/how-often.ts';

let folder: ReturnType<typeof temporaryFolder>;
let repo: string;
let endpoint: Endpoint;
let cache: SnapshotCache;
const options: FetchSnapshotOptions = { limits: DEFAULT_TRANSFER_LIMITS };

beforeEach(() => {
  folder = temporaryFolder();
  repo = path.join(folder.path, 'repo');
  endpoint = { kind: 'local', path: repo };
  cache = new SnapshotCache(path.join(folder.path, 'cache'));
});
afterEach(() => folder.remove());

const fetchAt = (commit: string, more: Partial<FetchSnapshotOptions> = {}) =>
  fetchSnapshot(cache, endpoint, commit, { ...options, ...more });

/** Compares a snapshot with the objects of native git. */
function mustEqualGit(snapshot: BaseTree, commit: string): void {
  const lines = git(repo, 'ls-tree', '-r', '-z', '-l', '--full-tree', commit).split('\0').filter(Boolean);
  const listed = lines.map((line) => {
    const [, mode, id, size, name] = /^(\d+) \w+ (\w+) +(\S+)\t(.*)$/s.exec(line)!;
    return { mode, id, size: Number(size), name: name! };
  });
  expect(snapshot.files().map((file) => file.path)).toEqual(listed.map(({ name }) => name).toSorted());
  const small = listed.filter(({ mode, size }) => mode !== '160000' && size <= 1_048_576);
  const blobs = gitObjects(
    repo,
    small.map(({ id }) => id!),
  );
  for (const { mode, id, size, name } of listed) {
    const file = snapshot.file(name)!;
    expect(file.blobId, name).toBe(id);
    if (mode === '120000') expect(file).toMatchObject({ kind: 'symlink', size: 0 });
    else if (mode === '160000') expect(file).toMatchObject({ kind: 'submodule', size: 0 });
    else {
      expect(file.kind.startsWith('executable')).toBe(mode === '100755');
      // Large pages are checked; of other large files, only their size is known.
      expect(file.size, name).toBe(name.endsWith('.md') ? size : Math.min(size, 1_048_577));
      const readable = file.kind.endsWith('text') && size <= 1_048_576;
      expect(snapshot.readText(name), name).toEqual(readable ? blobs.get(id!)!.content.toString('utf8') : null);
    }
  }
}

describe('a snapshot', () => {
  test('has the files that native git lists, of every kind', async () => {
    const first = makeWorkTree(repo, {
      ...manyPages(30),
      'bom.md': '\ufeffwith a mark\r\nand CRLF\r\n',
      'empty.md': '',
      'grüße/日本.md': 'ok',
      'logo.png': Buffer.from([137, 80, 78, 71, 0, 1]),
      'latin1.md': Buffer.from('caf\xe9', 'latin1'),
      'link.md': { symlink: 'bom.md' },
      'run.sh': { executable: '#!/bin/sh\n' },
      'exact.md': 'x'.repeat(1_048_576),
      'large.md': 'line\n'.repeat(300_000),
      'large.bin': Buffer.alloc(3_000_000),
    });
    git(repo, 'update-index', '--add', '--cacheinfo', `160000,${first},lib`);
    git(repo, 'commit', '-q', '-m', 'A submodule');
    const commit = git(repo, 'rev-parse', 'HEAD');
    const snapshot = await fetchAt(commit);
    mustEqualGit(snapshot, commit);
    expect(snapshot.file('latin1.md')!.kind).toBe('binary');
    expect(snapshot.file('run.sh')!.kind).toBe('executable-text');
    expect(snapshot.readText('bom.md')).toBe('\ufeffwith a mark\r\nand CRLF\r\n');
    expect(snapshot.commitFields()).toMatchObject({
      parents: [first],
      authorName: 'A Person',
      message: 'A submodule\n',
    });
    mustEqualGit(new Snapshot(snapshot.path), commit);
  });

  test('builds on an earlier one, forwards, backwards and across branches', async () => {
    const commits = [makeWorkTree(repo, manyPages(40))];
    commits.push(
      commitFiles(repo, { 'docs/s1/page-1.mdx': 'changed\n', 'new.md': 'new', 'pic.bin': Buffer.alloc(900, 1) }),
    );
    commits.push(commitFiles(repo, { 'pic.bin': Buffer.alloc(901, 1), 'docs/s2/page-2.mdx': 'also\n' }));
    git(repo, 'rm', '-q', '-r', 'docs/s3');
    commits.push(commitFiles(repo, {}));
    git(repo, 'checkout', '-q', '-b', 'side', commits[0]!);
    commits.push(commitFiles(repo, { 'docs/s1/page-1.mdx': 'other\n' }));
    commits.push(commitFiles(repo, { 'docs/s1/page-1.mdx': manyPages(40)['docs/s1/page-1.mdx']! }));
    for (const commit of [...commits, ...commits.toReversed()]) {
      const told: string[] = [];
      mustEqualGit(await fetchAt(commit, { onProgress: (message) => told.push(message) }), commit);
    }
  });

  test('fetches little when little changed', async () => {
    makeWorkTree(repo, manyPages(200));
    await fetchAt(git(repo, 'rev-parse', 'HEAD'));
    const next = commitFiles(repo, { 'docs/s1/page-1.mdx': 'changed\n' });
    const fetched: string[] = [];
    await fetchAt(next, { onProgress: (message) => fetched.push(message) });
    expect(Number(/fetched (\d+) bytes/.exec(fetched.join())![1])).toBeLessThan(3_000);
  });

  test('equals native git for any history of any edits', async () => {
    const name = fc.constantFrom('a.md', 'b.md', 'd/c.md', 'd/e/f.md', 'd/e', 'img.bin');
    const content = fc.oneof(
      fc.constantFrom('', 'one\n', 'two\n', 'long '.repeat(400)),
      fc.uint8Array({ maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.tuple(name, content), { maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        async (edits) => {
          folder.remove();
          makeWorkTree(repo, { 'start.md': 'start' });
          cache = new SnapshotCache(path.join(folder.path, 'cache'));
          for (const edit of edits) {
            git(repo, 'rm', '-q', '-r', '--ignore-unmatch', 'd');
            const files = Object.fromEntries(edit);
            if ('d/e' in files) delete files['d/e/f.md'];
            const commit = commitFiles(repo, files);
            mustEqualGit(await fetchAt(commit), commit);
          }
        },
      ),
      { numRuns: times(3) },
    );
  });

  test('detects every damage on the disk, and the next fetch fixes it', async () => {
    const commit = makeWorkTree(repo, manyPages(20));
    const { path: file } = await fetchAt(commit);
    const whole = readFileSync(file);
    const damages: ((at: string) => void)[] = [
      (at) => truncateSync(at, whole.length - 1),
      (at) => truncateSync(at, 0),
      (at) => appendFileSync(at, 'x'),
      ...Array.from({ length: 20 }, (_, i) => (at: string) => {
        const bytes = Buffer.from(whole);
        bytes[Math.floor((whole.length * i) / 20)]! ^= 1;
        writeFileSync(at, bytes);
      }),
    ];
    for (const [i, damage] of damages.entries()) {
      writeFileSync(file, whole);
      damage(file);
      const readAll = () => {
        const snapshot = new Snapshot(file);
        for (const { path: name } of snapshot.files()) snapshot.readText(name);
        for (const { blobId } of snapshot.files()) snapshot.blob(blobId);
        snapshot.tree(snapshot.rootTree);
        return snapshot;
      };
      try {
        mustEqualGit(readAll(), commit);
      } catch (err) {
        expect(err, `damage ${i}`).toMatchObject({ code: 'snapshot_unusable' });
        expect(existsSync(file)).toBe(false);
      }
    }
    mustEqualGit(await fetchAt(commit), commit);
  });

  test('built on a damaged one costs a complete fetch, and is right', async () => {
    const first = makeWorkTree(repo, manyPages(20));
    const base = await fetchAt(first);
    const bytes = readFileSync(base.path);
    const at = bytes.indexOf('Line 5 of');
    bytes[at]! ^= 1;
    base.close();
    writeFileSync(base.path, bytes);
    const next = commitFiles(repo, { 'new.md': 'x' });
    mustEqualGit(await fetchAt(next), next);
    expect(existsSync(base.path)).toBe(false);
  });

  test('can still be read when many others were opened since', async () => {
    const commits = [makeWorkTree(repo, manyPages(5))];
    for (let i = 0; i < 12; i++) commits.push(commitFiles(repo, { 'a.md': `${i}` }));
    const first = openSnapshot((await fetchAt(commits[0]!)).path);
    for (const commit of commits.slice(1)) openSnapshot((await fetchAt(commit)).path);
    mustEqualGit(first, commits[0]!);
  });
});

const blob = (text: string) => gitWithInput(repo, text, 'hash-object', '-w', '--stdin');
/** Writes a tree object with these entries, in the order given. */
function tree(...entries: [mode: string, name: string | Buffer, id: string][]): string {
  const raw = Buffer.concat(
    entries.flatMap(([mode, name, id]) => [
      Buffer.from(`${mode} `),
      Buffer.from(name),
      Buffer.from([0]),
      Buffer.from(id, 'hex'),
    ]),
  );
  return gitWithInput(repo, raw, 'hash-object', '-w', '--literally', '-t', 'tree', '--stdin');
}
const commitOf = (root: string) => git(repo, 'commit-tree', root, '-m', 'made by hand');

const problemOf = async (root: string, more: Partial<FetchSnapshotOptions> = {}) => {
  const problem = await fetchAt(commitOf(root), more).catch((err: unknown) => err);
  expect(problem).toBeInstanceOf(RepositoryProblem);
  return problem as RepositoryProblem;
};

describe('hostile trees', () => {
  beforeEach(() => {
    makeWorkTree(repo, { 'a.md': 'a' });
  });

  test.each(['..', '.', '.git', '.GIT'])('an entry named %j', async (name) => {
    expect(await problemOf(tree(['100644', name, blob('x')]))).toMatchObject({
      code: 'repository_unsupported',
      message: expect.stringContaining('an entry named'),
    });
  });

  test('an entry without a name, which git itself rejects', async () => {
    expect((await problemOf(tree(['100644', '', blob('x')]))).code).toBe('repository_unreadable');
  });

  test('a slash in a name, two entries of one name, garbage', async () => {
    expect((await problemOf(tree(['100644', 'a/b', blob('x')]))).code).toBe('repository_unsupported');
    const twice = tree(['100644', 'a', blob('x')], ['100644', 'a', blob('y')]);
    expect((await problemOf(twice)).message).toContain('two entries');
    const folderToo = tree(['100644', 'a', blob('x')], ['40000', 'a', tree(['100644', 'b', blob('y')])]);
    expect((await problemOf(folderToo)).message).toContain('two entries');
  });

  test('folders in folders, without end', async () => {
    let root = tree(['100644', 'deep.md', blob('x')]);
    for (let i = 0; i < 20; i++) root = tree(['40000', 'n'.repeat(240), root]);
    expect((await problemOf(root)).message).toContain('paths longer than');
  });

  test('a few trees that name each other into billions of files, or of empty folders', async () => {
    for (const leaf of [tree(['100644', 'x.md', blob('x')]), tree()]) {
      let root = leaf;
      for (let i = 0; i < 5; i++)
        root = tree(...Array.from({ length: 100 }, (_, n): [string, string, string] => ['40000', `${n + 100}`, root]));
      expect(
        (await problemOf(root, { treeLimits: { entries: 20_000, pathBytes: 4_096, treeBytes: 10_000_000 } })).message,
      ).toContain('more than 20000 files');
    }
  });

  test('names that are not UTF-8 are not listed, odd modes are', async () => {
    const root = tree(
      ['100664', 'odd.md', blob('odd')],
      ['100644', Buffer.from('caf\xe9.md', 'latin1'), blob('x')],
      ['40000', Buffer.from('d\xff', 'latin1'), tree(['100644', 'in.md', blob('y')])],
      ['40000', 'empty', tree()],
    );
    const snapshot = await fetchAt(commitOf(root));
    expect(snapshot.files().map((file) => file.path)).toEqual(['odd.md']);
    expect(snapshot.readText('odd.md')).toBe('odd');
  });

  test('objects that are missing', async () => {
    const root = tree(['40000', 'd', 'a'.repeat(40)]);
    const problem = await problemOf(root);
    expect(problem.code).toBe('repository_unreadable');
    expect((await fetchAt('b'.repeat(40)).catch((err: unknown) => err)) as RepositoryProblem).toMatchObject({
      code: 'branch_missing',
    });
  });
});

const hoursAgo = (file: string, hours: number) =>
  utimesSync(file, Date.now() / 1000 - hours * 3_600, Date.now() / 1000 - hours * 3_600);

describe('the cache', () => {
  test('leaves only snapshots behind, after success and failure', async () => {
    makeWorkTree(repo, { 'a.md': 'a' });
    await fetchAt(git(repo, 'rev-parse', 'HEAD'));
    await fetchAt('b'.repeat(40)).catch(() => {});
    const [inside] = readdirSync(path.join(folder.path, 'cache'));
    const files = readdirSync(path.join(folder.path, 'cache', inside!));
    expect(files).toEqual([`${git(repo, 'rev-parse', 'HEAD')}.snapshot`]);
  });

  test('is deleted by age and size, the least recently used first; used ones stay', async () => {
    const commits = [makeWorkTree(repo, { 'a.md': 'a'.repeat(5_000) })];
    for (let i = 0; i < 3; i++) commits.push(commitFiles(repo, { 'b.md': `${i}` }));
    const files = [];
    for (const commit of commits) files.push((await fetchAt(commit)).path);
    const attempt = cache.attemptPath(endpoint, 'pack');
    const youngAttempt = cache.attemptPath(endpoint, 'pack');
    for (const file of [attempt, youngAttempt]) writeFileSync(file, 'x');
    hoursAgo(files[0]!, 50);
    hoursAgo(files[1]!, 20);
    hoursAgo(files[2]!, 10);
    hoursAgo(attempt, 2);
    const size = statSync(files[2]!).size;
    cache.collectGarbage({ maxAgeMs: 48 * 3_600_000, maxBytes: Math.ceil(size * 2.5) });
    expect([...files, attempt, youngAttempt].map((file) => existsSync(file))).toEqual([
      false,
      false,
      true,
      true,
      false,
      true,
    ]);
    expect(cache.find(endpoint, commits[2]!)).not.toBeNull();
    cache.collectGarbage({ maxAgeMs: 3_600_000, maxBytes: 0 });
    // Both were just requested, so they are about to be read.
    expect([files[2]!, files[3]!].map((file) => existsSync(file))).toEqual([true, true]);
  });
});
