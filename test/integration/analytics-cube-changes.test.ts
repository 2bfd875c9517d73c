import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { indexOf } from '../../src/analytics/storage/index-of.ts';
import { Duck, type DuckSession } from '../../src/analytics/storage/duck.ts';
import { cubeOf } from '../../src/analytics/counts/count-sql.ts';
import { cubeChanges } from '../../src/analytics/counts/cube-changes.ts';
import { buildIndex } from '../../src/analytics/counts/presence-index/build.ts';
import type { FileRow } from '../../src/store/analytics/manifest.ts';
import { newId } from '../../src/store/ids.ts';
import { DEFAULT_MAPPING } from '../../src/store/analytics-settings.ts';
import { times } from '../support/how-often.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'docent-changes-'));
const analytics = new AnalyticsFolder(folder);
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
    verified: fc.constant(null),
    day,
  }),
  fc.record({
    visitor,
    path: fc.constant(''),
    class: fc.constantFrom('human', 'assistant', 'search'),
    agent: fc.constantFrom(null, 'One', 'Two'),
    verified: fc.constantFrom(null, true, false),
    day,
  }),
);
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;
const rows = (maxLength: number) =>
  fc.uniqueArray(row, { minLength: 1, maxLength, selector: (each) => String(Object.values(each)) });

const tableOf = (list: readonly Row[]) => {
  const values = list.map(
    (each) =>
      `(${each.visitor}::UBIGINT, '${each.path}', '${each.class}', ${each.agent ? `'${each.agent}'` : 'NULL::VARCHAR'}, ${each.verified ?? 'NULL'}::BOOLEAN, ${each.day})`,
  );
  return `(FROM (VALUES ${values.join(', ')}) AS t(visitor, path, class, agent, verified, day))`;
};
const sorted = (list: readonly object[]) =>
  list.map((each) => JSON.stringify(each, (_, v: unknown) => (typeof v === 'bigint' ? `${v}` : v))).toSorted();

const fileRow = (file: string, known: readonly Row[]): FileRow => ({
  id: path.basename(file, '.parquet'),
  projectId: 'site',
  family: 'presence',
  path: path.basename(file),
  rows: known.length,
  bytes: 1,
  sha256: Buffer.alloc(32),
  minDay: Math.min(...known.map((each) => each.day)),
  maxDay: Math.max(...known.map((each) => each.day)),
  source: null,
  addedVersion: 1,
  removedVersion: null,
  removedAt: null,
});

/** Without an index, with one that is whole, or where some byte has changed (which one, as a part of 1). */
const index = fc.oneof(
  fc.constant(null),
  fc.constant('whole' as const),
  fc.float({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
);
type Index = typeof index extends fc.Arbitrary<infer T> ? T : never;

async function writeIndex(session: DuckSession, file: string, known: readonly Row[], how: 'whole' | number) {
  await buildIndex(session, analytics, fileRow(file, known));
  if (how === 'whole') return;
  const bytes = await readFile(indexOf(file));
  bytes[Math.floor(how * bytes.length)]! ^= 0x10;
  await writeFile(indexOf(file), bytes);
}

/**
 * Runs `work` with the changes of `fresh` to `known`, in the tables `changes`, `revisits` and `added`.
 */
async function withChanges<T>(
  known: readonly Row[],
  fresh: readonly Row[],
  { slices, index }: { slices: number; index: Index },
  work: (session: DuckSession, file: string) => Promise<T>,
): Promise<T> {
  const file = path.join(folder, `${newId()}.parquet`);
  return duck.use(async (session) => {
    await session.run(`CREATE OR REPLACE TEMP TABLE fresh AS FROM ${tableOf(fresh)}`);
    const before = known.length > 0 ? tableOf(known) : '(FROM fresh WHERE false)';
    await session.run(
      `COPY (FROM ${before} ORDER BY path = '' DESC, visitor, path, day) TO '${file}' (FORMAT parquet)`,
    );
    if (index !== null && known.length > 0) await writeIndex(session, file, known, index);
    await cubeChanges(session, {
      fresh: 'fresh',
      known: [file],
      floorDay: null,
      mapping: DEFAULT_MAPPING,
      slices,
      cube: 'changes',
      revisits: 'revisits',
      added: 'added',
    });
    try {
      return await work(session, file);
    } finally {
      for (const table of ['changes', 'revisits', 'added']) await session.run(`DROP TABLE ${table}`);
      await rm(file);
      await rm(indexOf(file), { force: true });
    }
  });
}

test('the changes of new days complete the cube of all days, with any number of slices', async () => {
  await fc.assert(
    fc.asyncProperty(rows(40), rows(12), fc.integer({ min: 1, max: 5 }), index, async (known, fresh, slices, at) => {
      await withChanges(known, fresh, { slices, index: at }, async (session, file) => {
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
        const added = await session.all('SELECT visitor, path, class, agent, verified, day FROM added');
        expect(sorted(added)).toEqual(sorted(fresh).filter((each) => !isKnown.has(each)));
      });
    }),
    { numRuns: times(10) },
  );
}, 240_000);

/** Returning visitors, in the rows of all merges. */
interface Revisit {
  visitor: bigint;
  path: string;
  kind: string;
  day: number;
  prev: number;
}
const FIRST = 9_999;
const LAST = 10_010;

test('revisits show for every day which visitors came since another, however the days came in', async () => {
  await fc.assert(
    fc.asyncProperty(rows(20), rows(12), rows(12), index, async (first, second, third, at) => {
      const revisits: Revisit[] = [];
      let known: Row[] = [];
      for (const fresh of [first, second, third]) {
        await withChanges(known, fresh, { slices: 1, index: at }, async (session) => {
          revisits.push(...(await session.all<Revisit>('SELECT visitor, path, kind, day, prev FROM revisits')));
        });
        const seen = new Set(sorted(known));
        known = [...known, ...fresh.filter((each) => !seen.has(sorted([each])[0]!))];
      }
      const chains = new Map(known.map((each) => [`${each.visitor} ${each.path}`, each]));
      const kinds = { human: ['human'], ai: ['assistant'], total: ['human', 'assistant'] };
      for (const chain of chains.values()) {
        const mine = (each: { visitor: bigint; path: string }) =>
          each.visitor === chain.visitor && each.path === chain.path;
        const own = revisits.filter(mine);
        for (const [kind, classes] of Object.entries(kinds)) {
          const days = new Set(
            known.filter((each) => mine(each) && classes.includes(each.class)).map((each) => each.day),
          );
          const links = kind === 'total' ? own : own.filter((each) => each.kind === kind);
          const isThere = (from: number, to: number) => [...days].some((on) => on >= from && on < to);
          for (const on of days) {
            for (let end = FIRST; end <= LAST; end += 1) {
              expect(links.some((each) => each.prev === on && each.day < end)).toBe(isThere(on + 1, end));
              expect(links.some((each) => each.day === on && each.prev >= end)).toBe(isThere(end, on));
            }
          }
        }
      }
    }),
    { numRuns: times(10) },
  );
}, 240_000);
