import * as fs from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import * as isomorphicGit from 'isomorphic-git';
import http from 'isomorphic-git/http/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Endpoint } from '@docent/git/contract';
import { objectId } from '@docent/base/files/object-id';
import { parseCommit } from '@docent/git/objects/commit';
import { parseTree, serializeTree } from '@docent/git/objects/tree';
import { fetchPack } from '@docent/git/protocol/fetch-pack';
import { listBranches } from '@docent/git/protocol/list-refs';
import { pktLine } from '@docent/git/protocol/pkt-line';
import { receiveAdvertisement, sendPack } from '@docent/git/protocol/send-pack';
import { DEFAULT_TRANSFER_LIMITS } from '@docent/git/transport/transport';
import {
  commitFiles,
  git,
  gitBytes,
  gitWithInput,
  makeBare,
  makeWorkTree,
  temporaryFolder,
} from '../support/git-fixture.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';

/*
 * Why Docent does not use isomorphic-git here: each test gives one input to both. If a later isomorphic-git
 * fails its half of a test, the reason is gone, and our file can go, unless it exists for its speed, too (see
 * docs-internal/architecture.md).
 */

const options = { limits: DEFAULT_TRANSFER_LIMITS };
const folder = temporaryFolder();
const bare = path.join(folder.path, 'docs.git');
let server: GitHttpServer;
let endpoint: Endpoint & { kind: 'http' };
let first: string;
let tip: string;
let clone: { fs: typeof fs; dir: string; gitdir: string };
let clones = 0;

