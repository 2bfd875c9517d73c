import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { branchNameProblem } from '@docent/base/branch-name';
import type { Endpoint } from '@docent/git/contract';
import { RepositoryProblem, type RepositoryProblemCode } from '@docent/git/repository-problem';
import { fetchPack, serverHas } from '@docent/git/protocol/fetch-pack';
import { listBranches, listTags } from '@docent/git/protocol/list-refs';
import { pktLine, readPackets, type Packet } from '@docent/git/protocol/pkt-line';
import { receiveAdvertisement } from '@docent/git/protocol/send-pack';
import { DEFAULT_TRANSFER_LIMITS, type TransferLimits } from '@docent/git/transport/transport';
import { commitFiles, git, makeBare, makeWorkTree, noise, temporaryFolder } from '../support/git-fixture.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';

const folder = temporaryFolder();
const bare = path.join(folder.path, 'docs.git');
const local: Endpoint = { kind: 'local', path: bare };
let server: GitHttpServer;
let http: Endpoint & { kind: 'http' };
let tip: string;
let packNo = 0;

beforeAll(async () => {
  makeWorkTree(path.join(folder.path, 'work'), { 'a.md': 'a' });
  tip = commitFiles(path.join(folder.path, 'work'), { 'b.md': 'b', 'noise.bin': noise(200_000) });
  makeBare(path.join(folder.path, 'work'), bare);
  git(bare, 'branch', 'side/one', 'main~1');
  git(bare, 'tag', 'v1', 'main~1');
  server = await startGitHttpServer(folder.path);
  http = {
    kind: 'http',
    url: `${server.url}/docs.git`,
    headers: { authorization: 'Bearer sesame' },
    privateHosts: ['127.0.0.1'],
  };
});
afterEach(() => {
  server.intercept = null;
  server.requests.length = 0;
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

const exchange = (limits: Partial<TransferLimits> = {}, signal?: AbortSignal) => ({
  limits: { ...DEFAULT_TRANSFER_LIMITS, ...limits },
  signal,
});
const newPack = () => path.join(folder.path, `fetched-${(packNo += 1)}.pack`);

async function codeOf(work: Promise<unknown>): Promise<RepositoryProblemCode> {
  const problem = await work.then(
    () => null,
    (err: unknown) => err,
  );
  expect(problem).toBeInstanceOf(RepositoryProblem);
  return (problem as RepositoryProblem).code;
}

async function* chunked(bytes: Buffer, sizes: number[]): AsyncGenerator<Buffer> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
const collect = async (bytes: Buffer, sizes = [1_000]) => {
  const packets: Packet[] = [];
  for await (const packet of readPackets(chunked(bytes, sizes))) packets.push(packet);
  return packets;
};

function processesNaming(text: string): number {
  return execFileSync('ps', ['-eo', 'args']).toString().split('\n').filter((line) => line.includes(text)).length; // oxfmt-ignore
}

describe('packets', () => {
  test('come out as they went in, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 5, maxLength: 200 }), { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }),
        async (lines, sizes) => {
          fc.pre(lines.every((line) => !Buffer.from(line).toString('latin1').startsWith('ERR ')));
          const packets = await collect(
            Buffer.concat([...lines.map((line) => pktLine(line)), Buffer.from('00010000')]),
            sizes,
          );
          const data = packets.filter((packet) => packet.type === 'data').map((packet) => [...packet.data]);
          expect(data).toEqual(lines.map((line) => [...line]));
          expect(packets.slice(-2).map(({ type }) => type)).toEqual(['delimiter', 'flush']);
        },
      ),
    );
  });

  test('that are garbled, cut short or an error are thrown as problems', async () => {
    for (const text of ['zzzz', '0003', '000', '0009abc', '<html><body>hello']) {
      expect(await codeOf(collect(Buffer.from(text)))).toBe('unreachable');
    }
    expect(await codeOf(collect(pktLine('ERR upload-pack: not our ref 123')))).toBe('branch_missing');
    expect(await codeOf(collect(pktLine('ERR out of coffee')))).toBe('unreachable');
  });
});

describe('branch names', () => {
  test('are judged as git judges them, or more strictly', () => {
    const part = fc.constantFrom('a', '.', '..', '/', '@', '@{', '~', '^', ':', '?', '*', '[', '\\', ' ', '-', '.lock', '\t', 'é', 'refs/', 'HEAD', '\u007f'); // oxfmt-ignore
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const name = parts.join('');
        if (branchNameProblem(name) === null)
          execFileSync('git', ['check-ref-format', '--branch', name], { stdio: 'pipe' });
      }),
      { numRuns: 150 },
    );
  });

  test.each(['main', 'docent/abc-2', 'feature/é', 'v1.2', 'a@b'])('%s is fine', (name) => {
    expect(branchNameProblem(name)).toBeNull();
  });
});

