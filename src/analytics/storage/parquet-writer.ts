import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { NewFile } from '../../store/analytics/manifest.ts';
import type { FileFamily } from '../../store/analytics/analytics-schema.ts';
import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from './analytics-folder.ts';
import { publishFile, syncFile, syncFolder } from './durable-files.ts';
import type { DuckSession, Values } from './duck.ts';
import { noteWhole } from './file-check.ts';
import { sha256Of } from './file-sum.ts';
import { copySorted } from './sorted-copy.ts';
import { COLUMNS, dayExpression } from './tables.ts';

/** The content of a file. */
export interface Part {
  target: { projectId: string; family: FileFamily };
  /** SQL that gives the family's columns. */
  relation: string;
  values?: Values;
  /** A summary of the rows, if the caller knows it. */
  summary?: Summary;
}

interface Writing {
  metadata?: Record<string, string>;
  afterWrite?: () => void;
  afterRename?: () => void;
  /** Takes the files: see {@link writtenTogether}. */
  into?: NewFile[];
  /** Receives the uploads to a bucket, to await them together. Without it, they are awaited. */
  storing?: Promise<void>[];
  /** The zstd level for permanent files: 9 takes twice the time of 3, and a twentieth less space. */
  level?: 3 | 9;
}

/** Files that are synced in parallel. */
const PUBLISHED_AT_ONCE = 8;

/** As {@link writeParquets}, of one file. Null for no rows. */
export async function writeParquet(
  session: DuckSession,
  folder: AnalyticsFolder,
  target: Part['target'],
  relation: string,
  values: Values = {},
  about: Writing = {},
): Promise<NewFile | null> {
  const [file] = await writeParquets(session, folder, [{ target, relation, values }], about);
  return file ?? null;
}

/**
 * Writes rows as files, one for each part with any rows: under a temporary name, read back and compared,
 * synced, renamed, the folder synced, and stored in the bucket if there is one. A file counts once it is in
 * the manifest. If one cannot be written, none stays.
 * @param parts all of one family
 * @returns the files in the order of their parts
 */
export async function writeParquets(
  session: DuckSession,
  folder: AnalyticsFolder,
  parts: readonly Part[],
  about: Writing = {},
): Promise<NewFile[]> {
  folder.assertMounted();
  const staged: Staged[] = [];
  const files: NewFile[] = [];
  try {
    for (const part of parts) await stage(session, folder, part, about, staged);
    await requireSame(session, staged);
    const waiting = staged.entries();
    await Promise.all(
      Array.from({ length: PUBLISHED_AT_ONCE }, async () => {
        for (const [place, next] of waiting) files[place] = await publish(folder, next, about);
      }),
    );
  } catch (err) {
    for (const { temporary, final } of staged) for (const name of [temporary, final]) await rm(name, { force: true });
    throw err;
  }
  for (const file of files) {
    noteWhole(folder, file.id);
    // First, so that it goes again if it cannot be stored.
    about.into?.push(file);
  }
  for (const file of files) {
    const storing = folder.store(file);
    if (about.storing) {
      about.storing.push(storing);
      storing.catch(() => {}); // The process that took it handles it later.
    } else await storing;
  }
  return files;
}

/** A file under its temporary name. */
interface Staged extends Pick<Part, 'target'> {
  id: string;
  /** Relative to the folder. */
  name: string;
  temporary: string;
  final: string;
  summary: Summary;
}

async function stage(
  session: DuckSession,
  folder: AnalyticsFolder,
  part: Part,
  about: Writing,
  into: Staged[],
): Promise<void> {
  const { target, relation, values = {} } = part;
  const { projectId, family } = target;
  const summary = part.summary ?? (await session.one<Summary>(`SELECT ${summaryOf(family)} FROM ${relation}`, values));
  if (summary.rows === 0n) return;
  const id = newId();
  const name = folder.nameOf(projectId, family, id);
  const temporary = path.join(folder.temporaryFolder, `${id}.parquet`);
  into.push({ target, id, name, temporary, final: folder.fileOf(name), summary });
  const metadata = {
    docent: '1',
    project: projectId,
    family,
    rows: String(summary.rows),
    // Another version of DuckDB may hash differently.
    sum: `${summary.sum} ${session.libraryVersion}`,
    written: new Date().toISOString(),
    ...about.metadata,
  };
  const columns = Object.keys(COLUMNS[family]).join(', ');
  const rows = { family, rows: Number(summary.rows), select: `SELECT ${columns} FROM ${relation}`, values };
  const options = `COMPRESSION zstd, COMPRESSION_LEVEL ${about.level ?? 3}, ROW_GROUP_SIZE 122880, KV_METADATA {${keyValues(metadata)}}`;
  await copySorted(session, rows, { file: temporary, options });
  about.afterWrite?.();
}

/** Reads all of them back. @throws Error if the content differs */
async function requireSame(session: DuckSession, staged: readonly Staged[]): Promise<void> {
  const [first] = staged;
  if (!first) return;
  const written = await session.all<Summary & { filename: string }>(
    `SELECT filename, ${summaryOf(first.target.family)} FROM read_parquet($files, filename = true) GROUP BY filename`,
    { files: staged.map(({ temporary }) => temporary) },
  );
  const found = new Map(written.map((summary) => [summary.filename, summary]));
  for (const { temporary, summary } of staged) {
    const { rows, sum } = found.get(temporary) ?? { rows: 0n, sum: null };
    if (rows !== summary.rows || sum !== summary.sum) {
      throw new Error(`A Parquet file of ${summary.rows} rows reads back as another one of ${rows}.`);
    }
  }
}

/** Gives a file its name, durably. */
async function publish(folder: AnalyticsFolder, staged: Staged, about: Writing): Promise<NewFile> {
  const { target, id, name, temporary, final, summary } = staged;
  await syncFile(temporary);
  const sha256 = await sha256Of(temporary);
  await makeFolder(folder, path.dirname(final));
  await publishFile(temporary, final);
  await folder.requireWritten(final);
  about.afterRename?.();
  return {
    id,
    family: target.family,
    path: name,
    rows: Number(summary.rows),
    bytes: (await stat(final)).size,
    minDay: summary.first ?? 0,
    maxDay: summary.last ?? 0,
    sha256,
  };
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
