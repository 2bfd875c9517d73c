import { findAnalytics } from '../../store/analytics/manifest.ts';
import { noteMaintained } from '../../store/analytics/due.ts';
import { forgetErased } from '../../store/analytics/erased.ts';
import { databaseNow } from '../../store/database.ts';
import { destroySalts } from '../../store/analytics/salts.ts';
import { isSameMapping, mappingAt, wantedMapping } from '../../store/analytics-settings.ts';
import { findProject } from '../../store/projects/projects.ts';
import { compactProject } from './compact.ts';
import { dayOf } from '../events/days.ts';
import { deleteRemoved, dropBefore } from './erase.ts';
import { mergeProject } from './merge.ts';
import { rebuildProject } from './rebuild.ts';
import { isClosed, SaltCalendar } from '../events/salt-calendar.ts';
import type { SteadyClock } from './steady-clock.ts';
import type { StorageDeps } from '../storage/storage.ts';

export interface MaintenanceOptions {
  /** Days that page views are kept if the project has no setting; null forever. */
  retentionDays: number | null;
  clock: Pick<SteadyClock, 'now'>;
}

/** How long replaced files stay: answers name versions, and listings continue with them. */
export const GRACE_MS = 15 * 60_000;

/** All maintenance of one project. Idempotent. @returns the completed work, for people */
export async function maintain(
  deps: StorageDeps,
  projectId: string,
  { retentionDays, clock }: MaintenanceOptions,
): Promise<{ words: string }> {
  const head = await findAnalytics(deps.database.db, projectId);
  const project = await findProject(deps.database.db, projectId);
  if (!head || !project) return { words: 'gone' };
  const { settings } = project;
  // Before anything is written: on a full disk it frees space.
  const deleted = await deleteRemoved(deps, projectId, GRACE_MS);
  const startedAt = await databaseNow(deps.database.db);
  const now = clock.now(startedAt);
  if (now === null) {
    deps.log.warn({ projectId }, 'the clock of this machine was changed: nothing is deleted by age for an hour');
  } else {
    const today = dayOf(now);
    const days = settings.analyticsRetentionDays ?? retentionDays;
    if (days) await dropBefore(deps, projectId, today - days);
    await forgetErased(deps.database.db, projectId);
    const destroyed = await destroySalts(deps.database, projectId, (period, schedule) =>
      isClosed({ endDay: new SaltCalendar(schedule).endOf(period) }, today),
    );
    if (destroyed.length > 0) deps.log.info({ projectId, periods: destroyed }, 'salts of past periods were destroyed');
  }
  if (!isSameMapping(mappingAt(head.mappings, head.version), wantedMapping(settings))) {
    await rebuildProject(deps, projectId, {});
  }
  const merged = await mergeProject(deps, projectId);
  const compacted = await compactProject(deps, projectId, now ?? undefined);
  if (!merged || !compacted) return { words: 'another process is at it' };
  // If the clock was just changed, old files are left for the next time.
  if (now !== null) await noteMaintained(deps.database.db, projectId, startedAt);
  const words = `${merged.events} events merged, ${merged.repeats} repeats skipped, ${compacted.filesBefore} files compacted to ${compacted.filesAfter}, ${deleted} deleted`;
  return { words };
}
