import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { SignOfLife } from '../../src/roles/sign-of-life.ts';
import { migrate } from '../../src/store/installation/migrate.ts';
import { levelOf, readMigrations } from '../../src/store/installation/migration-files.ts';
import { readSchemaState } from '../../src/store/installation/schema-version.ts';
import { BARE_ENV } from '../support/bare-env.ts';
import { testWithDocent as test, type Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { later, laterMigrations } from '../support/migrations-folder.ts';
import { ROOT, StartedDocent } from '../support/processes.ts';
import { runInside } from '../support/run-inside.ts';
import { services } from '../support/run-services.ts';

// Most of them start several processes one after the other.
vi.setConfig({ testTimeout: 240_000 });

const LEVEL = levelOf(readMigrations());
const log = createLogger({ level: 'silent', name: 'test' });
const NEWER = {
  '0901_add': '-- docent: expand\nALTER TABLE jobs ADD COLUMN more text; CREATE TABLE mores (n integer)',
  '0902_take': '-- docent: contract after 901\nALTER TABLE jobs DROP COLUMN more',
};

const docentMigrate = ({ database }: Installation, args: string[], env: Record<string, string> = {}) =>
  runInside(['migrate', ...args], { ...BARE_ENV, DATABASE_URL: database.url, NO_COLOR: '1', ...env });

test('docent migrate reports what it will do, does it, and reports completion', async ({ docent }) => {
  const env = { DOCENT_TEST_MIGRATIONS: laterMigrations(NEWER) };
  const check = await docentMigrate(docent, ['--check'], env);
  expect(check).toMatchObject({ code: 5, stderr: '' });
  expect(check.stdout).toBe('0901_add: compatible with older versions\n0902_take: removes what older versions use\n');
  const sql = await docentMigrate(docent, ['--sql'], env);
  expect(sql).toMatchObject({ code: 0, stdout: expect.stringMatching(/^-- 0901_add\nBEGIN;\n[^]*\nCOMMIT;\n/) });

  const done = await docentMigrate(docent, ['--json'], env);
  expect(done.code).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject({
    level: 902,
    minCompatible: 901,
    ran: [{ name: '0901_add' }, { name: '0902_take', kind: 'contract' }],
    postponed: [],
  });
  expect(done.stderr).toMatch(/^0901_add: started\.\n0901_add: done in [\d.]+ s\.\n/);
  expect(await docentMigrate(docent, ['--check'], env)).toMatchObject({
    code: 0,
    stdout: 'The schema is up to date, at level 902.\n',
  });
  expect(await docentMigrate(docent, [])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /belongs to a newer version of Docent: .* requires schema level 901 or higher.*Run the newer version/,
    ),
  });
  expect(await docentMigrate(docent, [], { DATABASE_URL: 'postgresql://127.0.0.1:9/none' })).toMatchObject({ code: 4 });
});

