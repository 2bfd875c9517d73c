import type { Logger } from '../../platform/log.ts';
import { expiredDeleted } from '../../platform/telemetry/instruments.ts';
import type { Db } from '../../store/database.ts';
import type { RetentionRule } from '../../store/installation/retention-schema.ts';
import * as retention from '../../store/installation/retention.ts';
import { runActivity } from '../run-activity.ts';

/** The longest time per rule and run. The next run continues. */
const MOST_MS = 5 * 60_000;

export interface RetentionDeps {
  db: Db;
  log: Logger;
  settings: {
    jobsKeepDays?: number | undefined;
    transcriptsKeepDays?: number | undefined;
    jobEventsKeepDays?: number | undefined;
    temporalKeepDays?: number | undefined;
    auditDays: number;
  };
  /**
   * Asks Temporal to keep histories for this many days. Returns the days it keeps them and, if they differ,
   * why.
   */
  keepHistories: (days: number | undefined) => Promise<{ keepDays: number | null; problem: string | null }>;
}

export type RetentionActivities = ReturnType<typeof createRetentionActivities>;
type Remove = (q: Db, at: { days: number; after: retention.Batch['next'] }) => Promise<retention.Batch>;

/** Removes expired data. Each is safe to run twice, in parallel, and to kill at any point. */
export function createRetentionActivities({ db, log, settings, keepHistories }: RetentionDeps) {
  const rules: Record<Exclude<RetentionRule, 'temporal'>, { days: number | undefined; remove: Remove }> = {
    transcripts: { days: settings.transcriptsKeepDays, remove: retention.removeOldTranscripts },
    job_events: { days: settings.jobEventsKeepDays, remove: retention.removeOldEvents },
    jobs: { days: settings.jobsKeepDays, remove: retention.removeOldJobs },
    audit_log: { days: settings.auditDays, remove: retention.removeOldAudit },
  };
  return {
    /** Deletes expired data in batches for up to five minutes. Without days, reports that the rule is off. */
    async deleteExpiredOf({ rule }: { rule: RetentionRule }): Promise<{ words: string }> {
      return runActivity(log, {}, async ({ signal }) => {
        if (rule === 'temporal') {
          const { keepDays, problem } = await keepHistories(settings.temporalKeepDays);
          await retention.beginRun(db, rule, { keepDays, problem });
          return { words: problem ?? `kept for ${keepDays ?? 'an unknown number of'} days` };
        }
        const { days, remove } = rules[rule];
        await retention.beginRun(db, rule, { keepDays: days ?? null });
        if (days === undefined) return { words: 'kept for ever' };
        const until = performance.now() + MOST_MS;
        let removed = 0;
        let after: retention.Batch['next'] = null;
        do {
          signal.throwIfAborted();
          const batch: retention.Batch = await remove(db, { days, after });
          removed += batch.removed;
          after = batch.next;
          if (batch.removed > 0) expiredDeleted(rule, batch.removed);
        } while (after && performance.now() < until);
        if (removed > 0) log.info({ rule, days, removed }, 'deleted expired data');
        return { words: `kept for ${days} days, removed ${removed}${after ? ', the next run goes on' : ''}` };
      });
    },
  };
}
