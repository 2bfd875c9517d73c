import { rm } from 'node:fs/promises';
import type { FileRow } from '../../../store/analytics/manifest.ts';
import type { AnalyticsFolder } from '../../storage/analytics-folder.ts';
import type { Ids } from '../../storage/duck-read.ts';
import type { DuckSession } from '../../storage/duck.ts';
import { hasIndex, indexOf } from '../../storage/index-of.ts';
import { joined } from '../index-file.ts';
import { findIds, makeScratch } from './find.ts';
import { isExpected } from '../../../platform/errors.ts';

/**
 * Makes a table (id, day) of the events that the files' indexes hold.
 * @param events a table with `id` and `day`
 * @param files files of events
 * @returns whether there is such a table (not if empty), and the files without an index, which must be read
 */
export async function findKnownIds(
  session: DuckSession,
  folder: AnalyticsFolder,
  { events, files, into }: { events: string; files: readonly FileRow[]; into: string },
): Promise<{ isFound: boolean; unread: FileRow[] }> {
  const unread: FileRow[] = [];
  const wanted = new Map<number, Ids>();
  const scratch = makeScratch();
  let isFound = false;
  for (const file of files) {
    const name = folder.fileOf(file.path);
    const day = file.minDay;
    // Files of several days are small.
    if (day !== file.maxDay || !(await hasIndex(name))) {
      unread.push(file);
      continue;
    }
    if (!wanted.has(day)) wanted.set(day, await idsOf(session, events, day));
    const ids = wanted.get(day)!;
    let places: number[] | null;
    try {
      places = ids.low.length === 0 ? [] : await findIds(name, ids, scratch);
    } catch (err) {
      if (!isExpected(err, 'index_damaged')) throw err;
      // The file itself has the same data. Maintenance rebuilds the index.
      await rm(indexOf(name), { force: true });
      places = null;
    }
    if (!places) unread.push(file);
    else if (places.length > 0) {
      if (!isFound) await session.run(`CREATE TEMP TABLE ${into} (id UUID, day INTEGER)`);
      isFound = true;
      await append(session, into, ids, places, day);
    }
  }
  return { isFound, unread };
}

async function idsOf(session: DuckSession, events: string, day: number): Promise<Ids> {
  const parts: Ids[] = [];
  for await (const part of session.ids(`SELECT id FROM ${events} WHERE day = $day`, { day })) parts.push(part);
  return { low: joined(parts.map(({ low }) => low)), high: joined(parts.map(({ high }) => high)) };
}

/** DuckDB stores a UUID as a signed number of 128 bits, with its first bit inverted. */
const UUID_SIGN = 0x8000_0000;

async function append(session: DuckSession, table: string, ids: Ids, places: readonly number[], day: number) {
  const words = new Uint32Array(places.length * 4);
  for (const [row, place] of places.entries()) words.set([ids.low[place]!, ids.high[place]!, 0, UUID_SIGN], row * 4);
  await session.append(table, places.length, [
    { type: 'UUID', values: words, width: 16 },
    { type: 'INTEGER', values: new Int32Array(places.length).fill(day), width: 4 },
  ]);
}
