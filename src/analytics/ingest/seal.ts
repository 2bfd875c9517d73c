import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { faultPoint } from '../../platform/faults.ts';
import type { Logger } from '../../platform/log.ts';
import { addUnmergedOf } from '../../store/analytics/manifest-changes.ts';
import type { NewFile } from '../../store/analytics/manifest.ts';
import { consumeSegment, type WriterLease } from '../../store/analytics/writers.ts';
import type { Database } from '../../store/database.ts';
import { newId } from '../../store/ids.ts';
import { wasDeleted } from '../../store/analytics/deletions.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { isMissing, syncFolder } from '../storage/durable-files.ts';
import { EVENT_LINES } from './event-lines.ts';
import type { Duck, DuckSession } from '../storage/duck.ts';
import { setUnnamedAside } from '../storage/set-aside.ts';
import { summaryOf, writeParquets, type Part, type Summary } from '../storage/parquet-writer.ts';
import { deleteFiles, deleteIfPossible } from '../storage/storage.ts';
import { scanFrames } from './wal/frame.ts';
import type { ClosedSegment } from './wal/segment-log.ts';
import { Expected } from '../../platform/errors.ts';

export interface SealDeps {
  database: Database;
  folder: AnalyticsFolder;
  duck: Duck;
  log: Logger;
  /** Called with new events of a project that can be merged. */
  onSealed?: (projectId: string, events: number) => void;
  /** Called when the database knows fewer sealed segments than there were: it may have gone back in time. */
  onBehind?: () => void;
}

/**
 * Turns one closed segment into a Parquet file for each of its projects, and adds them to the manifest in one
 * transaction with the segment's number. Then deletes the log. Safe to repeat after a crash at any point: a
 * segment that was added is only deleted. Segments of one writer are sealed in order.
 * @returns the number of added events
 * @throws Expected `folder_lost`
 */
export async function sealSegment(deps: SealDeps, lease: WriterLease, segment: ClosedSegment): Promise<number> {
  const { folder, duck, database, log } = deps;
  if (segment.no <= lease.consumed) {
    await deleteLog(segment.file);
    return 0;
  }
  const scan = scanFrames(await readFile(segment.file));
  if (scan.damage.length > 0) await setAside(deps, lease, segment, scan.damage);

  const lines = path.join(folder.temporaryFolder, `${newId()}.ndjson`);
  const source = `${lease.id}/${segment.no}`;
  const files = new Map<string, NewFile>();
  const storing: Promise<void>[] = [];
  try {
    const expected = scan.payloads.reduce((sum, payload) => sum + countLines(payload), 0);
    if (expected > 0) {
      await writeFile(lines, scan.payloads, { mode: 0o600 });
      await duck.use(async (session) => {
        const table = `segment_${newId()}`;
        await session.run(`CREATE TEMP TABLE ${table} AS ${EVENT_LINES}`, { file: lines });
        try {
          await checkCount(deps, session, { table, expected, lease, segment });
          const parts = await partsOf(session, table);
          const about = { metadata: { source }, afterWrite: () => faultPoint('seal-written'), storing };
          const written = await writeParquets(session, folder, parts, about);
          for (const [no, file] of written.entries()) files.set(parts[no]!.target.projectId, file);
        } finally {
          await session.drop(table);
        }
      });
    }
    // All projects of a segment in parallel. The log stays until the last of them is done.
    await Promise.all(storing);
  } catch (err) {
    await Promise.allSettled(storing);
    if (folder.bucketFiles) await deleteIfPossible(folder, [...files.values()]);
    throw err;
  } finally {
    await rm(lines, { force: true });
  }
  faultPoint('seal-renamed');
  const counted = await enterManifest(deps, lease, segment, files);
  for (const [projectId, file] of files) deps.onSealed?.(projectId, file.rows);
  faultPoint('seal-committed');
  await deleteLog(segment.file);
  log.debug({ writer: lease.id, segment: segment.no, events: counted }, 'segment sealed');
  return counted;

  async function enterManifest(
    { log }: SealDeps,
    lease: WriterLease,
    segment: ClosedSegment,
    files: Map<string, NewFile>,
  ): Promise<number> {
    let events = 0;
    let isBehind = false;
    const orphans: NewFile[] = [];
    const unknown: NewFile[] = [];
    await database.db.transaction(async (tx) => {
      events = 0;
      orphans.length = 0;
      unknown.length = 0;
      const consumed = await consumeSegment(tx, lease, segment.no);
      isBehind = consumed.isBehind;
      if (consumed.state === 'lost')
        throw new Expected('folder_lost', `Another process has taken over the log ${lease.id}.`);
      const added = consumed.state === 'before' ? null : await addUnmergedOf(tx, files, source);
      for (const [projectId, file] of files) {
        if (added?.has(projectId)) events += file.rows;
        else if (added === null || (await wasDeleted(tx, projectId))) orphans.push(file);
        else unknown.push(file);
      }
    });
    if (isBehind) deps.onBehind?.();
    for (const file of orphans) {
      log.info({ file: file.path }, 'dropped events of a deleted project or duplicates');
      await deleteFiles(folder, [file]);
    }
    for (const file of unknown) {
      const { path: name, rows } = file;
      log.warn(
        { file: name, rows, copy: await setUnnamedAside(folder, name) },
        'set aside events of an unknown project; after you create it, recover them with `docent analytics recover`',
      );
    }
    lease.consumed = Math.max(lease.consumed, segment.no);
    return events;
  }
}

