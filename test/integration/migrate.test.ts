import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, test as base } from 'vitest';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/installation/migrate.ts';
import { readMigrations } from '../../src/store/installation/migration-files.ts';
import { readSchemaState } from '../../src/store/installation/schema-version.ts';
import { later, laterMigrations } from '../support/migrations-folder.ts';
import { until } from '../support/patience.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';

const test = base.extend<{ database: TestDatabase }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the names of other fixtures from here
  database: async ({}, use) => {
    const database = await createTestDatabase();
    await use(database);
    await database.drop();
  },
});

const MIGRATION_LOCK = 7_216_340_811;
const OWN = readMigrations();

/** Another process's pool on the same database. */
async function withPool<T>({ url }: TestDatabase, work: (database: Database) => Promise<T>): Promise<T> {
  const other = openDatabase(url);
  try {
    return await work(other);
  } finally {
    await other.close();
  }
}

async function isValid(database: Database, index: string): Promise<boolean | undefined> {
  const { rows } = await database.pool.query('SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)', [
    index,
  ]);
  return rows[0]?.indisvalid as boolean | undefined;
}

test.concurrent(
  'a migration may take longer than a minute, and a process that waits for it says so and goes on',
  { timeout: 400_000 },
  async ({ database }) => {
    const migrations = later({ '0901_slow': 'SELECT pg_sleep(63)' });
    const said: string[] = [];
    const working = migrate(database, { migrations });
    await sleep(500);
    const waiting = withPool(database, (other) =>
      migrate(other, { migrations, say: (text, slow) => slow && said.push(text) }),
    );
    expect((await working).ran).toHaveLength(1);
    expect((await waiting).ran).toEqual([]);
    expect(said.length).toBeGreaterThan(3);
    expect(said[0]).toMatch(/^Waiting for another process that is updating the schema: docent.*PostgreSQL process/);
  },
);

test.concurrent('a migration with a lower number than the last applied one is not left out', async ({ database }) => {
  await migrate(database, { migrations: later({ '0905_last': 'CREATE TABLE last (n integer)' }) });
  const { ran } = await migrate(database, {
    migrations: later({ '0903_between': 'CREATE TABLE between_them (n integer)', '0905_last': 'SELECT 1' }),
  });
  expect(ran.map(({ name }) => name)).toEqual(['0903_between']);
  const { level, pending } = await readSchemaState(database.db, OWN);
  expect({ level, pending }).toEqual({ level: 905, pending: [] });
});

test.concurrent('a database with another past is refused with a sentence, and left alone', async ({ database }) => {
  const past = laterMigrations({ '0001_all_in_one': 'CREATE TABLE all_in_one (n integer)' }, []);
  const migrations = readMigrations(past);
  await expect(migrate(database, { migrations, version: '0.1.0' })).rejects.toThrow(
    /from which 0\.1\.0 cannot upgrade: \d+ of its schema changes? (is|are) unknown here\. Nothing was changed\. Start over/,
  );
  expect((await readSchemaState(database.db, OWN)).pending).toEqual([]);
});

test.concurrent('requests continue while a migration waits for a long transaction, which it names', async ({
  database,
}) => {
  const reader = new Client({ connectionString: database.url, application_name: 'a long report' });
  await reader.connect();
  await reader.query('BEGIN; SELECT count(*) FROM jobs');
  const said: string[] = [];
  const migrating = migrate(database, {
    migrations: later({ '0901_column': 'ALTER TABLE jobs ADD COLUMN more text' }),
    say: (text) => said.push(text),
  });
  let longestMs = 0;
  const until3s = performance.now() + 3_000;
  while (performance.now() < until3s) {
    const from = performance.now();
    await database.pool.query('SELECT count(*) FROM jobs');
    longestMs = Math.max(longestMs, performance.now() - from);
    await sleep(20);
  }
  expect(said.join('\n')).toMatch(/a table is in use; the longest transaction is that of a long report.* Retrying/);
  await reader.end();
  expect((await migrating).ran).toHaveLength(1);
  // Queued behind the migration for a second at most, and not until the report is done.
  expect(longestMs).toBeLessThan(2_900);
});

