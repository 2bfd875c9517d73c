import { DAY_MS } from '@docent/base/time';
import { faultPoint } from '../../platform/faults.ts';
import { forbidTakingBack } from '../../store/analytics/damage.ts';
import { findAnalytics, readManifest, type FileRow, type NewFile } from '../../store/analytics/manifest.ts';
import { addUnmerged, forgetRemoved } from '../../store/analytics/manifest-changes.ts';
import { recoveredSource } from '../../store/analytics/recovered.ts';
import { saltsOf } from '../../store/analytics/salts.ts';
import type { FileFamily } from '../../store/analytics/analytics-schema.ts';
import { noteErased } from '../../store/analytics/erased.ts';
import type { ClassMapping } from '../../store/analytics-settings.ts';
import { newId } from '../../store/ids.ts';
import { deleteReportsBefore, deleteReportsOf } from '../../store/analytics/reader-reports.ts';
import { compactedRows } from './compact.ts';
import type { DuckSession, Values } from '../storage/duck.ts';
import { mergeLocked } from './merge.ts';
import { hasEvents } from './lost-files.ts';
import { isSealed, newestFirst, unknownFiles } from './unknown-files.ts';
import { withWholeFiles } from './repair.ts';
import { writeParquet } from '../storage/parquet-writer.ts';
import { cubeOf, viewsOf } from '../counts/count-sql.ts';
import { unpackUnmerged } from '../counts/unmerged.ts';
import { commit, deleteNoted, writtenTogether, type StorageDeps } from '../storage/storage.ts';
import { absolutePaths, dayExpression, EVENT_COLUMNS, ofFamily, overlapping, relation } from '../storage/tables.ts';
import { visitorOf, type VisitorSource } from '../events/visitor.ts';

/** How long an erasure waits for a merge or compaction of the project. */
const WAIT_MS = 120_000;

/** The days before `day` with events: their number and the first (null for none). */
export async function countBefore(
  { database, folder, duck }: StorageDeps,
  projectId: string,
  day: number,
): Promise<{ days: number; events: number; firstDay: number | null }> {
  const manifest = await readManifest(database.db, projectId);
  const from = manifest.floorDay ?? -1_000_000;
  const old = overlapping(manifest.files, from, day - 1);
  const events = ofFamily(old, 'events');
  const unmerged = `before_${newId()}`;
  return duck.use(async (session) => {
    await unpackUnmerged(session, folder, manifest, ofFamily(old, 'unmerged'), unmerged, { temporary: true });
    try {
      const found = await session.one<{ days: bigint; events: bigint; firstDay: number | null }>(
        `SELECT count(DISTINCT day) AS days, count(*) AS events, min(day) AS "firstDay" FROM (
           SELECT ${dayExpression('time')} AS day FROM ${relation('events', events, 'events')}
           UNION ALL SELECT day FROM ${unmerged}
         ) WHERE day >= $from AND day < $day`,
        { from, day, ...(events.length > 0 ? { events: absolutePaths(folder, events) } : {}) },
      );
      return { days: Number(found.days), events: Number(found.events), firstDay: found.firstDay };
    } finally {
      await session.drop(unmerged);
    }
  });
}

/** Drops days before `floorDay` with feedback and searches, at once. Idempotent. Null if busy. */
export async function dropBefore(
  deps: StorageDeps,
  projectId: string,
  floorDay: number,
): Promise<{ files: number } | null> {
  const { database, folder, duck } = deps;
  await deleteReportsBefore(database.db, projectId, floorDay * DAY_MS);
  return withWholeFiles(
    deps,
    projectId,
    async () => {
      const head = await findAnalytics(database.db, projectId);
      if (!head || (head.floorDay !== null && head.floorDay >= floorDay)) return { files: 0 };
      const { files } = await readManifest(database.db, projectId);
      const old = files.filter((file) => file.minDay < floorDay);
      const add = await writtenTogether(folder, (written) =>
        duck.use(async (session) => {
          for (const file of old.filter((file) => file.maxDay >= floorDay)) {
            if (file.family === 'unmerged') continue; // Its old days are left out when it is merged.
            await writeParquet(
              session,
              folder,
              { projectId, family: file.family },
              keptOf(file.family, file, floorDay),
              { files: absolutePaths(folder, [file]), floor: floorDay },
              { into: written },
            );
          }
          return written;
        }),
      );
      // Links from kept days to days that go stay in files that hold no day that goes: queries never ask
      // below the floor.
      const remove = old.filter((file) => file.family !== 'unmerged' || file.maxDay < floorDay).map((file) => file.id);
      faultPoint('erase-written');
      await commit(database, folder, { projectId, fence: head.fence, remove, add, floorDay });
      faultPoint('erase-committed');
      await deleteRemoved(deps, projectId, null);
      return { files: remove.length };
    },
    { waitMs: WAIT_MS },
  );
}

/**
 * Erases a visitor: every event in any file, its feedback and searches, and its part of all counts. Files
 * with its events are rewritten and deleted immediately; older versions end. Erased events stay away when a
 * log is imported again. Events in an unsealed log are not found: wait for them first, see awaitSealed.
 * Idempotent. Null when another process is working on the project for minutes.
 */