/** The files that a segment becomes: one for each of its projects. */
async function partsOf(session: DuckSession, table: string): Promise<Part[]> {
  const events = `SELECT * EXCLUDE (project) FROM ${table} WHERE project = $project`;
  const found = await session.all<Summary & { project: string }>(
    `SELECT project, ${summaryOf('unmerged')} FROM ${table} GROUP BY project ORDER BY project`,
  );
  return found.map(({ project, ...summary }) => ({
    target: { projectId: project, family: 'unmerged' },
    relation: `(${events})`,
    values: { project },
    summary,
  }));
}

/** Lines that DuckDB cannot read are a bug of ours: they are kept for a person, and stop nothing else. */
async function checkCount(
  deps: SealDeps,
  session: DuckSession,
  { table, expected, lease, segment }: { table: string; expected: number; lease: WriterLease; segment: ClosedSegment },
): Promise<void> {
  const { rows } = await session.one<{ rows: bigint }>(`SELECT count(*) AS rows FROM ${table}`);
  if (Number(rows) === expected) return;
  const copy = path.join(deps.folder.unreadFolder, `${lease.id}-${path.basename(segment.file)}`);
  await mkdir(deps.folder.unreadFolder, { recursive: true, mode: 0o700 });
  await copyFile(segment.file, copy);
  await syncFolder(deps.folder.unreadFolder);
  deps.log.error({ expected, rows: Number(rows), copy }, 'lines of the event log cannot be read; it was set aside');
}

async function setAside(
  { folder, log }: SealDeps,
  lease: WriterLease,
  segment: ClosedSegment,
  damage: readonly { offset: number; bytes: number; atEnd: boolean }[],
): Promise<void> {
  const copy = path.join(folder.setAsideFolder, `${lease.id}-${path.basename(segment.file)}`);
  await copyFile(segment.file, copy);
  log.warn(
    { writer: lease.id, segment: segment.no, damage, copy },
    'the event log has invalid bytes (unacknowledged at a crash, or damaged). A copy was set aside',
  );
}

async function deleteLog(file: string): Promise<void> {
  try {
    await rm(file);
  } catch (err) {
    if (!isMissing(err)) throw err;
  }
  await syncFolder(path.dirname(file)).catch((err: unknown) => {
    if (!isMissing(err)) throw err;
  });
}

function countLines(payload: Buffer): number {
  let lines = 0;
  for (let at = payload.indexOf(10); at >= 0; at = payload.indexOf(10, at + 1)) lines += 1;
  return lines;
}
