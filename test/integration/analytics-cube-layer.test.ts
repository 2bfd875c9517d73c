import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEVER } from '../../src/analytics/events/days.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { CUBE_KINDS } from '../../src/analytics/events/kinds.ts';
import { CubeLayer, WIDTH } from '../../src/analytics/query/cube-layer.ts';
import { times } from '../support/how-often.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'docent-cube-'));
let duck: Duck;
beforeAll(async () => {
  duck = await Duck.open({ memoryMb: 128, threads: 1, connections: 1, temporaryFolder: folder });
});
afterAll(async () => {
  duck.close();
  await rm(folder, { recursive: true });
});

const row = fc.record({
  path: fc.constantFrom('', '/a', '/b', '/ü'),
  kind: fc.constantFrom(...CUBE_KINDS, 'class:search'),
  day: fc.integer({ min: 11_000, max: 11_006 }),
  prev: fc.constantFrom(NEVER, -5, 10_998, 10_999, 11_000, 11_001, 11_003, 11_005),
  // Also more than 16 bits hold.
  n: fc.constantFrom(1, 2, -1, 40_000, 2_000_000),
});

test('a cube in memory matches its rows, for every range of days', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 40 }),
      fc.array(fc.tuple(fc.integer({ min: 10_998, max: 11_008 }), fc.nat(8)), { minLength: 1, maxLength: 5 }),
      async (rows, ranges) => {
        const values = rows.map(
          ({ path: page, kind, day, prev, n }) => `('${page}', '${kind}', ${day}, ${prev}, ${n})`,
        );
        const relation = `(FROM (VALUES ${values.join(', ')}) AS t(path, kind, day, prev, n))`;
        const layer = await duck.use((session) => CubeLayer.load(session, relation));
        for (const [from, days] of ranges) {
          const sums = new Float64Array(layer.pages.length * WIDTH);
          layer.addTo(sums, from, from + days);
          const expected = layer.pages.flatMap((page) =>
            CUBE_KINDS.map((kind) =>
              rows
                .filter((each) => each.path === page && each.kind === kind)
                .filter(({ day, prev }) => day >= from && day < from + days && prev < from)
                .reduce((sum, { n }) => sum + n, 0),
            ),
          );
          expect([...sums]).toEqual(expected);
        }
      },
    ),
    { numRuns: times(12) },
  );
});

test('a cube of many rows, whose blocks of days are added up beforehand, counts the same', async () => {
  // Busy days and thin ones, days without visitors, and previous days from before the first.
  const relation = `(
    SELECT '/p' || (hash(n * 4) % 5) AS path, ['human', 'ai', 'both'][(hash(n * 4 + 1) % 3 + 1)::INTEGER] AS kind, day,
      CASE hash(n * 4 + 2) % 4 WHEN 0 THEN ${NEVER} ELSE (day - 1 - hash(n * 4 + 3) % 60)::INTEGER END AS prev,
      (hash(n) % 3)::INTEGER - 1 AS n
    FROM (SELECT n, (11_000 + pow(hash(n + 1_000_000) / 18446744073709551616.0, 2) * 90)::INTEGER AS day FROM range(60_000) t(n))
    WHERE day % 7 <> 3)`;
  await duck.use(async (session) => {
    const layer = await CubeLayer.load(session, relation);
    const ends = Array.from({ length: 14 }, (_, i) => 10_996 + i * 7);
    for (const from of ends) {
      for (const to of ends.filter((end) => end >= from)) {
        const sums = new Float64Array(layer.pages.length * WIDTH);
        layer.addTo(sums, from, to);
        const counted = await session.all<{ path: string; kind: string; n: number }>(
          `SELECT path, kind, sum(n)::DOUBLE AS n FROM ${relation} WHERE day >= ${from} AND day < ${to} AND prev < ${from} GROUP BY ALL`,
        );
        const known = new Map(counted.map(({ path: page, kind, n }) => [`${page} ${kind}`, n]));
        const expected = layer.pages.flatMap((page) => CUBE_KINDS.map((kind) => known.get(`${page} ${kind}`) ?? 0));
        expect([...sums]).toEqual(expected);
      }
    }
  });
});
