import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Endpoint } from '@docent/git/contract';
import { fetchHistory, mergeBase } from '@docent/git/history';
import { pktLine } from '@docent/git/protocol/pkt-line';
import { SnapshotCache } from '@docent/git/snapshot/snapshot-cache';
import { DEFAULT_TRANSFER_LIMITS } from '@docent/git/transport/transport';
import { commitFiles, git, makeBare, makeWorkTree, temporaryFolder } from '../support/git-fixture.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';

const folder = temporaryFolder();
const cacheDir = path.join(folder.path, 'cache');
const cache = new SnapshotCache(cacheDir);
const bare = path.join(folder.path, 'docs.git');
let server: GitHttpServer;
let endpoint: Endpoint;
let first: string;
let tip: string;

beforeAll(async () => {
  first = makeWorkTree(path.join(folder.path, 'work'), { 'a.md': 'a' });
  tip = commitFiles(path.join(folder.path, 'work'), { 'b.md': 'b' });
  makeBare(path.join(folder.path, 'work'), bare);
  server = await startGitHttpServer(folder.path);
  endpoint = { kind: 'http', url: `${server.url}/docs.git`, headers: {}, privateHosts: ['127.0.0.1'] };
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

const historyOf = (commit: string) => fetchHistory(cache, endpoint, commit, null, { limits: DEFAULT_TRANSFER_LIMITS });

/** A pack of one object, with the checksum that it should have. */
function packOf(type: number, content: string): Buffer {
  const head = Buffer.from([0x50, 0x41, 0x43, 0x4b, 0, 0, 0, 2, 0, 0, 0, 1, (type << 4) | content.length]);
  const body = Buffer.concat([head, deflateSync(content)]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

describe('a history', () => {
  test('has the commits and their parents, with or without a server that leaves files out', async () => {
    for (const allowed of ['false', 'true']) {
      git(bare, 'config', 'uploadpack.allowFilter', allowed);
      const history = await historyOf(tip);
      expect([...history].map(([id, commit]) => [id, commit.parents])).toEqual([
        [tip, [first]],
        [first, []],
      ]);
    }
  });

  test.each([
    ['with an object of an unknown kind', packOf(5, 'x')],
    ['with a commit that is none', packOf(1, 'x')],
  ])('from a pack %s is a problem of the repository, which no retry mends', async (_, pack) => {
    server.intercept = (request, response) => {
      if (request.method !== 'POST') return false;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      response.end(Buffer.concat([pktLine('packfile\n'), pktLine(Buffer.concat([Buffer.from([1]), pack])), Buffer.from('0000')])); // oxfmt-ignore
      return true;
    };
    await expect(historyOf(tip)).rejects.toMatchObject({
      name: 'RepositoryProblem',
      code: 'repository_unsupported',
    });
    expect(readdirSync(cacheDir, { recursive: true }).filter((name) => String(name).includes('attempt-'))).toEqual([]);
  });
});

describe('the merge base of two branches', () => {
  const work = path.join(folder.path, 'work');
  const found = (branch: string) => {
    git(work, 'push', '-q', '-f', bare, 'main', branch);
    const at = { tip: git(work, 'rev-parse', branch), baseTip: git(work, 'rev-parse', 'main') };
    return mergeBase(cache, endpoint, at, { limits: DEFAULT_TRANSFER_LIMITS });
  };
  const commitOn = (branch: string, name: string) => {
    git(work, 'checkout', '-q', branch);
    return commitFiles(work, { [name]: name });
  };
  beforeEach(() => {
    server.intercept = null;
    git(work, 'checkout', '-q', '-B', 'topic', 'main');
  });

  test('is where it left the other one', async () => {
    const start = git(work, 'rev-parse', 'main');
    commitOn('topic', 'topic-1.md');
    commitOn('main', 'main-1.md');
    expect(await found('topic')).toBe(start);
  });

  test('is the merged commit, even if the other one moved on', async () => {
    commitOn('topic', 'topic-2.md');
    const merged = commitOn('main', 'main-2.md');
    git(work, 'checkout', '-q', 'topic');
    git(work, 'merge', '-q', '--no-edit', 'main');
    commitOn('topic', 'topic-3.md');
    commitOn('main', 'main-3.md');
    expect(await found('topic')).toBe(merged);
  });

  test('is the new base after a rebase', async () => {
    commitOn('topic', 'topic-4.md');
    const onto = commitOn('main', 'main-4.md');
    git(work, 'checkout', '-q', 'topic');
    git(work, 'rebase', '-q', 'main');
    expect(await found('topic')).toBe(onto);
  });

  test('is the branch itself if the other one contains it, and null if they have nothing in common', async () => {
    const topic = git(work, 'rev-parse', 'topic');
    commitOn('main', 'main-5.md');
    expect(await found('topic')).toBe(topic);
    git(work, 'checkout', '-q', '--orphan', 'other');
    commitFiles(work, { 'other.md': 'other' });
    expect(await found('other')).toBeNull();
  });
});