describe.each(['local', 'http'])('over %s', (kind) => {
  const endpoint = () => (kind === 'local' ? local : http);

  test('only lists branches', async () => {
    const side = git(bare, 'rev-parse', 'side/one');
    expect(await listBranches(endpoint(), exchange())).toEqual(new Map([['main', tip], ['side/one', side]])); // oxfmt-ignore
  });

  test('lists tags, and of an annotated one no second line for its commit', async () => {
    git(bare, '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'tag', '-f', '-a', 'v2', '-m', 'Two', 'main');
    expect([...(await listTags(endpoint(), exchange())).keys()].toSorted()).toEqual(['v1', 'v2']);
  });

  test('lists none for a repository without commits', async () => {
    git('/', 'init', '-q', '--bare', path.join(folder.path, `empty-${kind}.git`));
    const empty: Endpoint = kind === 'local' ? { kind, path: path.join(folder.path, 'empty-local.git') } : { ...http, url: `${server.url}/empty-http.git` }; // oxfmt-ignore
    expect(await listBranches(empty, exchange())).toEqual(new Map());
    expect((await receiveAdvertisement(empty, exchange())).refs.size).toBe(0);
  });

  test('fetches a pack that native git accepts', async () => {
    const file = newPack();
    await fetchPack(endpoint(), { wants: [tip], depth: 1 }, file, exchange());
    expect(git(folder.path, 'index-pack', file)).toMatch(/^[0-9a-f]{40}$/);
  });

  test('knows the server’s state', async () => {
    expect(await serverHas(endpoint(), git(bare, 'rev-parse', 'main~1'), tip, exchange())).toBe(true);
    expect(await serverHas(endpoint(), 'a'.repeat(40), tip, exchange())).toBe(false);
  });

  test('reports a missing commit, a missing repository, and a too large answer', async () => {
    expect(await codeOf(fetchPack(endpoint(), { wants: ['a'.repeat(40)], depth: 1 }, newPack(), exchange()))).toBe(
      'branch_missing',
    );
    const nowhere: Endpoint =
      kind === 'local' ? { kind, path: '/nowhere' } : { ...http, url: `${server.url}/nowhere.git` };
    expect(await codeOf(listBranches(nowhere, exchange()))).toBe('repository_missing');
    expect(await codeOf(receiveAdvertisement(nowhere, exchange()))).toBe('repository_missing');
    const tight = exchange({ maxBytes: 10_000 });
    expect(await codeOf(fetchPack(endpoint(), { wants: [tip], depth: 1 }, newPack(), tight))).toBe(
      'repository_unsupported',
    );
  });

  test('stops immediately when it is aborted, with the reason', async () => {
    const abort = new AbortController();
    const work = fetchPack(endpoint(), { wants: [tip], depth: 1 }, newPack(), exchange({}, abort.signal));
    abort.abort(new Error('not wanted any more'));
    await expect(work).rejects.toThrow('not wanted any more');
    await expect(listBranches(endpoint(), exchange({}, abort.signal))).rejects.toThrow('not wanted any more');
  });
});

describe('over HTTP alone', () => {
  test('sends the headers to the repository', async () => {
    await listBranches(http, exchange());
    expect(server.requests.length).toBeGreaterThan(1);
    for (const { headers } of server.requests) expect(headers.authorization).toBe('Bearer sesame');
  });

  test.each([301, 302, 307])(
    'follows no redirect (%i) to another repository of the server, and keeps none in mind',
    async (status) => {
      server.intercept = (request, response) => {
        if (!request.url?.startsWith('/old.git')) return false;
        response.writeHead(status, { location: request.url.replace('/old.git', '/docs.git') }).end();
        return true;
      };
      const moved: Endpoint = { ...http, url: `${server.url}/old.git` };
      expect(await codeOf(listBranches(moved, exchange()))).toBe('unreachable');
      expect(await codeOf(receiveAdvertisement(moved, exchange()))).toBe('unreachable');
      expect(server.requests.map(({ path: asked }) => asked.split('/')[1])).toEqual(['old.git', 'old.git']);
    },
  );

  test('lists no branch whose name git would not make: terminals and logs are not steered by names', async () => {
    const id = 'a'.repeat(40);
    const names = [
      'refs/heads/\u001b[2Jx',
      'refs/heads/a\u0007',
      'refs/heads/ok',
      'refs/heads/ü',
      'refs/heads/a\u0085b',
    ];
    server.intercept = (request, response) => {
      const refs = names.map((name) => pktLine(`${id} ${name}\n`));
      const first = request.method === 'GET';
      response.writeHead(200, {
        'content-type': first ? 'application/x-git-upload-pack-advertisement' : 'application/x-git-upload-pack-result',
      });
      response.end(
        Buffer.concat([...(first ? [pktLine('version 2\n'), pktLine('ls-refs\n')] : refs), Buffer.from('0000')]),
      );
      return true;
    };
    expect([...(await listBranches(http, exchange())).keys()]).toEqual(['ok', 'ü']);
  });

  test('never follows to another server: it would get the headers', async () => {
    const other = await startGitHttpServer(folder.path);
    try {
      server.intercept = (request, response) => {
        response.writeHead(302, { location: `${other.url}${request.url}` }).end();
        return true;
      };
      expect(await codeOf(listBranches(http, exchange()))).toBe('repository_unreadable');
      expect(other.requests).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test.each([
    [401, 'repository_unreadable'],
    [403, 'repository_unreadable'],
    [404, 'repository_missing'],
    [429, 'unreachable'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ])('status %i is %s', async (status, code) => {
    server.intercept = (_, response) => {
      response.writeHead(status).end('sesame');
      return true;
    };
    expect(await codeOf(listBranches(http, exchange()))).toBe(code);
  });

  test('a page, a dumb server, garbage, an endless trickle and silence are not a repository', async () => {
    const answers: [
      string,
      Partial<TransferLimits>,
      (path: string) => { type: string; body: string; hang?: boolean },
    ][] = [
      ['repository_missing', {}, () => ({ type: 'text/html', body: '<html>' })],
      ['repository_missing', {}, () => ({ type: 'text/plain', body: `${tip}\trefs/heads/main\n` })],
      ['unreachable', {}, () => ({ type: 'application/x-git-upload-pack-advertisement', body: 'what is this' })],
      [
        'unreachable',
        { idleMs: 150 },
        () => ({ type: 'application/x-git-upload-pack-advertisement', body: '001', hang: true }),
      ],
    ];
    for (const [code, limits, answer] of answers) {
      server.intercept = (request, response) => {
        const { type, body, hang } = answer(request.url ?? '');
        response.writeHead(200, { 'content-type': type });
        response.write(body);
        if (!hang) response.end();
        return true;
      };
      expect(await codeOf(listBranches(http, exchange(limits))), code).toBe(code);
    }
    server.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
      const timer = setInterval(() => response.write('0'), 20);
      response.on('close', () => clearInterval(timer));
      return true;
    };
    expect(await codeOf(listBranches(http, exchange({ totalMs: 300 })))).toBe('unreachable');
  });

  test('a server that is missing, or only speaks the old protocol, is reported', async () => {
    expect(await codeOf(listBranches({ ...http, url: 'http://127.0.0.1:1/x.git' }, exchange()))).toBe('unreachable');
    server.intercept = (request) => {
      delete request.headers['git-protocol'];
      return false;
    };
    expect(await codeOf(fetchPack(http, { wants: [tip], depth: 1 }, newPack(), exchange()))).toBe(
      'repository_unsupported',
    );
    expect((await listBranches(http, exchange())).get('main')).toBe(tip);
  });

  test('no message names a token or the user info of a URL', async () => {
    server.intercept = (_, response) => {
      response.writeHead(403).end();
      return true;
    };
    const url = http.url.replace('http://', 'http://user:hunter2@');
    const problem = await listBranches({ ...http, url }, exchange()).catch((err: Error) => err);
    expect((problem as Error).message).toContain('/docs.git');
    expect(JSON.stringify([(problem as Error).message, String((problem as Error).cause)])).not.toMatch(
      /hunter2|sesame/,
    );
  });

  test('refuses SHA-256 over both', async () => {
    const sha256 = path.join(folder.path, 'sha256.git');
    git('/', 'init', '-q', '--bare', '--object-format=sha256', sha256);
    for (const endpoint of [
      { kind: 'local', path: sha256 },
      { ...http, url: `${server.url}/sha256.git` },
    ] as Endpoint[]) {
      const fetching = fetchPack(endpoint, { wants: [tip], depth: 1 }, newPack(), exchange());
      expect(await codeOf(fetching)).toBe('repository_unsupported');
      expect(await codeOf(receiveAdvertisement(endpoint, exchange()))).toBe('repository_unsupported');
    }
  });
});

describe('next door', () => {
  test('leaves no process behind when it is aborted, and hooks see nothing of our environment', async () => {
    const pushed = path.join(folder.path, 'hooked.git');
    makeBare(path.join(folder.path, 'work'), pushed);
    const seen = path.join(folder.path, 'seen.txt');
    const hook = path.join(pushed, 'hooks', 'pre-receive');
    writeFileSync(hook, `#!/bin/sh\nenv > ${seen}\nsleep 61.25\n`);
    chmodSync(hook, 0o755);
    const { sendPack } = await import('@docent/git/protocol/send-pack');
    const target: Endpoint = { kind: 'local', path: pushed };
    const { capabilities } = await receiveAdvertisement(target, exchange());
    process.env.DOCENT_TEST_SECRET = 'sesame';
    process.env.GIT_DIR = '/nowhere';
    const abort = new AbortController();
    try {
      const update = { ref: 'refs/heads/x', oldId: null, newId: tip, pack: null };
      const work = sendPack(target, update, capabilities, exchange({}, abort.signal));
      work.catch(() => {});
      await expect.poll(() => processesNaming('sleep 61.25')).toBeGreaterThan(0);
      abort.abort(new Error('enough'));
      await expect(work).rejects.toThrow('enough');
      await expect.poll(() => processesNaming(pushed)).toBe(0);
      const environment = execFileSync('cat', [seen]).toString();
      expect(environment).not.toMatch(/sesame|GIT_DIR=\/nowhere/);
      expect(environment).toContain('GIT_TERMINAL_PROMPT=0');
    } finally {
      delete process.env.DOCENT_TEST_SECRET;
      delete process.env.GIT_DIR;
    }
  });
});
