import { execFile } from 'node:child_process';
import { chmod, chown, glob, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { Reaper } from '@docent/servers/processes/reaper';
import { freePort } from '../free-port.ts';
import { Kept } from './kept.ts';

const run = promisify(execFile);
const USER = 'docent';
/** PostgreSQL refuses to run as root: then `nobody` runs it. */
const ids = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };

export interface SystemPostgres {
  /** Connection string of the database `postgres`, by TCP on loopback. */
  url: string;
  port: number;
  user: string;
  version: string;
  kept: Kept;
}

/**
 * Starts the PostgreSQL of the system's packages, the newest one, on loopback with data of its own in
 * `folder`. Whenever it dies it is started again.
 * @param more settings, such as `max_wal_size=256MB`
 * @throws when none is installed
 */
export async function startSystemPostgres(
  folder: string,
  reaper: Reaper,
  more: readonly string[] = [],
): Promise<SystemPostgres> {
  const found = (await Array.fromAsync(glob('/usr/lib/postgresql/*/bin'))).toSorted(byNumber);
  const programs = found.at(-1);
  if (programs === undefined)
    throw new Error('There is no PostgreSQL in /usr/lib/postgresql. Install it: apt-get install postgresql');
  const data = path.join(folder, 'postgres');
  await chmod(folder, 0o711);
  await mkdir(data, { mode: 0o700 });
  if (ids.uid !== undefined) await chown(data, ids.uid, ids.gid);
  await run(path.join(programs, 'initdb'), ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8'], {
    ...ids,
    env,
    cwd: '/',
  });
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${data}`,
    'max_connections=400',
    ...more,
  ];
  const kept = new Kept({
    name: 'postgres',
    command: path.join(programs, 'postgres'),
    args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    env,
    ...ids,
    cwd: '/',
    stopSignal: 'SIGINT',
    stopGraceMs: 10_000,
    reaper,
  });
  await kept.start();
  const url = `postgresql://${USER}@127.0.0.1:${port}/postgres`;
  return { url, port, user: USER, kept, version: await answering(url) };
}

const byNumber = (left: string, right: string) => left.localeCompare(right, 'en', { numeric: true });

/** Waits for the server. @returns its version, e.g. `15.14 (Debian …)` */
async function answering(url: string): Promise<string> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => {}); // A connection that breaks: the query below fails with it.
    try {
      await client.connect();
      const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
      return rows[0]!.server_version;
    } catch (err) {
      if (Date.now() > deadline) throw err;
      await sleep(100);
    } finally {
      await client.end().catch(() => {}); // It was never connected, or is broken: nothing to end.
    }
  }
}