beforeAll(async () => {
  first = makeWorkTree(path.join(folder.path, 'work'), { 'a.md': 'a' });
  tip = commitFiles(path.join(folder.path, 'work'), { 'b.md': 'b' });
  makeBare(path.join(folder.path, 'work'), bare);
  server = await startGitHttpServer(folder.path);
  endpoint = { kind: 'http', url: `${server.url}/docs.git`, headers: {}, privateHosts: ['127.0.0.1'] };
});
beforeEach(() => {
  const dir = path.join(folder.path, `clone-${(clones += 1)}`);
  clone = { fs, dir, gitdir: path.join(dir, '.git') };
});
afterEach(() => {
  server.intercept = null;
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

const shallowClone = () =>
  isomorphicGit.clone({
    ...clone,
    http,
    url: endpoint.url,
    ref: 'main',
    singleBranch: true,
    depth: 1,
    noCheckout: true,
  });

/** Answers a request as the repository would, with changes. */
function changed(change: (answer: Buffer) => Buffer): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    if (request.method !== 'POST' || request.headers['x-as-it-is']) return false;
    void (async () => {
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
      const headers = { 'x-as-it-is': '1', 'content-type': String(request.headers['content-type']), 'git-protocol': String(request.headers['git-protocol'] ?? '') }; // oxfmt-ignore
      const answer = await fetch(`${server.url}${request.url}`, { method: 'POST', body, headers });
      response.writeHead(200, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(change(Buffer.from(await answer.arrayBuffer())));
    })();
    return true;
  };
}

describe('a list of branches', () => {
  const line = pktLine(`${'a'.repeat(40)} refs/heads/main\n`);
  test.each([
    ['is cut short', line.subarray(0, -5)],
    ['ends in an error', pktLine('ERR repository is being moved\n')],
    ['is garbled', Buffer.from('<html>')],
  ])('that %s is a whole one to isomorphic-git: the other branches would seem gone', async (_, end) => {
    server.intercept = changed(() => Buffer.concat([line, end]));
    const listed = await isomorphicGit.listServerRefs({ http, url: endpoint.url, prefix: 'refs/heads/' });
    expect(listed[0]?.ref).toEqual('refs/heads/main');
    await expect(listBranches(endpoint, options)).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('of a repository on this machine is unsupported by isomorphic-git, which only speaks HTTP', async () => {
    await expect(isomorphicGit.listServerRefs({ http, url: bare })).rejects.toThrow();
    expect((await listBranches({ kind: 'local', path: bare }, options)).get('main')).toBe(tip);
  });

  test('is asked by isomorphic-git of whatever server it is sent on to, with our headers', async () => {
    const other = await startGitHttpServer(folder.path);
    try {
      server.intercept = (request, response) => {
        if (request.method !== 'GET') return false;
        response.writeHead(307, { location: `${other.url}${request.url}` }).end();
        return true;
      };
      const headers = { authorization: 'Bearer sesame' };
      await isomorphicGit.listServerRefs({ http, url: endpoint.url, headers });
      expect(other.requests.map((request) => request.headers.authorization)).toEqual(['Bearer sesame']);
      other.requests.length = 0;
      await expect(listBranches({ ...endpoint, headers }, options)).rejects.toThrow(/another server/);
      expect(other.requests).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

describe('a pack', () => {
  test('damaged on its way is kept by isomorphic-git: its clone is there, and cannot be read', async () => {
    // Without the first two bytes, which say how well it was compressed.
    const file = deflateSync('a').subarray(2);
    server.intercept = changed((answer) => {
      // The byte before them says that the object is a blob. Now it says that it is a tree.
      answer[answer.indexOf(file) - 3]! ^= 0x10;
      return answer;
    });
    const main = { ...clone, http, remote: 'origin', ref: 'main', remoteRef: 'main', singleBranch: true, depth: 1 };
    await isomorphicGit.init(clone);
    await isomorphicGit.addRemote({ ...clone, remote: 'origin', url: endpoint.url });
    await isomorphicGit.fetch(main);
    await expect(isomorphicGit.readCommit({ ...clone, oid: tip })).rejects.toThrow();
    const fetching = fetchPack(endpoint, { wants: [tip], depth: 1 }, path.join(folder.path, 'damaged.pack'), options);
    await expect(fetching).rejects.toMatchObject({ code: 'unreachable', message: expect.stringContaining('damaged') });
  });
});

describe('a server', () => {
  test('that falls silent is waited for by isomorphic-git without end, and cannot be left', async () => {
    server.intercept = (request, response) => {
      if (request.method !== 'POST') return false;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      response.write('00');
      return true;
    };
    const cloning = shallowClone().then(
      () => 'cloned',
      () => 'failed',
    );
    const limits = { ...DEFAULT_TRANSFER_LIMITS, idleMs: 200 };
    const pack = path.join(folder.path, 'silent.pack');
    const fetching = fetchPack(endpoint, { wants: [tip], depth: 1 }, pack, { limits });
    await expect(fetching).rejects.toMatchObject({ message: expect.stringContaining('said nothing for') });
    const abort = new AbortController();
    const leaving = fetchPack(endpoint, { wants: [tip], depth: 1 }, `${pack}-2`, { ...options, signal: abort.signal });
    abort.abort(new Error('not wanted any more'));
    await expect(leaving).rejects.toThrow('not wanted any more');
    const waited = new Promise((resolve) => setTimeout(resolve, 1_000, 'still waiting'));
    expect(await Promise.race([cloning, waited])).toBe('still waiting');
  });
});

describe('a push', () => {
  test('by isomorphic-git says what to replace only after it has looked: it moves a branch that was to be new', async () => {
    await shallowClone();
    const commit = { author: { name: 'A', email: 'a@b', timestamp: 1, timezoneOffset: 0 }, message: 'x' };
    const tree = git(bare, 'rev-parse', 'main^{tree}');
    const next = await isomorphicGit.commit({ ...clone, ...commit, parent: [tip], tree, ref: 'refs/heads/mine' });
    git(bare, 'branch', 'taken', tip);
    await isomorphicGit.push({ ...clone, http, url: endpoint.url, ref: 'mine', remoteRef: 'taken' });
    expect(git(bare, 'rev-parse', 'taken')).toBe(next);

    git(bare, 'branch', '-f', 'taken', first);
    const { capabilities } = await receiveAdvertisement(endpoint, options);
    const update = { ref: 'refs/heads/taken', oldId: null, newId: tip, pack: null };
    expect((await sendPack(endpoint, update, capabilities, options)).ok).toBe(false);
    expect(git(bare, 'rev-parse', 'taken')).toBe(first);
  });
});

describe('an object', () => {
  test('isomorphic-git cannot read a folder with an odd mode, and changes an odd name when it writes it', async () => {
    const blob = Buffer.from(gitWithInput(bare, 'x', 'hash-object', '-w', '--stdin'), 'hex');
    const at = { fs, gitdir: bare };
    const folderWith = (mode: string, name: string) => {
      const raw = Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), blob]);
      const oid = gitWithInput(bare, raw, 'hash-object', '-w', '--literally', '-t', 'tree', '--stdin');
      expect(objectId('tree', serializeTree(parseTree(raw)))).toBe(oid);
      return oid;
    };
    // Early versions of git wrote it.
    await expect(isomorphicGit.readTree({ ...at, oid: folderWith('100664', 'a.md') })).rejects.toThrow();
    const oid = folderWith('100644', 'caf\xe9.md');
    const { tree } = await isomorphicGit.readTree({ ...at, oid });
    expect(await isomorphicGit.writeTree({ ...at, tree })).not.toBe(oid);
  });

  test('of a commit with an odd author cannot be read by isomorphic-git: its branch could not be described', async () => {
    const tree = git(bare, 'rev-parse', 'main^{tree}');
    const raw = `tree ${tree}\nparent ${tip}\nauthor Old Import<old@example.org> 1 +0000\ncommitter Old Import<old@example.org> 1 +0000\n\nx\n`;
    const oid = gitWithInput(bare, raw, 'hash-object', '-w', '--literally', '-t', 'commit', '--stdin');
    await expect(isomorphicGit.readCommit({ fs, gitdir: bare, oid })).rejects.toThrow();
    const commit = parseCommit(gitBytes(bare, '', 'cat-file', 'commit', oid));
    expect(commit).toMatchObject({ tree, parents: [tip], authorName: 'Old Import', time: 1 });
  });
});
