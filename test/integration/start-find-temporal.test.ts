import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tryLock } from '@docent/base/file-lock';
import { cacheFolder, findTemporal } from '@docent/servers/temporal/find';

const GOOD = 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)';

let folder: string;
let env: NodeJS.ProcessEnv;
let server: Server;
let archive: Buffer | null;
let requests: string[];
let base: string;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-find-'));
  mkdirSync(path.join(folder, 'bin'));
  env = { PATH: path.join(folder, 'bin'), HOME: folder, XDG_CACHE_HOME: path.join(folder, 'cache') };
  archive = null;
  requests = [];
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (archive) response.writeHead(200, { 'content-length': archive.length }).end(archive);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function program(name: string, script: string, where = path.join(folder, 'bin')): string {
  const file = path.join(where, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** A `go` that builds what answers `version`. */
const fakeGo = (version: string) =>
  program(
    'go',
    `echo "$@" >> "${folder}/go-calls"
     echo 'go: downloading go.temporal.io/server v1.29.1' >&2
     echo 'google.golang.org/grpc' >&2
     printf '#!/bin/sh\\necho "${version}"\\n' > "$GOBIN/temporal"
     /bin/chmod 755 "$GOBIN/temporal"`,
  );

const find = (onProgress?: (text: string) => void) => findTemporal({ env, downloadBases: [base], onProgress });

test('a Temporal CLI on the PATH is used without any download', async () => {
  const binary = program('temporal', `echo '${GOOD}'`);
  expect(await find()).toEqual({ binary, server: '1.29.1', source: 'path' });
  expect(requests).toEqual([]);
});

test('an old CLI on the PATH is ignored in favor of our own', async () => {
  program('temporal', `echo 'temporal version 1.0.0 (Server 1.24.2, UI 2.0.0)'`);
  fakeGo(GOOD);
  expect(await find()).toMatchObject({ source: 'build', binary: path.join(cacheFolder(env), 'temporal') });
});

test('the official archive is downloaded once, checked, and kept for the next time', async () => {
  const content = path.join(folder, 'content');
  mkdirSync(content);
  program('temporal', `echo '${GOOD}'`, content);
  const file = path.join(folder, 'archive.tar.gz');
  execFileSync('tar', ['-czf', file, '-C', content, 'temporal']);
  archive = readFileSync(file);
  const progress: string[] = [];
  expect(await find((text) => progress.push(text))).toMatchObject({ source: 'download', server: '1.29.1' });
  expect(requests[0]).toMatch(/^\/cli\/archive\/v1\.5\.1\?platform=(linux|darwin)&arch=(amd64|arm64)$/);
  expect(progress.at(0)).toContain('downloading the Temporal server from 127.0.0.1');
  expect(await find()).toMatchObject({ source: 'cache' });
  expect(requests).toHaveLength(1);
  expect(readdirSync(cacheFolder(env)).toSorted()).toEqual(['lock', 'temporal']);
});

test('a download that is not an archive is not installed', async () => {
  archive = Buffer.from('<html>Sign in to the hotel network</html>');
  fakeGo(GOOD);
  expect(await find()).toMatchObject({ source: 'build' });
});

test('without a download, Go builds it, with progress', async () => {
  fakeGo(GOOD);
  const progress: string[] = [];
  expect(await find((text) => progress.push(text))).toMatchObject({ source: 'build' });
  expect(progress.join('\n')).toMatch(/building the Temporal server with Go.*1 modules fetched, 1 packages compiled/);
  expect(readFileSync(path.join(folder, 'go-calls'), 'utf8')).toContain(
    'github.com/temporalio/cli/cmd/temporal@v1.5.1',
  );
  expect(await find()).toMatchObject({ source: 'cache' });
});

test('parallel callers share one build', async () => {
  fakeGo(GOOD);
  const found = await Promise.all([find(), find(), find()]);
  expect(found.map(({ source }) => source).toSorted()).toEqual(['build', 'cache', 'cache']);
  expect(readFileSync(path.join(folder, 'go-calls'), 'utf8').trim().split('\n')).toHaveLength(1);
});

test('a build that does not run is not installed, and leftovers of a killed one are deleted', async () => {
  fakeGo('something else');
  mkdirSync(path.join(cacheFolder(env), 'build-killed'), { recursive: true });
  await expect(find()).rejects.toThrow('the build with Go failed');
  expect(readdirSync(cacheFolder(env))).toEqual(['lock']);
});

test('when nothing works, one error names every way and why it failed', async () => {
  const err = await find().catch((thrown: unknown) => thrown as Error);
  expect(err).toBeInstanceOf(Error);
  for (const part of [
    'TEMPORAL_ADDRESS',
    'on the PATH',
    'temporal.download',
    'Install Go',
    'it returned 404',
    '`go` is not on',
  ])
    expect((err as Error).message).toContain(part);
});

test('a machine without network moves on within 10 seconds', async () => {
  fakeGo(GOOD);
  // Accepts connections and never answers, as a firewall that drops packets looks from here.
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const began = performance.now();
  await findTemporal({ env, downloadBases: [address, address] });
  expect(performance.now() - began).toBeLessThan(10_000);
  silent.closeAllConnections();
  silent.close();
});

test('a lock is one process’s own until it is released', () => {
  const file = path.join(folder, 'lock');
  const lock = tryLock(file);
  expect(tryLock(file)).toBeNull();
  lock?.release();
  const again = tryLock(file);
  expect(again).not.toBeNull();
  again?.release();
  expect(existsSync(file)).toBe(true);
});
