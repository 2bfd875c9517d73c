import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Duck } from '../../../src/analytics/duck.ts';
import { cubeChanges, cubeOf } from '../../../src/analytics/rollup.ts';
import { DEFAULT_MAPPING } from '../../../src/store/analytics-settings.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'docent-changes-'));
let duck: Duck;
beforeAll(async () => {
  duck = await Duck.open({ memoryMb: 128, threads: 1, connections: 1, temporaryFolder: folder });
});
afterAll(async () => {
  duck.close();
  await rm(folder, { recursive: true });
});

const visitor = fc.constantFrom(1n, 2n ** 62n, 2n ** 63n, 2n ** 64n - 1n);
const day = fc.integer({ min: 10_000, max: 10_009 });
const row = fc.oneof(
  fc.record({
    visitor,
    path: fc.constant('/a'),
    class: fc.constantFrom('human', 'assistant'),
    agent: fc.constant(null),
    day,
  }),
  fc.record({
    visitor,
    path: fc.constant(''),
    class: fc.constantFrom('human', 'assistant', 'search'),
    agent: fc.constantFrom(null, 'One', 'Two'),
    day,
  }),
);
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;
const rows = (maxLength: number) =>
  fc.uniqueArray(row, { minLength: 1, maxLength, selector: (each) => String(Object.values(each)) });

const tableOf = (list: readonly Row[]) => {
  const values = list.map(
    (each) =>
      `(${each.visitor}::UBIGINT, '${each.path}', '${each.class}', ${each.agent ? `'${each.agent}'` : 'NULL::VARCHAR'}, ${each.day})`,
  );
  return `(FROM (VALUES ${values.join(', ')}) AS t(visitor, path, class, agent, day))`;
};
const sorted = (list: readonly object[]) =>
  list.map((each) => JSON.stringify(each, (_, v: unknown) => (typeof v === 'bigint' ? `${v}` : v))).toSorted();

test('what new days change in a cube makes it the cube of all days, in however many parts it is worked out', async () => {
  await fc.assert(
    fc.asyncProperty(rows(40), rows(12), fc.integer({ min: 1, max: 5 }), async (known, fresh, shards) => {
      const file = path.join(folder, 'known.parquet');
      await duck.use(async (session) => {
        await session.run(`COPY (FROM ${tableOf(known)} ORDER BY visitor) TO '${file}' (FORMAT parquet)`);
        await session.run(`CREATE OR REPLACE TEMP TABLE fresh AS FROM ${tableOf(fresh)}`);
        await cubeChanges(session, {
          fresh: 'fresh',
          known: [file],
          floorDay: null,
          mapping: DEFAULT_MAPPING,
          shards,
          cube: 'changes',
          returns: 'returns',
          added: 'added',
        });
        try {
          const total = (relations: string) =>
            session.all(
              `SELECT path, kind, day, prev, sum(n)::INTEGER AS n FROM (${relations}) GROUP BY ALL HAVING sum(n) <> 0`,
            );
          const both = `(FROM read_parquet('${file}') UNION FROM fresh)`;
          const expected = await total(`FROM ${cubeOf(both, DEFAULT_MAPPING)}`);
          const before = `(FROM read_parquet('${file}'))`;
          const changed = await total(`FROM ${cubeOf(before, DEFAULT_MAPPING)} UNION ALL FROM changes`);
          expect(sorted(changed)).toEqual(sorted(expected));
          const isKnown = new Set(sorted(known));
          const added = await session.all('SELECT visitor, path, class, agent, day FROM added');
          expect(sorted(added)).toEqual(sorted(fresh).filter((each) => !isKnown.has(each)));
        } finally {
          for (const table of ['changes', 'returns', 'added']) await session.run(`DROP TABLE ${table}`);
        }
      });
    }),
    { numRuns: 60 },
  );
}, 120_000);
