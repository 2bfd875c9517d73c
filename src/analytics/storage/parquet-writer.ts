import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { NewFile } from '../../store/analytics-manifest.ts';
import type { FileFamily } from '../../store/analytics-schema.ts';
import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from './analytics-folder.ts';
import { publishFile, syncFile, syncFolder } from './durable-files.ts';
import type { DuckSession, Values } from './duck.ts';
import { noteWhole } from './file-check.ts';
import { sha256Of } from './file-sum.ts';
import { copySorted } from './sorted-copy.ts';
import { COLUMNS, dayExpression } from './tables.ts';

/** What was written cannot be read back as it was. */
export class WrittenBadly extends Error {}

/**
 * Writes the rows of `relation` as one file: under a temporary name, read back and compared, synced, renamed, the folder
 * synced, and stored where files lie in a bucket. The file counts once it is in the manifest; until then nobody looks at it. Null for no rows.
 * @param relation SQL that gives the family's columns
 */
export async function writeParquet(
  session: DuckSession,
  folder: AnalyticsFolder,
  target: { projectId: string; family: FileFamily; shard?: number | null },
  relation: string,
  values: Values = {},
  about: {
    metadata?: Record<string, string>;
    afterWrite?: () => void;
    afterRename?: () => void;
    /** Takes the file: see {@link writtenTogether}. */
    into?: NewFile[];
    /** Takes the storing in a bucket, for whoever waits for several at once. Without it, the file is stored when this resolves. */
    storing?: Promise<void>[];
    /** Of zstd, where the file is to stay: 9 takes twice the time of 3, and a twentieth less room. */
    level?: 3 | 9;
  } = {},
): Promise<NewFile | null> {
  const { projectId, family, shard = null } = target;
  folder.requireHere();
  const columns = Object.keys(COLUMNS[family]).join(', ');
  const summary = summaryOf(family);
  const expected = await session.one<Summary>(`SELECT ${summary} FROM ${relation}`, values);
  if (expected.rows === 0n) return null;

  const id = newId();
  const name = folder.nameOf(projectId, family, id);
  const final = folder.fileOf(name);
  const temporary = path.join(folder.temporaryFolder, `${id}.parquet`);
  const metadata = {
    docent: '1',
    project: projectId,
    family,
    rows: String(expected.rows),
    // The hash may be another one in another version of DuckDB.
    sum: `${expected.sum} ${session.libraryVersion}`,
    written: new Date().toISOString(),
    ...about.metadata,
  };
  let sha256: Buffer;
  let bytes: number;
  try {
    const rows = { family, rows: Number(expected.rows), select: `SELECT ${columns} FROM ${relation}`, values };
    const options = `COMPRESSION zstd, COMPRESSION_LEVEL ${about.level ?? 3}, ROW_GROUP_SIZE 122880, KV_METADATA {${keyValues(metadata)}}`;
    await copySorted(session, rows, { file: temporary, options });
    about.afterWrite?.();
    const written = await session.one<Summary>(`SELECT ${summary} FROM read_parquet($file)`, { file: temporary });
    if (written.rows !== expected.rows || written.sum !== expected.sum) {
      throw new WrittenBadly(`A Parquet file of ${expected.rows} rows reads back as another one of ${written.rows}.`);
    }
    await syncFile(temporary);
    sha256 = await sha256Of(temporary);
    await makeFolder(folder, path.dirname(final));
    await publishFile(temporary, final);
    await folder.requireWritten(final);
    about.afterRename?.();
    bytes = (await stat(final)).size;
  } catch (err) {
    for (const name of [temporary, final]) await rm(name, { force: true });
    throw err;
  }
  noteWhole(folder, id);
  const file: NewFile = {
    id,
    family,
    path: name,
    rows: Number(expected.rows),
    bytes,
    minDay: expected.first ?? 0,
    maxDay: expected.last ?? 0,
    sha256,
    shard,
  };
  // First, so that it goes again where it cannot be stored.
  about.into?.push(file);
  const storing = folder.store(file);
  if (about.storing) {
    about.storing.push(storing);
    storing.catch(() => {}); // Whoever took it sees to it, later.
  } else await storing;
  return file;
}

/** Columns that sum a family's rows up, whatever their order: see {@link Summary}. */
export function summaryOf(family: FileFamily): string {
  const columns = Object.keys(COLUMNS[family]).join(', ');
  const day = family === 'unmerged' || family === 'events' ? dayExpression('time') : 'day';
  return `count(*) AS rows, min(${day}) AS first, max(${day}) AS last, bit_xor(hash(${columns})) AS sum`;
}

export interface Summary {
  rows: bigint;
  first: number | null;
  last: number | null;
  sum: bigint | null;
}

async function makeFolder(folder: AnalyticsFolder, target: string): Promise<void> {
  const made = await mkdir(target, { recursive: true, mode: 0o700 });
  if (made === undefined) return;
  for (let at = target; at.startsWith(folder.root); at = path.dirname(at)) await syncFolder(at);
}

function keyValues(entries: Record<string, string>): string {
  return Object.entries(entries)
    .map(([key, value]) => `${key}: '${sqlText(value)}'`)
    .join(', ');
}

const sqlText = (text: string): string => text.replaceAll("'", "''");
