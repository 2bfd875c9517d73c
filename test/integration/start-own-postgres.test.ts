import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { startChild, type Child } from '@docent/servers/processes/child';
import { Reaper } from '@docent/servers/processes/reaper';
import { StartedDocent } from '../support/processes.ts';
import { until } from '../support/patience.ts';
import { services } from '../support/run-services.ts';

/** A PostgreSQL as operators have it: the one that the system's packages installed, oldest first. */
const [programs] = globSync('/usr/lib/postgresql/*/bin').toSorted();
const isRoot = process.getuid?.() === 0;
const ids = isRoot ? { uid: 65_534, gid: 65_534 } : {};

let folder: string;
let reaper: Reaper;
let server: Child;
let url: string;

beforeAll(async () => {
  if (programs === undefined) return;
  folder = mkdtempSync(path.join(tmpdir(), 'docent-pg-'));
  execFileSync('chmod', ['711', folder]);
  const data = path.join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) chownSync(data, 65_534, 65_534);
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const made = spawnSync(path.join(programs, 'initdb'), ['-D', data, '-U', 'docent', '-A', 'trust', '-E', 'UTF8'], {
    ...ids,
    env,
  });
  expect(made.status, made.stderr.toString()).toBe(0);
  reaper = new Reaper();
  reaper.deleteAfterDeath(folder);
  server = await startChild({
    name: 'postgres',
    command: path.join(programs, 'postgres'),
    args: ['-D', data, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${data}`],
    env,
    ...ids,
    stopSignal: 'SIGINT',
    stopGraceMs: 10_000,
    reaper,
  });
  url = `postgresql://docent@localhost/postgres?host=${encodeURIComponent(data)}`;
  await until('PostgreSQL answers', async () => (await version()) !== 0);
});

afterAll(async () => {
  await server?.stop();
  await reaper?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function version(): Promise<number> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    return Number(rows[0]?.server_version_num);
  } catch {
    return 0;
  } finally {
    await client.end();
  }
}

test.runIf(programs)(
  "`docent start` uses a PostgreSQL and a Temporal of the operator's own, and starts neither",
  async () => {
    const home = path.join(folder, 'home');
    const docent = new StartedDocent(home, { env: { DATABASE_URL: url, TEMPORAL_ADDRESS: services.temporalAddress } });
    try {
      const run = await docent.ready();
      expect(run).toMatchObject({ temporalAddress: services.temporalAddress, temporalUiUrl: null });
      expect((await fetch(`${run.apiUrl}/readyz`)).status).toBe(200);
      expect(() => docent.pidOf('postgres')).toThrow();
      expect(() => docent.pidOf('temporal')).toThrow();
    } finally {
      await docent.stop();
    }
  },
);
