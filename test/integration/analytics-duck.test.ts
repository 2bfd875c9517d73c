import { mkdtempSync } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Duck, type Row } from '../../src/analytics/storage/duck.ts';
import type { RowStream } from '../../src/analytics/storage/row-stream.ts';
import { breakDuck } from '../support/break-duck.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'docent-duck-'));
let duck: Duck;
beforeAll(async () => {
  duck = await Duck.open({ memoryMb: 128, threads: 1, connections: 1, temporaryFolder: folder });
});
afterAll(async () => {
  duck.close();
  await rm(folder, { recursive: true });
});

test('read files leave nothing in memory, however many there are in a day', async () => {
  await duck.use(async (session) => {
    for (let n = 0; n < 5; n += 1) {
      const file = path.join(folder, `${n}.parquet`);
      await session.run(`COPY (SELECT hash(i) AS visitor FROM range(100000) AS t(i)) TO '${file}' (FORMAT parquet)`);
      // DuckDB remembers no file that was written just now.
      await utimes(file, new Date(0), new Date(0));
      await session.all('SELECT count(DISTINCT visitor) FROM read_parquet($file)', { file });
    }
    const kept = await session.all<{ tag: string; bytes: bigint }>(
      'SELECT tag, memory_usage_bytes AS bytes FROM duckdb_memory() WHERE memory_usage_bytes > 0',
    );
    expect(kept).toEqual([]);
  });
});

test('an answer is valid although its tables cannot be dropped, and the next query gets a new connection', async () => {
  const answer = await duck.use(async (session) => {
    await session.run('CREATE TEMP TABLE kept AS SELECT 1 AS n');
    // As if DuckDB fails: it refuses to drop a view as a table.
    await session.run('CREATE TEMP VIEW stubborn AS FROM kept');
    expect(await session.drop('stubborn')).toBe(false);
    return session.one<{ n: number }>('FROM kept');
  });
  expect(answer).toEqual({ n: 1 });
  await duck.use(async (session) => {
    await session.run('CREATE TEMP TABLE kept AS SELECT 2 AS n');
    expect(await session.drop('kept')).toBe(true);
  });
});

test('after an internal error DuckDB answers nothing more, and the next question starts it again', async () => {
  const own = await Duck.open({ memoryMb: 64, threads: 1, connections: 2, temporaryFolder: folder });
  // Of both connections, one is free when it happens.
  const [one] = await Promise.all([own.use(async (session) => session), own.use((session) => session.run('SELECT 1'))]);
  await own.use((session) => session.run('CREATE TABLE of_the_first AS SELECT 1 AS n'));
  await breakDuck(own);
  expect(own.restarts).toBe(1);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      own.use(async (session) => {
        expect(session).not.toBe(one);
        return session.one("SELECT count(*)::INTEGER AS tables FROM duckdb_tables() WHERE table_name = 'of_the_first'");
      }),
    ),
  );
  expect(answers.map(({ tables }) => tables)).toEqual([0, 0, 0, 0]);
  await expect(own.use((session) => session.run('SELECT nothing'))).rejects.toThrow(/nothing/);
  expect(own.restarts, 'after an ordinary error').toBe(1);
  own.close();
});

// The first parts exist by then; earlier failures are thrown immediately.
const BREAKS_OFF = (row: number) =>
  `SELECT CASE WHEN i = ${row} THEN error('boom') ELSE i::INTEGER END AS n FROM range(1000000) t(i)`;

test('a result that breaks off is distinguished from a complete one', async () => {
  await duck.use(async (session) => {
    const parts: number[] = [];
    const read = async (rows: AsyncIterable<number[][] | Uint32Array[]>) => {
      for await (const [column] of rows) parts.push(column!.length);
    };
    await read(session.numbers(BREAKS_OFF(1_000_000)));
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(1_000_000);
    parts.length = 0;
    await expect(read(session.numbers(BREAKS_OFF(900_000)))).rejects.toThrow('before its last row');
    expect(parts.length).toBeGreaterThan(0);
    await expect(read(session.numbers(BREAKS_OFF(900_000)))).rejects.toThrow('before its last row');
    // And so is one of no rows.
    await read(session.numbers('SELECT 1::INTEGER WHERE false'));
  });
});

async function drain(stream: RowStream<Row>): Promise<number> {
  let count = 0;
  for await (const rows of stream.rows()) count += rows.length;
  return count;
}

test('rows that break off in the middle are not all rows', async () => {
  const signal = new AbortController().signal;
  const open = (row: number) => duck.stream(async () => ({ sql: BREAKS_OFF(row), values: {} }), signal);
  expect(await drain(await open(1_000_000))).toBe(1_000_000);
  await expect(open(900_000).then(drain)).rejects.toThrow('before its last row');
});

test('rows whose reading is stopped while more are waited for are not all rows', async () => {
  const sql = 'SELECT md5(i::VARCHAR) AS h FROM range(2000000) t(i)';
  for (let round = 0; round < 20; round += 1) {
    const gone = new AbortController();
    const stream = await duck.stream(async () => ({ sql, values: {} }), gone.signal);
    const drained = drain(stream);
    if (round % 2 === 1) await new Promise(setImmediate);
    gone.abort();
    await expect(drained).rejects.toMatchObject({ code: 'unavailable' });
  }
});
