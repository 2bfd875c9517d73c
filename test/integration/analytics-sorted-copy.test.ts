import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { copySorted } from '../../src/analytics/storage/sorted-copy.ts';

const ROWS = 1_200_000;

let folder: string;
let duck: Duck;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-sorted-'));
  const temporaryFolder = path.join(folder, 'duck');
  duck = await Duck.open({ memoryMb: 256, threads: 2, connections: 1, temporaryFolder });
});
afterEach(async () => {
  duck.close();
  await rm(folder, { recursive: true, force: true });
});

test('presence sorted by slices is in one order, and leaves no other files', async () => {
  await duck.use(async (session) => {
    await session.run(
      `CREATE TEMP TABLE made AS SELECT hash(n // 4) AS visitor, CASE WHEN n % 4 = 0 THEN '' ELSE '/page-' || n % 7 END AS path,
         'human' AS class, NULL::VARCHAR AS agent, (n % 30)::INTEGER AS day FROM range(${ROWS}) t(n)`,
    );
    const file = path.join(folder, 'all.parquet');
    await copySorted(
      session,
      { family: 'presence', rows: ROWS, select: 'SELECT * FROM made WHERE day >= $from', values: { from: 0 } },
      { file, options: 'COMPRESSION zstd, ROW_GROUP_SIZE 122880' },
      100_000,
    );
    const { rows, unsorted } = await session.one<{ rows: bigint; unsorted: bigint }>(
      `SELECT count(*) AS rows, count(*) FILTER (WHERE (path <> '', visitor, path, day) < before) AS unsorted
       FROM (SELECT *, lag((path <> '', visitor, path, day)) OVER (ORDER BY file_row_number) AS before
             FROM read_parquet($file, file_row_number = true))`,
      { file },
    );
    expect({ rows, unsorted }).toEqual({ rows: BigInt(ROWS), unsorted: 0n });
    const { order } = await session.one(`SELECT current_setting('preserve_insertion_order') AS order`);
    expect(order).toBe(false);
  });
  expect((await readdir(folder)).toSorted()).toEqual(['all.parquet', 'duck']);
});

test('keeps no slice if one cannot be written', async () => {
  await duck.use(async (session) => {
    await session.run(
      `CREATE TEMP TABLE made AS SELECT hash(n) AS visitor, '' AS path, n AS day FROM range(1000) t(n)`,
    );
    const select = `SELECT visitor, path, CASE WHEN visitor > 9223372036854775808 THEN error('no')::INTEGER ELSE day END AS day FROM made`;
    const failing = copySorted(
      session,
      { family: 'presence', rows: 1_000, select, values: {} },
      { file: path.join(folder, 'all.parquet'), options: 'COMPRESSION zstd' },
      100,
    );
    await expect(failing).rejects.toThrow('no');
  });
  expect(await readdir(folder)).toEqual(['duck']);
});