export async function eraseVisitor(
  deps: StorageDeps,
  projectId: string,
  source: VisitorSource,
): Promise<{ events: number } | null> {
  const { database, folder, duck } = deps;
  const salts = await saltsOf(database.db, projectId);
  const ids = [...salts.values()].map((salt) => visitorOf(salt, source));
  await noteErased(database.db, projectId, ids);
  await deleteReportsOf(database.db, projectId, ids);
  const visitors = ids.map(String);
  return withWholeFiles(
    deps,
    projectId,
    async () => {
      await forbidTakingBack(database.db, projectId);
      await takeInAll(deps, projectId);
      await mergeLocked(deps, projectId);
      const head = await findAnalytics(database.db, projectId);
      if (!head) return { events: 0 };
      const { files, floorDay, mapping } = await readManifest(database.db, projectId);
      const isVisitor = `visitor IN (SELECT unnest($visitors)::UBIGINT)`;
      let events = 0;
      const remove: string[] = [];
      const add = await writtenTogether(folder, (written) =>
        duck.use(async (session) => {
          await writeCorrections(session, deps, projectId, files, written, {
            visitors,
            floor: floorDay ?? -1_000_000,
            mapping,
          });
          for (const file of files) {
            if (file.family === 'cube' || file.family === 'views') continue;
            const values: Values = { files: absolutePaths(folder, [file]), visitors };
            const rows = relation(file.family, [file], 'files');
            const { found } = await session.one<{ found: bigint }>(
              `SELECT count(*) AS found FROM ${rows} WHERE ${isVisitor}`,
              values,
            );
            if (found === 0n) continue;
            if (hasEvents(file)) events += Number(found);
            remove.push(file.id);
            await writeParquet(
              session,
              folder,
              { projectId, family: file.family },
              `(FROM ${rows} WHERE NOT (${isVisitor}))`,
              values,
              { into: written },
            );
          }
          return written;
        }),
      );
      if (remove.length === 0) return { events: 0 };
      faultPoint('erase-written');
      await commit(database, folder, { projectId, fence: head.fence, remove, add });
      faultPoint('erase-committed');
      await deleteRemoved(deps, projectId, null);
      return { events };
    },
    { waitMs: WAIT_MS },
  );
}

/** Unnamed files may hold the visitor and come in later, but not those of a running import. */
async function takeInAll(deps: StorageDeps, projectId: string): Promise<void> {
  const events = await unknownFiles(deps, projectId, 'events');
  const unmerged = await unknownFiles(deps, projectId, 'unmerged');
  const found = newestFirst([...events.found, ...unmerged.found.filter(isSealed)]);
  for (const { file } of found)
    await deps.database.db.transaction((tx) => addUnmerged(tx, projectId, [file], recoveredSource(file.id)));
}

/** The effect of these visitors on the counts, as negative counts. */
async function writeCorrections(
  session: DuckSession,
  { folder }: StorageDeps,
  projectId: string,
  files: readonly FileRow[],
  into: NewFile[],
  { mapping, ...values }: { visitors: string[]; floor: number; mapping: ClassMapping },
): Promise<void> {
  const [presence, events] = [ofFamily(files, 'presence'), ofFamily(files, 'events')];
  const [erasedPresence, erasedEvents] = [`erased_presence_${newId()}`, `erased_events_${newId()}`];
  const isErased = 'visitor IN (SELECT unnest($visitors)::UBIGINT) AND day >= $floor';
  try {
    await session.run(
      `CREATE TEMP TABLE ${erasedPresence} AS SELECT * FROM ${relation('presence', presence, 'presence')} WHERE ${isErased}`,
      { ...values, presence: absolutePaths(folder, presence) },
    );
    await session.run(
      `CREATE TEMP TABLE ${erasedEvents} AS
       SELECT * FROM (SELECT *, ${dayExpression('time')} AS day FROM ${relation('events', events, 'events')}) WHERE ${isErased}`,
      { ...values, events: absolutePaths(folder, events) },
    );
    const counts = { cube: cubeOf(erasedPresence, mapping), views: viewsOf(erasedEvents, mapping) } as const;
    for (const family of ['cube', 'views'] as const) {
      await writeParquet(session, folder, { projectId, family }, negative(counts[family]), {}, { into });
    }
  } finally {
    await session.drop(erasedPresence, erasedEvents);
  }
}

const negative = (counts: string): string => `(SELECT * REPLACE (-n AS n) FROM ${counts})`;

/** Deletes files removed `graceMs` ago (null: all) and ends versions that need them. */
export async function deleteRemoved(
  { database, folder }: StorageDeps,
  projectId: string,
  graceMs: number | null,
): Promise<number> {
  const paths = await forgetRemoved(database, projectId, graceMs);
  await deleteNoted(database, folder, paths);
  return paths.length;
}

function keptOf(family: Exclude<FileFamily, 'unmerged'>, file: FileRow, floorDay: number): string {
  if (family !== 'events') return compactedRows(family, [file], floorDay);
  return `(SELECT ${EVENT_COLUMNS} FROM read_parquet($files) WHERE ${dayExpression('time')} >= $floor)`;
}