test.concurrent('a process that is asked to stop does so immediately, and leaves nothing half done', async ({
  database,
}) => {
  const migrations = later({
    '0901_slow': 'CREATE TABLE half (n integer);\n--> statement-breakpoint\nSELECT pg_sleep(60)',
  });
  const stop = new AbortController();
  const migrating = migrate(database, { migrations, signal: stop.signal });
  await until('it works', async () => {
    const { rows } = await database.pool.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%' AND state = 'active'",
    );
    return rows.length > 0;
  });
  stop.abort(new Error('asked to stop'));
  await expect(migrating).rejects.toThrow('asked to stop');
  expect((await database.pool.query("SELECT to_regclass('half') AS half")).rows).toEqual([{ half: null }]);
  expect((await readSchemaState(database.db, migrations)).pending).toHaveLength(1);
});

test.concurrent('a failing migration is rolled back and named', async ({ database }) => {
  const migrations = later({
    '0901_fine': 'CREATE TABLE fine (n integer)',
    '0902_wrong': 'CREATE TABLE half (n integer);\n--> statement-breakpoint\nALTER TABLE nowhere ADD COLUMN n integer',
  });
  await expect(migrate(database, { migrations })).rejects.toThrow(
    '0902_wrong could not be applied: relation "nowhere" does not exist. Nothing of it was kept; what came before it is done.',
  );
  const { rows } = await database.pool.query("SELECT to_regclass('fine') AS fine, to_regclass('half') AS half");
  expect(rows).toEqual([{ fine: 'fine', half: null }]);
  expect((await readSchemaState(database.db, migrations)).level).toBe(901);
});

const INDEX = `-- docent: expand, no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_more" ON "jobs" ("title");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "installation_more" ON "installation" ("id");`;

test.concurrent('indexes are built beside traffic, by one process, while others wait', async ({ database }) => {
  const migrations = later({ '0901_indexes': INDEX });
  const results = await Promise.all([1, 2, 3].map(() => withPool(database, (other) => migrate(other, { migrations }))));
  expect(results.flatMap(({ ran }) => ran).map(({ name }) => name)).toEqual(['0901_indexes']);
  expect(await isValid(database, 'jobs_more')).toBe(true);
});

test.concurrent('the remains of an interrupted index are deleted, and the index is created again', async ({
  database,
}) => {
  await database.pool.query('CREATE TABLE pairs (n integer); INSERT INTO pairs VALUES (1), (1)');
  const migrations = later({
    '0901_index':
      '-- docent: no-transaction\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "pairs_n" ON "pairs" ("n")',
  });
  await expect(migrate(database, { migrations })).rejects.toThrow(
    /What it has done so far stays, and the next try goes on/,
  );
  expect(await isValid(database, 'pairs_n')).toBe(false);
  await database.pool.query('TRUNCATE pairs');
  await migrate(database, { migrations });
  expect(await isValid(database, 'pairs_n')).toBe(true);
});

test.concurrent('an older version that blocks on the lock does not keep an index from being built', async ({
  database,
}) => {
  // The start of earlier versions; the two wait for each other.
  const old = new Client({ connectionString: database.url });
  await old.connect();
  let waits: Promise<unknown> | undefined;
  const migrations = later({
    '0901_pause': 'SELECT pg_sleep(1)',
    '0902_index': INDEX,
  });
  const migrating = migrate(database, {
    migrations,
    say: (text) => {
      if (text.startsWith('0901_pause: begins'))
        waits = old
          .query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
          .then(() => old.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]));
    },
  });
  expect((await migrating).ran).toHaveLength(2);
  expect(await isValid(database, 'jobs_more')).toBe(true);
  await waits;
  await old.end();
});
