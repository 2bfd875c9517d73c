import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RecomputedCounts } from '../../src/analytics/counts/recomputed-counts.ts';
import { addedCube, cubeOf, presenceOf, viewsOf } from '../../src/analytics/counts/count-sql.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck, type DuckSession } from '../../src/analytics/storage/duck.ts';
import type { NewFile } from '../../src/store/analytics/manifest.ts';
import { DEFAULT_MAPPING } from '../../src/store/analytics-settings.ts';

const folder = new AnalyticsFolder(mkdtempSync(path.join(tmpdir(), 'docent-counts-')));
let duck: Duck;
beforeAll(async () => {
  duck = await Duck.open({ memoryMb: 128, threads: 2, connections: 1, temporaryFolder: folder.temporaryFolder });
});
afterAll(async () => {
  duck.close();
  await rm(folder.root, { recursive: true });
});

/**
 * Some come again on other days, on other pages, as human and as AI; the days of a table are not over with
 * it.
 */
const EVENTS = `
  SELECT hash(i % 97)::UBIGINT AS visitor, '/page-' || (hash(i * 3) % 7) AS path,
    ['human', 'assistant', 'search'][1 + (hash(i * 5) % 3)::INTEGER] AS class,
    CASE WHEN i % 11 = 0 THEN 'Agent-' || (i % 3) END AS agent, CASE WHEN i % 22 = 0 THEN i % 44 = 0 END AS verified, (20000 + hash(i * 7) % 40)::INTEGER AS day,
    i % 13 = 0 AS not_found
  FROM range(4000) AS t(i)`;
const TABLES = 5;
/** Some of them are in several tables. */
const eventsOf = (table: number) =>
  `(SELECT * FROM (${EVENTS}) WHERE hash(visitor, path, day) % ${TABLES} = ${table} OR (hash(visitor, path, day) % ${TABLES} < ${table} AND day % 2 = 0))`;

const added = (views: string) => `(SELECT path, kind, day, sum(n)::BIGINT AS n FROM ${views} GROUP BY ALL)`;

async function recompute(session: DuckSession, sliceRows: number): Promise<NewFile[]> {
  const of = { projectId: 'acme', floorDay: null, mapping: DEFAULT_MAPPING };
  const counts = await RecomputedCounts.open(session, folder, of, sliceRows);
  const files: NewFile[] = [];
  const parts: number[] = [];
  try {
    for (let no = 0; no < TABLES; no += 1) {
      await session.run(`CREATE OR REPLACE TEMP TABLE taken AS FROM ${eventsOf(no)}`);
      await counts.add('taken', files);
    }
    await counts.write(files, (part) => parts.push(part));
  } finally {
    counts.close();
  }
  expect(parts.at(-1)).toBe(1);
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  return files;
}

describe.each([
  ['one slice', 1_000_000],
  ['many slices', 1_500],
])('%s', (_, sliceRows) => {
  test('all counts match those of all events, and nothing is left on the disk', async () => {
    await duck.use(async (session) => {
      const files = await recompute(session, sliceRows);
      const read = (family: string) =>
        `read_parquet([${files
          .filter((file) => file.family === family)
          .map((file) => `'${folder.fileOf(file.path)}'`)
          .join()}])`;
      const all = Array.from({ length: TABLES }, (__, no) => `FROM ${eventsOf(no)}`).join(' UNION ALL ');
      await session.run(`CREATE OR REPLACE TEMP TABLE everything AS ${all}`);
      const presence = `(SELECT DISTINCT visitor, path, class, agent, verified, day FROM ${presenceOf('everything', DEFAULT_MAPPING)})`;
      for (const [what, found, wanted] of [
        ['presence', `(FROM ${read('presence')})`, presence],
        ['cube', addedCube(read('cube')), cubeOf(presence, DEFAULT_MAPPING)],
        ['views', added(read('views')), added(viewsOf('everything', DEFAULT_MAPPING))],
        ['revisits', `(FROM ${read('revisits')})`, revisitsOf(presence)],
      ] as const) {
        const rows = (relation: string) => session.all(`SELECT * FROM ${relation} ORDER BY ALL`);
        const told = await rows(found);
        expect(told.length, what).toBeGreaterThan(10);
        expect(told, what).toEqual(await rows(wanted));
      }
      for (const file of files) await rm(folder.fileOf(file.path));
      expect((await readdir(folder.temporaryFolder)).filter((name) => !name.startsWith('duck-'))).toEqual([]);
    });
  });
});

/**
 * Each day of a visitor on a page (or the site) as a kind, with the day before; `total` only for visitors of
 * both kinds.
 */
const revisitsOf = (presence: string): string => `(
  WITH kinds AS (
    SELECT DISTINCT path, visitor, day, unnest(CASE class WHEN 'human' THEN ['human', 'total'] WHEN 'assistant' THEN ['ai', 'total'] ELSE [] END) AS kind
    FROM ${presence}
  ),
  mixed AS (SELECT path, visitor FROM kinds GROUP BY ALL HAVING bool_or(kind = 'human') AND bool_or(kind = 'ai')),
  links AS (
    SELECT path, kind, day, lag(day) OVER (PARTITION BY path, visitor, kind ORDER BY day) AS prev, visitor FROM kinds
  )
  SELECT path, kind, day, prev, visitor FROM links
  WHERE prev IS NOT NULL AND (kind <> 'total' OR (path, visitor) IN (SELECT (path, visitor) FROM mixed)))`;
