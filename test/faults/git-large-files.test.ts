import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Endpoint } from '@docent/git/contract';
import { fetchSnapshot } from '@docent/git/snapshot/fetch-snapshot';
import { LARGE_FILES } from '@docent/base/files/large-files';
import { SnapshotCache } from '@docent/git/snapshot/snapshot-cache';
import type { Snapshot } from '@docent/git/snapshot/snapshot';
import { DEFAULT_TRANSFER_LIMITS } from '@docent/git/transport/transport';
import { commitFiles, git, makeWorkTree, temporaryFolder, type WorkFile } from '../support/git-fixture.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';

const MEGABYTE = 1_048_576;
const navigation = JSON.stringify({ navigation: { pages: ['index'] }, filling: 'x'.repeat(2.4 * MEGABYTE) });
const changelog = `# Changes\n\n${'words '.repeat(250_000)}`;
const FILTERS = { 'uploadpack.allowFilter': 'true' };
const FILES = {
  'docs.json': navigation,
  'index.mdx': '# Home\n',
  'changelog.md': changelog,
  'exact.md': 'x'.repeat(16 * MEGABYTE),
  'endless.md': 'y'.repeat(17 * MEGABYTE),
  'bytes.md': Buffer.alloc(2 * MEGABYTE),
  'package-lock.json': 'z'.repeat(2 * MEGABYTE),
};

let folder: ReturnType<typeof temporaryFolder>;
let server: GitHttpServer;
let repo: string;
let cache: SnapshotCache;
let endpoint: Endpoint;

beforeEach(async () => {
  folder = temporaryFolder();
  repo = path.join(folder.path, 'docs');
  cache = new SnapshotCache(path.join(folder.path, 'cache'));
  server = await startGitHttpServer(folder.path);
  endpoint = { kind: 'http', url: `${server.url}/docs/.git`, headers: {}, privateHosts: ['127.0.0.1'] };
});
afterEach(async () => {
  await server.close();
  folder.remove();
});

const fetchAt = (commit: string): Promise<Snapshot> =>
  fetchSnapshot(cache, endpoint, commit, { limits: DEFAULT_TRANSFER_LIMITS });

function madeRepository(settings: Record<string, string>, files: Record<string, WorkFile> = FILES): string {
  makeWorkTree(repo, {});
  // Uncompressed during transfer.
  git(repo, 'config', 'core.compression', '0');
  for (const [name, value] of Object.entries(settings)) git(repo, 'config', name, value);
  return commitFiles(repo, files);
}

describe('large pages and configurations', () => {
  test.each([
    ['gives parts of a commit', FILTERS],
    ['gives commits whole', { 'uploadpack.allowFilter': 'false', 'uploadpack.allowAnySHA1InWant': 'false' }],
  ])('are what checks read, and tools do not, where the server %s', async (_, settings) => {
    const snapshot = await fetchAt(madeRepository(settings));
    expect(snapshot.readLarge('docs.json')).toBe(navigation);
    expect(snapshot.readLarge('changelog.md')).toBe(changelog);
    expect(snapshot.readLarge('exact.md')).toHaveLength(16 * MEGABYTE);
    for (const name of ['endless.md', 'bytes.md', 'package-lock.json'])
      expect(snapshot.readLarge(name), name).toBeNull();
    for (const name of Object.keys(FILES)) {
      expect(snapshot.readText(name), name).toBe(name === 'index.mdx' ? '# Home\n' : null);
    }
    expect(snapshot.file('docs.json')).toMatchObject({ kind: 'text', size: navigation.length });
    expect(snapshot.file('endless.md')!.size).toBeGreaterThan(16 * MEGABYTE);
  });

  test('are reused from an earlier commit if unchanged; too large ones are requested once', async () => {
    await fetchAt(madeRepository(FILTERS));
    const next = commitFiles(repo, { 'index.mdx': '# New\n' });
    const asked = server.requests.length;
    const snapshot = await fetchAt(next);
    expect(server.requests.slice(asked).filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(snapshot.readLarge('docs.json')).toBe(navigation);
    expect(snapshot.readLarge('index.mdx')).toBe('# New\n');
  });

  test('are left out if the server does not serve single files: all others are there', async () => {
    const commit = madeRepository(FILTERS);
    let calls = 0;
    server.intercept = (request, response) => {
      if (request.method !== 'POST' || ++calls === 1) return false;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      response.end('0033ERR upload-pack: not our ref 0123456789abcdef\n');
      return true;
    };
    const snapshot = await fetchAt(commit);
    expect(calls).toBe(2);
    expect(snapshot.readText('index.mdx')).toBe('# Home\n');
    expect(snapshot.readLarge('docs.json')).toBeNull();
    expect(snapshot.file('docs.json')!.size).toBe(MEGABYTE + 1);
  });

  test('are fetched up to a number, site configurations first', async () => {
    const pages = Array.from({ length: LARGE_FILES.files }, (_, i) => [`a/p${i}.md`, `${i}${'x'.repeat(MEGABYTE)}`]);
    const files = { ...Object.fromEntries(pages), 'docs.json': navigation };
    const snapshot = await fetchAt(madeRepository(FILTERS, files));
    expect(snapshot.readLarge('docs.json')).toBe(navigation);
    const read = pages.filter(([name]) => snapshot.readLarge(name!) !== null);
    expect(read).toHaveLength(LARGE_FILES.files - 1);
  });
});
