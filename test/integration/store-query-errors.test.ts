import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { isDatabaseUnavailable, sqlStateOf } from '../../src/store/database-problem.ts';
import { QueryFailed } from '../../src/store/query-errors.ts';
import { installation, messages } from '../../src/store/schema.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';

/** A text that does not occur by chance. */
const PLANTED = `planted${randomBytes(12).toString('hex')}`;

let made: TestDatabase;
let database: Database;

beforeAll(async () => {
  made = await createTestDatabase();
  database = openDatabase(made.url);
  await made.pool.query(`
    CREATE TABLE refusing (word text PRIMARY KEY, n int CHECK (n < 5), j jsonb);
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'no: %', NEW.word USING DETAIL = NEW::text, HINT = NEW.word; END $$;
    CREATE TABLE raising (word text);
    CREATE TRIGGER raising BEFORE INSERT ON raising FOR EACH ROW EXECUTE FUNCTION refuse();
    CREATE FUNCTION failing(word text) RETURNS int LANGUAGE plpgsql AS $$
      BEGIN EXECUTE 'SELECT ' || quote_literal(word) || '::int'; RETURN 1; END $$;`);
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

/** All visible parts of an error, in any form of printing. */
function everythingOf(err: unknown): string {
  let logged = '';
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => ((logged += chunk.toString()), done()) });
  const log = createLogger({ level: 'debug', name: 'test' }, sink);
  log.error({ err, also: err, nested: { err } }, 'failed');
  const chain = [];
  for (let current = err; current instanceof Error; current = current.cause)
    chain.push(current.message, current.stack, JSON.stringify(current), ...Object.values(current).map(String));
  return [inspect(err, { depth: 20, showHidden: true }), String(err), logged, ...chain].join('\n');
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('It did not fail.'),
    (err: unknown) => err,
  );

const CASES: [string, string, (db: Database['db']) => Promise<unknown>][] = [
  ['a duplicate', '23505', async (db) => {
    await db.execute(sql`INSERT INTO refusing VALUES (${PLANTED}, 1) ON CONFLICT DO NOTHING`);
    await db.execute(sql`INSERT INTO refusing VALUES (${PLANTED}, 1)`);
  }],
  ['a row that breaks a check', '23514', (db) => db.execute(sql`INSERT INTO refusing VALUES (${`${PLANTED}2`}, 7)`)],
  ['text where a number belongs', '22P02', (db) => db.execute(sql`SELECT ${PLANTED}::text::int`)],
  ['text that is no JSON', '22P02', (db) => db.execute(sql`INSERT INTO refusing VALUES ('x', 1, ${`{"${PLANTED}`}::text::jsonb)`)],
  ['what a trigger raises', 'P0001', (db) => db.execute(sql`INSERT INTO raising VALUES (${PLANTED})`)],
  ['a function that fails inside', '22P02', (db) => db.execute(sql`SELECT failing(${PLANTED})`)],
  ['a statement that takes too long', '57014', (db) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL statement_timeout = 50`);
      await tx.execute(sql`SELECT pg_sleep(5), ${PLANTED}::text`);
    })],
  ['a query builder’s insert', '23503', (db) =>
    db.insert(messages).values({ jobId: 'none', no: 1, id: 'm', prompt: PLANTED })],
  ['a null where none may be', '23502', (db) =>
    db.transaction((tx) => tx.insert(installation).values({ id: null as never, singleton: false, createdAt: new Date() }))],
]; // oxfmt-ignore

describe('an error of the database', () => {
  test.for(CASES)('(%s) keeps its code and no value', async ([, state, work]) => {
    // A repeated statement has a name by then.
    for (let n = 0; n < 3; n += 1) {
      const err = await failureOf(work(database.db));
      expect(err).toBeInstanceOf(QueryFailed);
      expect(sqlStateOf(err)).toBe(state);
      expect(everythingOf(err)).not.toContain(PLANTED);
    }
  });

  test('keeps no value if the pool is used without drizzle', async () => {
    const err = await failureOf(database.pool.query('INSERT INTO raising VALUES ($1)', [PLANTED]));
    expect(sqlStateOf(err)).toBe('P0001');
    expect(everythingOf(err)).not.toContain(PLANTED);
    const inside = await failureOf(database.pool.query('SELECT failing($1)', [PLANTED]));
    expect(everythingOf(inside)).not.toContain(PLANTED);
  });

  test('keeps no value when the connection is ended in the middle of a query', async () => {
    const query = failureOf(database.db.execute(sql`SELECT pg_sleep(30), ${PLANTED}::text`));
    const running = `SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()`;
    await expect.poll(async () => (await made.pool.query(running)).rowCount).toBe(1);
    await made.pool.query(`SELECT pg_terminate_backend(pid) FROM (${running}) AS r`);
    const err = await query;
    expect(isDatabaseUnavailable(err)).toBe(true);
    expect(everythingOf(err)).not.toContain(PLANTED);
  });

  test('keeps no value when the database is unavailable', async () => {
    const away = openDatabase('postgresql://docent@127.0.0.1:1/none');
    const err = await failureOf(away.db.execute(sql`SELECT ${PLANTED}::text`));
    expect(isDatabaseUnavailable(err)).toBe(true);
    expect((err as Error).message).toMatch(/ECONNREFUSED/);
    expect(everythingOf(err)).not.toContain(PLANTED);
    await away.close();
  });

  test('reports the failure: the reason, the query with placeholders, and the tables and constraints', async () => {
    const err = await failureOf(database.db.execute(sql`INSERT INTO refusing VALUES (${PLANTED}, ${9}::int)`));
    expect((err as Error).message).toBe(
      'new row for relation "refusing" violates check constraint "refusing_n_check" (query: INSERT INTO refusing VALUES ($1, $2::int))',
    );
  });

  test('leaves the transaction of a nested failure usable, as before', async () => {
    const { db } = database;
    const left = await db.transaction(async (tx) => {
      await failureOf(tx.transaction((inner) => inner.execute(sql`INSERT INTO raising VALUES (${PLANTED})`)));
      return (await tx.execute(sql`SELECT 1 AS one`)).rows;
    });
    expect(left).toEqual([{ one: 1 }]);
  });
});

test('a statement that is sent again and again is parsed once by each connection', async () => {
  const prepared = await database.db.transaction(async (tx) => {
    for (let n = 0; n < 4; n += 1) expect((await tx.execute(sql`SELECT ${n}::int AS n`)).rows).toEqual([{ n }]);
    const { rows } = await tx.execute(
      sql`SELECT statement FROM pg_prepared_statements WHERE statement LIKE 'SELECT $1::int AS n'`,
    );
    return rows;
  });
  expect(prepared).toHaveLength(1);
});
