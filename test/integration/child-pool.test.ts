import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { ChildPool } from '../../src/platform/children/child-pool.ts';

const IDLE_MS = 1_000;
let pool: ChildPool | undefined;

afterEach(() => pool?.close());

test.runIf(existsSync('/proc/self'))(
  'a child that no one wants is ended, gives its memory back, and is there again for the next call',
  async () => {
    pool = new ChildPool({
      entry: new URL('../support/pid-child-process.ts', import.meta.url),
      size: 1,
      environment: {},
      recycleAbove: 1e12,
      killAbove: 1e12,
      timeLimitMs: 60_000,
      idleMs: IDLE_MS,
      reviveError: (error) => new Error(error.message),
    });
    const first = await pool.run('pid', {});
    expect(await pool.run('pid', {})).toBe(first);
    await expect.poll(() => existsSync(`/proc/${first as number}`)).toBe(false);
    expect(await pool.run('pid', {})).not.toBe(first);
  },
  60_000,
);

const smallPool = (memoryMs: number) =>
  new ChildPool({
    entry: new URL('../support/pid-child-process.ts', import.meta.url),
    size: 1,
    environment: {},
    recycleAbove: 150 * 1_048_576,
    killAbove: 200 * 1_048_576,
    memoryMs,
    timeLimitMs: 60_000,
    reviveError: (error) => new Error(error.message),
  });

test('a call that ended above the memory limit is answered, by a child that is replaced then', async () => {
  pool = smallPool(3_600_000);
  const first = await pool.run('pid', {});
  expect(await pool.run('grow', 300)).toBe(300);
  expect(await pool.run('pid', {})).not.toBe(first);
});

test.runIf(existsSync('/proc/self/status'))('a call that never gives way is ended above the memory limit', async () => {
  pool = smallPool(200);
  await expect(pool.run('seize', { megabytes: 300, ms: 30_000 })).rejects.toThrow('more than 200 MB');
  expect(await pool.run('pid', {})).toEqual(expect.any(Number));
});

test('a child trusts the certificate authority that the operator set for Node', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-ca-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync('openssl', [...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
    response.end(),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  const statusBy = async () => {
    const children = new ChildPool({
      entry: new URL('../support/pid-child-process.ts', import.meta.url),
      size: 1,
      environment: {},
      recycleAbove: 1e12,
      killAbove: 1e12,
      timeLimitMs: 60_000,
      reviveError: (error) => new Error(error.message),
    });
    try {
      return await children.run('status', url);
    } finally {
      await children.close();
    }
  };
  await expect(statusBy()).rejects.toThrow(/fetch failed/);
  vi.stubEnv('NODE_EXTRA_CA_CERTS', cert);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await statusBy()).toBe(200);
});
