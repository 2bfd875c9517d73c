import { mkdtempSync } from 'node:fs';
import { access, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '@docent/base/time';
import { buildIdIndex } from '../../src/analytics/counts/id-index/build.ts';
import { BUCKETS } from '../../src/analytics/counts/id-index/format.ts';
import { findIds } from '../../src/analytics/counts/id-index/find.ts';
import { unpackUnmerged } from '../../src/analytics/counts/unmerged.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck, type DuckSession } from '../../src/analytics/storage/duck.ts';
import { indexOf } from '../../src/analytics/storage/index-of.ts';
import { writeParquet } from '../../src/analytics/storage/parquet-writer.ts';
import type { FileRow } from '../../src/store/analytics/manifest.ts';
import { DEFAULT_MAPPING } from '../../src/store/analytics-settings.ts';
import { times } from '../support/how-often.ts';

const root = mkdtempSync(path.join(tmpdir(), 'docent-unmerged-'));
const folder = new AnalyticsFolder(root);
let duck: Duck;
beforeAll(async () => {
  duck = await Duck.open({ memoryMb: 128, threads: 2, connections: 1, temporaryFolder: root });
});
afterAll(async () => {
  duck.close();
  await rm(root, { recursive: true });
});

const DAY = 20_000;

interface Event {
  /** The 64 bits of its id, in hexadecimal digits. */
  id: string;
  day: number;
  time: number;
}

const halves = fc.constantFrom('00000000', '00000001', '00000002', '7fffffff', '80000000', 'ffffffff');
const event = fc.record({
  id: fc.tuple(halves, halves).map((both) => both.join('')),
  day: fc.integer({ min: DAY, max: DAY + 2 }),
  time: fc.constantFrom(0, 1, DAY_MS - 1),
});
const ofOneDay = fc
  .tuple(fc.array(event, { minLength: 1, maxLength: 25 }), fc.integer({ min: DAY, max: DAY + 2 }))
  .map(([events, day]) => events.map((each) => ({ ...each, day })));
/**
 * None; one that is whole; where some byte has changed, or behind which all is missing (which one, as a part
 * of 1); that of another file.
 */
const index = fc.oneof(
  fc.constantFrom(null, 'whole', 'whole', 'of another file'),
  fc.record({
    at: fc.float({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    how: fc.constantFrom('changed', 'cut'),
  }),
);
type Index = typeof index extends fc.Arbitrary<infer T> ? T : never;
const merged = fc.record({ events: fc.oneof(ofOneDay, fc.array(event, { minLength: 1, maxLength: 25 })), index });

const keyOf = ({ id, day }: Event) => `${id} ${day}`;

async function write(session: DuckSession, family: 'events' | 'unmerged', events: readonly Event[]): Promise<FileRow> {
  const rows = events.map(
    ({ id, day, time }, no) =>
      `(('00000000-0000-0000-' || '${id.slice(0, 4)}-${id.slice(4)}')::UUID, make_timestamp(${(day * DAY_MS + time) * 1_000}), '/${no}')`,
  );
  const values = `(SELECT id, time, path, 1::UBIGINT AS visitor, 'human' AS class, false AS class_given, NULL AS user_agent, NULL AS agent,
    'html' AS format, NULL AS referrer, false AS not_found, 1 AS classifier, NULL AS verified, NULL AS verified_by FROM (VALUES ${rows.join(', ')}) AS t(id, time, path))`;
  const file = await writeParquet(session, folder, { projectId: 'site', family }, values);
  return { ...file!, projectId: 'site', source: null, addedVersion: 1, removedVersion: null, removedAt: null };
}

async function writeIndex(session: DuckSession, file: FileRow, other: FileRow, how: Index) {
  if (how === null) return;
  // So that ids differ in their last bits alone, and are of several parts.
  await buildIdIndex(session, folder, file, { partRows: 1, seed: 1 });
  const name = indexOf(folder.fileOf(file.path));
  if (how === 'whole') return;
  if (how === 'of another file') {
    await buildIdIndex(session, folder, other);
    await writeFile(name, await readFile(indexOf(folder.fileOf(other.path))));
    await rm(indexOf(folder.fileOf(other.path)));
    return;
  }
  const bytes = await readFile(name);
  if (how.how === 'cut') await truncate(name, Math.floor(how.at * bytes.length));
  else {
    bytes[Math.floor(how.at * bytes.length)]! ^= 0x10;
    await writeFile(name, bytes);
  }
}

/** The remaining unmerged events, as positions in their files. */
async function left(session: DuckSession, unmerged: readonly FileRow[], events: readonly FileRow[]): Promise<string[]> {
  const manifest = {
    projectId: 'site',
    version: 1,
    floorDay: null,
    mapping: DEFAULT_MAPPING,
    newestFile: null,
    files: [...events, ...unmerged],
  };
  await unpackUnmerged(session, folder, manifest, unmerged, 'fresh', { temporary: true });
  try {
    const rows = await session.all<{ key: string }>(
      `SELECT right(replace(id::VARCHAR, '-', ''), 16) || ' ' || day || ' ' || path AS key FROM fresh`,
    );
    return rows.map(({ key }) => key).toSorted();
  } finally {
    await session.run('DROP TABLE fresh');
  }
}

test('an event counts once on its day, whatever became of the indexes of those before it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(merged, { maxLength: 4 }),
      fc.array(fc.array(event, { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 2 }),
      async (before, fresh) => {
        await duck.use(async (session) => {
          const other = await write(session, 'events', [{ id: 'ffffffffffffffff', day: DAY, time: 0 }]);
          const files: FileRow[] = [];
          for (const each of before) {
            const file = await write(session, 'events', each.events);
            if (file.minDay === file.maxDay) await writeIndex(session, file, other, each.index);
            files.push(file);
          }
          const unmerged: FileRow[] = [];
          for (const events of fresh) unmerged.push(await write(session, 'unmerged', events));

          const seen = new Set(before.flatMap(({ events }) => events.map(keyOf)));
          const expected: string[] = [];
          for (const events of fresh) {
            for (const [no, each] of events.entries()) {
              if (!seen.has(keyOf(each))) expected.push(`${keyOf(each)} /${no}`);
              seen.add(keyOf(each));
            }
          }
          expect(await left(session, unmerged, files)).toEqual(expected.toSorted());
        });
      },
    ),
    { numRuns: times(12) },
  );
}, 240_000);

/** SQL of the id that a number has. */
const idOf = (no: string) =>
  `('00000000-0000-0000-' || substr(format('{:016x}', hash(${no})), 1, 4) || '-' || substr(format('{:016x}', hash(${no})), 5))::UUID`;

test('an index holds each id of its file and no other, in however many parts', async () => {
  await duck.use(async (session) => {
    const file = await writeParquet(
      session,
      folder,
      { projectId: 'site', family: 'events' },
      `(SELECT ${idOf('n')} AS id, make_timestamp(${DAY * DAY_MS} * 1000) AS time, '/' AS path, 1::UBIGINT AS visitor, 'human' AS class,
         false AS class_given, NULL AS user_agent, NULL AS agent, 'html' AS format, NULL AS referrer, false AS not_found, 1 AS classifier, NULL AS verified, NULL AS verified_by
       FROM range(100_000) t(n))`,
    );
    const row = { ...file!, projectId: 'site', source: null, addedVersion: 1, removedVersion: null, removedAt: null };
    const words: number[][] = [[], []];
    for await (const { low, high } of session.ids(`SELECT ${idOf('n')} AS id FROM range(200_000) t(n) ORDER BY n`)) {
      words[0]!.push(...low);
      words[1]!.push(...high);
    }
    const [low, high] = words.map((half) => Uint32Array.from(half));
    for (const partRows of [1_000_000, 20_000]) {
      await buildIdIndex(session, folder, row, { partRows });
      const found = await findIds(folder.fileOf(row.path), { low: low!, high: high! });
      expect(found!.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100_000 }, (_, n) => n));
    }
  });
});

test.each([
  ['its buckets', 0],
  ['its middle bits', BUCKETS * 4],
  ['its last bits', BUCKETS * 4 + 2],
  ['its footer', BUCKETS * 4 + 6],
])('an index that is damaged in %s says nothing, and goes, so that maintenance makes it anew', async (_, at) => {
  await duck.use(async (session) => {
    const known = { id: '0000000000000001', day: DAY, time: 0 };
    const [file, fresh] = [await write(session, 'events', [known]), await write(session, 'unmerged', [known])];
    await writeIndex(session, file, file, 'whole');
    const name = indexOf(folder.fileOf(file.path));
    const bytes = await readFile(name);
    bytes[at]! ^= 0x10;
    await writeFile(name, bytes);
    expect(await left(session, [fresh], [file])).toEqual([]);
    await expect(access(name)).rejects.toThrow('ENOENT');
  });
});
