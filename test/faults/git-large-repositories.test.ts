import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgentPool, type AgentPool } from '../../src/agent/agent-pool.ts';
import type { GitStore } from '../../src/git/git-store.ts';
import type { Endpoint } from '@docent/git/contract';
import { createGitStore } from '../../src/git/git-store.ts';
import { openSnapshot } from '@docent/git/snapshot/snapshot';
import { git, gitWithInput, makeWorkTree, temporaryFolder } from '../support/git-fixture.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';

const MEGABYTE = 1_048_576;
const policy = { docsDir: '', maxFiles: 100, maxFileBytes: 1_000_000, maxTotalBytes: 10_000_000 };
const folder = temporaryFolder();
const repo = path.join(folder.path, 'docs.git');
let server: GitHttpServer;
let store: GitStore;
let agents: AgentPool;

beforeAll(async () => {
  makeWorkTree(repo, { 'index.md': '# Home\n' });
  server = await startGitHttpServer(folder.path);
  agents = createAgentPool({ cacheDir: path.join(folder.path, 'pages'), size: 1 });
});
afterAll(async () => {
  await Promise.all([agents.close(), server.close()]);
  folder.remove();
});
// A process for each test, so that the memory of one does not count for the next.
beforeEach(() => {
  store = createGitStore({ cacheDir: path.join(folder.path, 'git'), poolSize: 1 });
});
afterEach(() => store.close());

/** Commits files on their own branch, written as a stream for `git fast-import`. */
function imported(branch: string, blobs: (string | Buffer)[], paths: Iterable<[path: string, mark: number]>): string {
  const parts: (string | Buffer)[] = [];
  for (const [i, blob] of blobs.entries()) {
    parts.push(`blob\nmark :${i + 1}\ndata ${Buffer.byteLength(blob)}\n`, blob, '\n');
  }
  parts.push(`commit refs/heads/${branch}\ncommitter A Person <person@example.org> 0 +0000\ndata 1\nx\n`);
  for (const [name, mark] of paths) parts.push(`M 100644 :${mark} ${name}\n`);
  const stream = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  gitWithInput(repo, stream, 'fast-import', '--quiet');
  return git(repo, 'rev-parse', branch);
}

const http = (): Endpoint => ({
  kind: 'http',
  url: `${server.url}/docs.git`,
  headers: {},
  privateHosts: ['127.0.0.1'],
});
const local: Endpoint = { kind: 'local', path: repo };

describe('a repository', () => {
  test('with 40,000 files is read and worked on', async () => {
    const paths = Array.from({ length: 40_000 }, (_, i): [string, number] => [`d${i % 300}/s${i % 7}/p${i}.txt`, 1]);
    const commit = imported('many', ['text\n', '# Home\n'], [...paths, ['index.md', 2]]);
    const snapshotPath = await store.ensureSnapshot(http(), { branch: 'many', commit });
    expect(openSnapshot(snapshotPath).files()).toHaveLength(40_001);
    const calls = [
      { id: '1', name: 'write', input: { path: 'index.md', content: '# New\n', mode: 'replace' } },
      { id: '2', name: 'list', input: { path: 'd1' } },
    ];
    const step = await agents.runStep(
      { snapshotPath, overlay: [], policy, calls },
      { signal: AbortSignal.timeout(60_000) },
    );
    expect(step.results.map(({ ok }) => ok)).toEqual([true, true]);
  });

  test.each(['http', 'local'] as const)(
    'with a file larger than the memory is read without it, over %s',
    async (kind) => {
      // Less than a process and the file would take together.
      const memory = { recycleAbove: 150 * MEGABYTE, killAbove: 200 * MEGABYTE };
      await store.close();
      store = createGitStore({ cacheDir: path.join(folder.path, 'git'), poolSize: 1, memory });
      const huge = Buffer.alloc(120 * MEGABYTE, kind);
      const commit = imported(
        `huge-${kind}`,
        ['# Home\n', huge],
        [
          ['index.md', 1],
          ['video.bin', 2],
        ],
      );
      const snapshotPath = await store.ensureSnapshot(kind === 'http' ? http() : local, {
        branch: `huge-${kind}`,
        commit,
      });
      const snapshot = openSnapshot(snapshotPath);
      expect(snapshot.readText('index.md')).toBe('# Home\n');
      expect(snapshot.readText('video.bin')).toBeNull();
      expect(snapshot.file('video.bin')!.size).toBeGreaterThan(1_000_000);
      const calls = [
        { id: '1', name: 'read', input: { path: 'video.bin' } },
        { id: '2', name: 'move', input: { from: 'video.bin', to: 'media/video.bin' } },
      ];
      const step = await agents.runStep(
        { snapshotPath, overlay: [], policy, calls },
        { signal: AbortSignal.timeout(60_000) },
      );
      expect(step.results.map(({ ok }) => ok)).toEqual([false, true]);
    },
    120_000,
  );

  test('with 3,000 folders in each other is refused with a sentence', async () => {
    const commit = imported('deep', ['x\n'], [[`${'d/'.repeat(3_000)}x.md`, 1]]);
    await expect(store.ensureSnapshot(http(), { branch: 'deep', commit })).rejects.toMatchObject({
      code: 'repository_unsupported',
      message: expect.stringContaining('paths longer than 4096 bytes'),
    });
  });

  test('with more files than Docent reads is refused with a sentence', async () => {
    // Few trees that hold each other: a million files in a few kilobytes.
    const level = (inner: string, names: number) =>
      gitWithInput(repo, Array.from({ length: names }, (_, i) => `040000 tree ${inner}\td${i}`).join('\n'), 'mktree');
    const blob = gitWithInput(repo, 'x', 'hash-object', '-w', '--stdin');
    let tree = gitWithInput(
      repo,
      Array.from({ length: 100 }, (_, i) => `100644 blob ${blob}\tf${i}`).join('\n'),
      'mktree',
    );
    for (let i = 0; i < 2; i++) tree = level(tree, 100);
    const commit = git(repo, 'commit-tree', tree, '-m', 'x');
    git(repo, 'branch', 'bomb', commit);
    await expect(store.ensureSnapshot(http(), { branch: 'bomb', commit })).rejects.toMatchObject({
      code: 'repository_unsupported',
      message: expect.stringContaining('more than 300000 files and folders'),
    });
  });
});
