import { mkdtempSync } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Duck } from '../../../src/analytics/storage/duck.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'docent-duck-'));
let duck: Duck;
beforeAll(async () => {
  duck = await Duck.open({ memoryMb: 128, threads: 1, connections: 1, temporaryFolder: folder });
});
afterAll(async () => {
  duck.close();
  await rm(folder, { recursive: true });
});

test('files that were read leave nothing in memory, however many there are in a day', async () => {
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
