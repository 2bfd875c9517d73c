import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { closedAncestor } from '@docent/servers/postgres/account';
import { startPostgres, type RunningPostgres } from '@docent/servers/postgres/cluster';
import { Reaper } from '@docent/servers/processes/reaper';

const log = createLogger({ level: 'silent', name: 'postgres' });
let folder: string;
let reaper: Reaper;
const started: RunningPostgres[] = [];

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-pg-'));
  chmodSync(folder, 0o711);
  reaper = new Reaper();
  reaper.deleteAfterDeath(folder);
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});
afterAll(async () => {
  await reaper.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(dir = path.join(folder, 'cluster')): Promise<RunningPostgres> {
  const server = await startPostgres({ dir, log, reaper });
  started.push(server);
  return server;
}

async function query(server: RunningPostgres, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('committed data survives kill -9 of the server, which then starts on the same address', async () => {
  const server = await start();
  await query(server, `CREATE TABLE kept AS SELECT 'still here' AS word`);
  process.kill(server.pid, 'SIGKILL');
  await server.exited;
  const again = await start();
  expect(again.url).toBe(server.url);
  expect(await query(again, 'SELECT word FROM kept')).toEqual([{ word: 'still here' }]);
});

test('a lock file with the number of some other program does not stop the server, as after a restart of a container', async () => {
  const server = await start();
  const lockFile = path.join(folder, 'cluster', 'data', 'postmaster.pid');
  const lock = readFileSync(lockFile, 'utf8');
  await server.stop();
  writeFileSync(lockFile, lock.replace(/^\d+/, String(process.pid)));
  if (process.getuid?.() === 0) execFileSync('chown', ['65534:65534', lockFile]);
  expect(await query(await start(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

const canSwitchUser = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;

test.runIf(canSwitchUser)('as root, other processes of the user that the server runs as are refused', async () => {
  const server = await start();
  const connect = `
    import pg from 'pg';
    const client = new pg.Client({ connectionString: process.argv[1] });
    await client.connect().then(() => console.log('connected'), (err) => console.log(err.message));
    process.exit();`;
  const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups', '--inh-caps', '+dac_override'];
  const keeps = ['--ambient-caps', '+dac_override', '--', process.execPath, '--input-type=module', '-e', connect];
  const { stdout, stderr } = spawnSync('setpriv', [...nobody, ...keeps, server.url], { encoding: 'utf8' });
  expect(stdout, stderr).toMatch(/^Peer authentication failed/i);
  expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a server that was left running is stopped first', async () => {
  const orphan = await start();
  const server = await start();
  expect(await orphan.exited).toMatchObject({ code: 0 });
  expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('it only listens on a Unix socket in a closed folder, sorts alike everywhere, and syncs commits', async () => {
  const server = await start();
  expect(server.url).toMatch(/\?host=/);
  const [settings] = await query(
    server,
    `SELECT current_setting('listen_addresses') AS addresses, current_setting('fsync') AS fsync,
            datlocprovider AS provider, datlocale AS locale, pg_encoding_to_char(encoding) AS encoding
     FROM pg_database WHERE datname = current_database()`,
  );
  expect(settings).toEqual({ addresses: '', fsync: 'on', provider: 'b', locale: 'C.UTF-8', encoding: 'UTF8' });
});

test('a folder whose path is too long for a socket works too', async () => {
  const deep = path.join(folder, ...Array.from({ length: 8 }, () => 'a-rather-long-name'));
  const server = await start(deep);
  expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  rmSync(new URL(server.url).searchParams.get('host') ?? '', { recursive: true, force: true });
});

test('data of another major version is refused with a sentence, and left alone', async () => {
  const server = await start();
  await server.stop();
  const file = path.join(folder, 'cluster', 'data', 'PG_VERSION');
  const version = readFileSync(file, 'utf8');
  writeFileSync(file, '14\n');
  await expect(start()).rejects.toThrow(
    /was written by PostgreSQL 14, but this Docent includes PostgreSQL \d+\. Upgrade it/,
  );
  writeFileSync(file, version);
  await start();
});

test('a closed folder on the way is found', () => {
  const closed = mkdtempSync(path.join(folder, 'closed-'));
  expect(closedAncestor(path.join(closed, '.'))).toBe(closed);
});
