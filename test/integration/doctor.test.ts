import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { examine, type DoctorOptions } from '../../src/operations/doctor/doctor.ts';
import type { Finding } from '../../src/platform/health.ts';
import { Secret } from '../../src/platform/secret.ts';
import { SecretBox } from '../../src/platform/secret-box.ts';
import { encryptCredential, insertCodeHost } from '../../src/store/hosts/code-hosts.ts';
import { encryptModelKey, putModelKey } from '../../src/store/installation/model-keys.ts';
import { installationId } from '../../src/store/installation/installation.ts';
import type { AnalyticsBench } from '../support/analytics.ts';
import { fillProject } from '../support/analytics-load.ts';
import { installation } from '../support/backups.ts';
import { commandEnv } from '../support/command.ts';
import { createEmptyDatabase } from '../support/stack.ts';
import { services } from '../support/run-services.ts';
import { runInside } from '../support/run-inside.ts';

const KEY = randomBytes(32).toString('base64');
const HOST = {
  id: 'acme',
  kind: 'gitea',
  webUrl: 'http://127.0.0.1:1',
  apiUrl: 'http://127.0.0.1:1/api',
  appId: null,
} as const;

let folder: string;
let bench: AnalyticsBench;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-doctor-'));
});
afterEach(() => bench?.close());
afterAll(() => rm(folder, { recursive: true, force: true }));

async function look(env: Record<string, string>, more: Partial<DoctorOptions> = {}): Promise<Map<string, Finding>> {
  const config = loadConfig({
    DATABASE_URL: bench.database.url,
    DOCENT_ANALYTICS_DIR: bench.folder.root,
    DOCENT_SECRET_KEY: KEY,
    ...env,
  });
  const temporal = { connection: { address: services.temporalAddress }, namespace: 'default' };
  const findings = await examine({ config, temporal, home: path.join(folder, 'none'), network: false, ...more });
  return new Map(findings.map((one) => [one.check, one]));
}

const statusOf = (found: Map<string, Finding>) =>
  Object.fromEntries([...found].map(([check, { status }]) => [check, status]));

test('an installation without running processes reports only that', async () => {
  bench = await installation();
  await fillProject(bench, { batches: 2, unmerged: 1 });
  const found = await look({});
  const { processes, 'temporal-workers': workers, 'temporal-attributes': _, repositories, ...others } = statusOf(found);
  expect([processes, workers, repositories]).toEqual(['warning', 'wrong', 'wrong']);
  expect(Object.entries(others).filter(([, status]) => status !== 'ok')).toEqual([]);
  for (const { status, todo, docs } of found.values()) {
    if (status !== 'ok') expect([todo, docs]).toEqual([expect.any(String), expect.stringMatching(/^\/docs\//)]);
  }
});

test('each problem is named, with what to do', async () => {
  bench = await installation();
  const project = await fillProject(bench, { batches: 2, unmerged: 1 });
  const { db, pool } = bench.database;
  await installationId(db);
  const other = new SecretBox([new Secret(randomBytes(32).toString('base64'))]);
  await insertCodeHost(db, HOST, encryptCredential(other, HOST, 'token'));
  await putModelKey(db, 'anthropic', null, encryptModelKey(other, 'anthropic', null, 'sk-x'));
  await pool.query(
    `INSERT INTO analytics_damage (id, project_id, family, path, rows, min_day, max_day, reason, bytes)
     VALUES ('x', $1, 'events', 'files/x', 1, 1, 1, 'is missing', 1)`,
    [project],
  );
  await pool.query(
    `INSERT INTO processes (id, name, version, level, host, pid, seen_at) VALUES
      ('a', 'docent api', '0.0.9', 1, 'one', 1, now()), ('b', 'docent worker', '0.0.9', 1, 'two', 2, now() - interval '10 minutes')`,
  );
  const found = await look({}, { network: true });
  expect(statusOf(found)).toMatchObject({
    'secret-key': 'wrong',
    'analytics-damage': 'wrong',
    versions: 'warning',
    processes: 'warning',
    ended: 'warning',
    network: 'wrong',
  });
  expect(found.get('secret-key')!.what).toMatch(/acme cannot be read.*1 model key/);
  expect(found.get('ended')!.what).toContain('docent worker on two');
});

test('while the database, Temporal or the folder is unavailable, the rest is looked at anyway', async () => {
  bench = await installation();
  await installationId(bench.database.db);
  const secret = 'a-password-of-mine';
  const down = await look(
    { DATABASE_URL: `postgresql://me:${secret}@127.0.0.1:1/x` },
    { temporal: { connection: { address: '127.0.0.1:1' }, namespace: 'default' } },
  );
  expect(statusOf(down)).toMatchObject({ database: 'wrong', temporal: 'wrong', 'analytics-folder': 'ok' });
  const empty = await createEmptyDatabase();
  expect(statusOf(await look({ DATABASE_URL: empty.url })).schema).toBe('warning');
  await empty.drop();
  const elsewhere = await mkdtemp(path.join(folder, 'other-'));
  expect(statusOf(await look({ DOCENT_ANALYTICS_DIR: elsewhere }))['analytics-folder']).toBe('wrong');
  await writeFile(path.join(elsewhere, 'restore-unfinished'), '/backups/monday\n');
  expect((await look({ DOCENT_ANALYTICS_DIR: elsewhere })).get('analytics-folder')!.what).toMatch(
    /restoring \/backups\/monday/,
  );

  const env = { DATABASE_URL: `postgresql://me:${secret}@127.0.0.1:1/x`, DOCENT_ANALYTICS_DIR: elsewhere };
  const { code, stdout, stderr } = await runInside(['doctor', '--json', '--home', folder], commandEnv(folder, env));
  expect([code, JSON.parse(stdout).status]).toEqual([1, 'wrong']);
  expect(stdout + stderr).not.toContain(secret);
});