test('docent migrate resumes when it is repeated after a kill', async ({ docent }) => {
  const env = {
    DOCENT_TEST_MIGRATIONS: laterMigrations({
      '0901_first': 'CREATE TABLE first (n integer)',
      '0902_slow': 'CREATE TABLE second (n integer);\n--> statement-breakpoint\nSELECT pg_sleep(2)',
      '0903_index':
        '-- docent: no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_more" ON "jobs" ("title")',
    }),
  };
  const child = spawn(path.join(ROOT, 'bin', 'docent.js'), ['migrate'], {
    env: { ...BARE_ENV, DATABASE_URL: docent.database.url, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until('the second has started', () => said.includes('0902_slow: started'));
  child.kill('SIGKILL');

  const again = await docentMigrate(docent, ['--json'], env);
  expect(again.code, again.stderr).toBe(0);
  const { ran } = JSON.parse(again.stdout) as { ran: { name: string }[] };
  expect(ran.map(({ name }) => name)).toEqual(['0902_slow', '0903_index']);
  const { rows } = await docent.database.pool.query(
    'SELECT count(*)::int AS n FROM drizzle.__drizzle_migrations WHERE created_at > 1900000000000',
  );
  expect(rows).toEqual([{ n: 3 }]);
});

test('a role without permission to change the schema names the command to run, and starts after it', async ({
  docent,
}) => {
  const env = {
    DOCENT_TEST_MIGRATIONS: laterMigrations({ '0901_add': 'ALTER TABLE jobs ADD COLUMN more text' }),
    DOCENT_MIGRATE: 'never',
  };
  await expect(docent.startApi(env)).rejects.toThrow(
    /too old for Docent \S+\. Pending migrations: 0901_add\. Run `docent migrate`/,
  );
  expect((await docentMigrate(docent, [], env)).code).toBe(0);
  await docent.startApi(env);
});

test('parts used by a running process are only removed after its end', async ({ docent }) => {
  const { database } = docent;
  const old = await SignOfLife.join(database, { name: 'docent api', level: LEVEL }, log);
  const migrations = later(NEWER);
  const first = await migrate(database, { migrations });
  expect(first.ran.map(({ name }) => name)).toEqual(['0901_add']);
  expect(first.postponed.map(({ name }) => name)).toEqual(['0902_take']);
  expect(first.older).toMatchObject([{ name: 'docent api', level: LEVEL, pid: process.pid }]);
  expect(await readSchemaState(database.db, readMigrations())).toMatchObject({ level: 901, minCompatible: 0 });

  const refused = await docentMigrate(docent, [], { DOCENT_TEST_MIGRATIONS: laterMigrations(NEWER) });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /Not applied.*0902_take\.\n {2}docent api \S+ on \S+, process \d+, seen \d+ s ago\nStop them/,
  );

  await old.leave();
  expect((await migrate(database, { migrations })).ran.map(({ name }) => name)).toEqual(['0902_take']);
  await expect(SignOfLife.join(database, { name: 'docent api', level: LEVEL }, log)).rejects.toThrow(
    `this version (0.1.0, schema level ${LEVEL}) can no longer use it. Level 901 or higher is required. Start the newer version`,
  );
});

test('a process that was killed does not hold up an upgrade for long', async ({ docent }) => {
  await SignOfLife.join(docent.database, { name: 'docent worker', level: LEVEL }, log);
  await docent.database.pool.query("UPDATE processes SET seen_at = now() - interval '46 seconds'");
  expect((await migrate(docent.database, { migrations: later(NEWER) })).postponed).toEqual([]);
});

test('a process that joins while something is taken away is seen, or sees it', async ({ docent }) => {
  const { database } = docent;
  const migrations = later({ '0902_take': '-- docent: contract after 901\nSELECT pg_sleep(1)' });
  const migrating = migrate(database, { migrations });
  await until('it works', async () => {
    const { rows } = await database.pool.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
    );
    return rows.length > 0;
  });
  await expect(SignOfLife.join(database, { name: 'docent api', level: LEVEL }, log)).rejects.toThrow(
    'Start the newer version',
  );
  await migrating;
});

test('a process that is forced out reports why, ends, and does not restart', async ({ docent }) => {
  const api = await docent.startApi();
  await migrate(docent.database, { migrations: later(NEWER), force: true });
  expect(await api.ended).toBe(1);
  expect(api.output()).toMatch(/"level":60.*A newer version of Docent changed.*Start the newer version instead/);
  await expect(docent.startApi()).rejects.toThrow(/belongs to a newer version of Docent/);
  await expect(docent.startWorker()).rejects.toThrow(/belongs to a newer version of Docent/);
});

test('docent start shows an upgrade of its database, and then starts the roles', async ({ docent }) => {
  const started = new StartedDocent(path.join(docent.folder, 'home'), {
    env: {
      DATABASE_URL: docent.database.url,
      TEMPORAL_ADDRESS: services.temporalAddress,
      DOCENT_TEST_MIGRATIONS: laterMigrations({ '0901_slow': 'SELECT pg_sleep(2)' }),
    },
  });
  try {
    const { apiUrl } = await started.ready();
    expect(started.output).toMatch(/Database schema[^]*Worker/);
    expect((await fetch(`${apiUrl}/healthz`)).status).toBe(200);
    expect((await readSchemaState(docent.database.db, readMigrations())).level).toBe(901);
  } finally {
    await started.stop();
  }
});
