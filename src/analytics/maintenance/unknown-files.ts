import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pendingDeletions } from '../../store/analytics/deletions.ts';
import { analyticsFilePaths, type NewFile } from '../../store/analytics/manifest.ts';
import { findWriter } from '../../store/analytics/writers.ts';
import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { restoreObjects } from '../storage/bucket/objects-aside.ts';
import { syncFolder } from '../storage/durable-files.ts';
import type { DuckSession } from '../storage/duck.ts';
import { sumOf } from '../storage/file-sum.ts';
import { filesBelow } from '../storage/files-below.ts';
import { summaryOf, type Summary } from '../storage/parquet-writer.ts';
import type { StorageDeps } from '../storage/storage.ts';

type EventFamily = 'events' | 'unmerged';

/** A whole file of events that no manifest names, as a manifest would name it. */
export interface UnknownFile {
  file: NewFile;
  written: string;
  /** The event log segment, `<writer>/<number>`, that it was made from; empty for others. */
  source: string;
}

/** Whether a file was sealed from an event log, and so holds acknowledged page views. */
export const isSealed = ({ source }: UnknownFile): boolean => source !== '';

/** Merged files first, newest first, as they may be rewritten: each id counts as it came first. */
export function newestFirst(files: readonly UnknownFile[]): UnknownFile[] {
  const byTime = files.toSorted((a, b) => (a.written < b.written ? -1 : 1));
  const isMerged = ({ file }: UnknownFile) => file.path.split('/')[2] === 'events';
  return [...byTime.filter(isMerged).toReversed(), ...byTime.filter((one) => !isMerged(one))];
}

export interface UnreadableFile {
  path: string;
  reason: string;
}

/** Event files outside the manifest that no process is about to name, with those set aside. */
export async function unknownFiles(
  deps: StorageDeps,
  projectId: string,
  family: EventFamily,
): Promise<{ found: UnknownFile[]; unreadable: UnreadableFile[] }> {
  const { database, folder, log } = deps;
  await bringBack(folder, projectId, family);
  // The names first: a file that enters the manifest in between is known by then.
  const names = (await namesOf(folder, projectId, family)).filter((name) => name.endsWith('.parquet'));
  // Files that were removed on purpose, and are still there, do not come back.
  const known = new Set([
    ...(await analyticsFilePaths(database.db, projectId)),
    ...(await pendingDeletions(database.db)),
  ]);
  const found: UnknownFile[] = [];
  const unreadable: UnreadableFile[] = [];
  for (const name of names) {
    if (known.has(name)) continue;
    const read = await readUnknownFile(deps, projectId, name);
    if (read === 'unfinished') continue;
    if ('reason' in read) {
      unreadable.push({ path: name, reason: read.reason });
      log.error({ projectId, file: name, reason: read.reason }, 'a page-view file cannot be recovered');
    } else {
      found.push(read);
    }
  }
  return { found, unreadable };
}

/** Reads an unknown file's metadata. `unfinished`: its process is about to name or rewrite it. */
export async function readUnknownFile(
  deps: StorageDeps,
  projectId: string,
  name: string,
): Promise<UnknownFile | { reason: string } | 'unfinished'> {
  const { folder, duck } = deps;
  const read = await withCopy(folder, name, (copy) =>
    duck.use((session) => readCopy(session, { copy, name, projectId })),
  );
  if ('reason' in read) return read;
  return (await isUnfinished(deps, read)) ? 'unfinished' : read;
}

/** Whether the file's log is still to be sealed. Logs of other machines are known by their writers. */
async function isUnfinished({ database, folder }: StorageDeps, { source }: UnknownFile): Promise<boolean> {
  const [id = '', no = ''] = source.split('/');
  const writer = await findWriter(database.db, id);
  if (!writer || writer.consumed >= Number(no)) return false;
  if (existsSync(folder.segmentFile(id, Number(no)))) return true;
  return folder.bucketFiles !== null && writer.isFresh && !existsSync(folder.writerFolder(id));
}

/** Lends a file that no manifest names. */
export async function withCopy<T>(
  folder: AnalyticsFolder,
  name: string,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const { bucketFiles } = folder;
  if (!bucketFiles) return work(folder.fileOf(name));
  const copy = path.join(folder.temporaryFolder, `${newId()}.parquet`);
  try {
    await bucketFiles.ask(() => bucketFiles.bucket.get(name, copy));
    return await work(copy);
  } finally {
    await rm(copy, { force: true });
  }
}

async function readCopy(
  session: DuckSession,
  { copy, name, projectId }: { copy: string; name: string; projectId: string },
): Promise<UnknownFile | { reason: string }> {
  let metadata: Map<string, string>;
  let summary: Summary;
  try {
    const pairs = await session.all<{ key: string; value: string }>(
      'SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata($copy)',
      { copy },
    );
    metadata = new Map(pairs.map(({ key, value }) => [key, value]));
    summary = await session.one<Summary>(`SELECT ${summaryOf('unmerged')} FROM read_parquet($copy)`, { copy });
  } catch {
    return { reason: 'cannot be read as Parquet' };
  }
  if (metadata.get('docent') !== '1' || metadata.get('project') !== projectId) {
    return { reason: 'is no file of this project' };
  }
  const [sum, sumVersion] = metadata.get('sum')?.split(' ') ?? [];
  const isOther = metadata.get('rows') !== String(summary.rows);
  if (isOther || (sumVersion === session.libraryVersion && sum !== String(summary.sum))) {
    return { reason: 'holds other rows than were written' };
  }
  const file: NewFile = {
    id: path.basename(name, '.parquet'),
    family: 'unmerged',
    path: name,
    rows: Number(summary.rows),
    minDay: summary.first ?? 0,
    maxDay: summary.last ?? 0,
    ...(await sumOf(copy)),
  };
  return { file, written: metadata.get('written') ?? '', source: metadata.get('source') ?? '' };
}

/** Files where a project's are stored, as a manifest would name them. */
async function namesOf(folder: AnalyticsFolder, projectId: string, family: EventFamily): Promise<string[]> {
  const top = path.posix.dirname(folder.nameOf(projectId, family, ''));
  if (folder.bucketFiles) return (await folder.bucketFiles.list(`${top}/`)).map(({ name }) => name);
  return (await filesBelow(folder.fileOf(top))).map((file) =>
    path.relative(folder.root, file).split(path.sep).join('/'),
  );
}

/** Files that were set aside because no manifest named them. */
async function bringBack(folder: AnalyticsFolder, projectId: string, family: EventFamily): Promise<void> {
  if (folder.bucketFiles) await restoreObjects(folder.bucketFiles, folder.temporaryFolder, projectId, family);
  const target = path.dirname(folder.fileOf(folder.nameOf(projectId, family, '')));
  const away = await filesBelow(path.join(folder.unnamedFolder, projectId, family));
  if (away.length === 0) return;
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const file of away) {
    const name = folder.nameOf(projectId, family, path.basename(file, '.parquet'));
    await folder.bucketFiles?.ask(async () => folder.bucketFiles?.bucket.put(name, file, await sumOf(file)), 'store');
    await rename(file, folder.fileOf(name));
  }
  await syncFolder(target);
}
