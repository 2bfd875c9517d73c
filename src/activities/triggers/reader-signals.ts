import { createHash } from 'node:crypto';
import { DAY_MS } from '@docent/base/time';
import { PinnedVersions } from '../../analytics/query/pinned-version.ts';
import { countPageSignal } from '../../analytics/query/reader-signals.ts';
import type { AnalyticsFolder } from '../../analytics/storage/analytics-folder.ts';
import type { Duck } from '../../analytics/storage/duck.ts';
import { PeriodicTask, reportOnce } from '../../jobs/periodic-task.ts';
import { faultPoint } from '../../platform/faults.ts';
import type { Logger } from '../../platform/log.ts';
import type { Trigger } from '../../store/automations/automation-schema.ts';
import { findAutomation, lockAutomation } from '../../store/automations/automations.ts';
import type { Database, Db } from '../../store/database.ts';
import { countReports, listReaderAutomations, type SignalSubject } from '../../store/automations/reader-signals.ts';
import { insertTriggerEvent, listRecentSubjects, READERS_SOURCE } from '../../store/automations/trigger-events.ts';

type ReaderTrigger = Extract<Trigger, { type: 'readers' }>;

const EVERY_MS = 5_000;
/** Each automation is counted this often, and soon after it was changed. */
const COUNT_MS = 10 * 60_000;
/** Pages or searches that one count may start a run with. */
const MAX_SUBJECTS = 20;

interface ReaderSignalsOptions {
  database: Database;
  folder: AnalyticsFolder;
  duck: Duck;
  log: Logger;
}

/**
 * Counts readers' signals and writes what passes a threshold into the inbox. Safe in many workers: one works
 * at a time.
 */
export class ReaderSignals {
  readonly #options: ReaderSignalsOptions;
  readonly #versions: PinnedVersions;
  readonly #task: PeriodicTask;
  /** When each automation was counted, as it was then. */
  readonly #counted = new Map<string, { updatedAt: string; at: number }>();

  constructor(options: ReaderSignalsOptions) {
    const { database, folder, duck, log } = options;
    this.#options = options;
    this.#versions = new PinnedVersions(database, folder, duck);
    this.#task = new PeriodicTask({
      db: database.db,
      name: 'reader-signals',
      everyMs: EVERY_MS,
      round: () => this.#round(),
      failed: reportOnce(log, 'reader signals could not be counted, tried again'),
    });
  }

  start(): void {
    this.#task.start();
  }

  async stop(): Promise<void> {
    await this.#task.stop();
    await this.#versions.close();
  }

  async #round(): Promise<void> {
    const { database, log } = this.#options;
    const found = await listReaderAutomations(database.db);
    const keys = new Set(found.map(keyOf));
    for (const key of this.#counted.keys()) if (!keys.has(key)) this.#counted.delete(key);
    for (const automation of found) {
      if (this.#task.stopping.aborted) return;
      const before = this.#counted.get(keyOf(automation));
      const isDue = before?.updatedAt !== automation.updatedAt || performance.now() - before.at >= COUNT_MS;
      if (!isDue) continue;
      const { projectId, id, updatedAt } = automation;
      this.#counted.set(keyOf(automation), { updatedAt, at: performance.now() });
      try {
        await noteSignals(database.db, { projectId, id }, (trigger, question) =>
          this.#count(projectId, trigger, question),
        );
      } catch (err) {
        log.warn({ err, projectId, automationId: id }, 'reader signals could not be counted');
      }
    }
  }

  async #count(
    projectId: string,
    { signal, threshold }: ReaderTrigger,
    within: { from: Date; limit: number },
  ): Promise<SignalSubject[]> {
    const { database, folder, duck } = this.#options;
    const question = { ...within, threshold };
    if (signal !== 'not_found' && signal !== 'read_by_ai_only') {
      return countReports(database.db, signal, { projectId, ...question });
    }
    const pages = await this.#versions.use(projectId, undefined, (pinned) =>
      countPageSignal({ folder, duck }, pinned, { signal, ...question }),
    );
    return pages.map((page) => ({ ...page, comments: [] }));
  }
}

const keyOf = ({ projectId, id }: { projectId: string; id: string }) => `${projectId}/${id}`;

/**
 * Writes an event per page or search above the threshold without one in the trigger's days, at most
 * {@link MAX_SUBJECTS}. Idempotent: locks the automation.
 * @param count of the trigger, since a given time, the most visitors first
 */
export async function noteSignals(
  db: Db,
  at: { projectId: string; id: string },
  count: (trigger: ReaderTrigger, within: { from: Date; limit: number }) => Promise<SignalSubject[]>,
  now = new Date(),
): Promise<void> {
  const automation = await findAutomation(db, at);
  if (automation?.trigger.type !== 'readers') return;
  const { trigger } = automation;
  const from = new Date(now.getTime() - trigger.days * DAY_MS);
  const source = `${READERS_SOURCE}${at.projectId}/${at.id}`;
  // Those that started a run lately still have the most visitors, and leave room for the others.
  const before = await listRecentSubjects(db, source, trigger.days);
  const found = await count(trigger, { from, limit: MAX_SUBJECTS + before.size });
  if (found.length === 0) return;
  await db.transaction(async (tx) => {
    const current = await lockAutomation(tx, at);
    // Changed in the meantime: the next round counts it.
    if (JSON.stringify(current.trigger) !== JSON.stringify(trigger)) return;
    const recent = await listRecentSubjects(tx, source, trigger.days);
    const keyed = found.map((subject) => ({ subject, key: keyOfSubject(trigger, subject) }));
    for (const { subject, key } of keyed.filter((one) => !recent.has(one.key)).slice(0, MAX_SUBJECTS)) {
      await insertTriggerEvent(tx, {
        source,
        deliveryId: `${key}@${now.toISOString().slice(0, 10)}`,
        projectId: at.projectId,
        automationId: at.id,
        headers: {},
        event: trigger.signal,
        body: Buffer.from(JSON.stringify(evidenceOf(trigger, subject, { from, now }))),
      });
    }
  });
  faultPoint('event-stored');
}

function keyOfSubject({ signal }: ReaderTrigger, { subject }: SignalSubject): string {
  return createHash('sha256').update(`${signal}\0${subject}`).digest('hex').slice(0, 24);
}

/** The evidence for the run. */
function evidenceOf(
  { signal, days }: ReaderTrigger,
  { subject, visitors, comments }: SignalSubject,
  { from, now }: { from: Date; now: Date },
): object {
  return {
    signal,
    [signal === 'search_without_click' ? 'search' : 'path']: subject,
    visitors,
    days,
    from: from.toISOString(),
    to: now.toISOString(),
    ...(comments.length > 0 ? { comments } : {}),
  };
}
