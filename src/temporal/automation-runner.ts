import type { Client } from '@temporalio/client';
import type { AcceptanceSettings } from '../jobs/create-job.ts';
import { Attempts, PeriodicTask } from '../jobs/periodic-task.ts';
import { endRestedRun } from '../jobs/end-run.ts';
import { noteOccurrence, overdueOccurrence, REPORTED } from '../jobs/note-occurrence.ts';
import { workflowToWake } from '../jobs/outbox.ts';
import { startQueuedRun } from '../jobs/start-run.ts';
import { takeTriggerEvent } from '../jobs/take-event.ts';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../platform/log.ts';
import { followPullRequests, listRested, listStartable, runsToChange } from '../store/automations/automation-runs.ts';
import { listScheduled, noteScheduled } from '../store/automations/automations.ts';
import type { Db } from '../store/database.ts';
import { deleteOldRefusals } from '../store/hosts/host-messages.ts';
import { deleteOldEvents, listDueEvents, postponeEvent } from '../store/automations/trigger-events.ts';
import type { JobWorkflows } from '../workflows/contract.ts';
import { findDifferences, syncSchedule, wasReported } from './automation-schedules.ts';

export interface AutomationRunnerOptions {
  db: Db;
  client: Client;
  jobWorkflows: JobWorkflows;
  installationId: string;
  settings: AcceptanceSettings;
  /** Days that events are kept. */
  keepDays: number;
  log: Logger;
}

const EVERY_MS = 1_000;
const BATCH = 200;
/** A schedule that was changed from outside is repaired within this time. */
const COMPARE_MS = 60_000;
const DELETE_MS = 3_600_000;
const DEADLINE_MS = 10_000;

/**
 * Turns inbox events into runs, starts and ends runs, and keeps Temporal's schedules in line with the rows.
 * The rows come first, each step is one repeatable transaction, and any number of workers may run this: only
 * one works at a time.
 */
export class AutomationRunner {
  readonly #options: AutomationRunnerOptions;
  readonly task: PeriodicTask;
  readonly #attempts: Attempts;
  /** The newest occurrence of each automation that this process has made sure of. */
  readonly #occurred = new Map<string, number>();
  #comparedAt = -Infinity;
  #overdueAt = -Infinity;
  #deletedAt = -Infinity;

  constructor(options: AutomationRunnerOptions) {
    this.#options = options;
    this.#attempts = new Attempts(options.log);
    this.task = new PeriodicTask({
      db: options.db,
      name: 'automations',
      everyMs: EVERY_MS,
      work: {
        queries: [...runsToChange(), listDueEvents(options.db, 1), listScheduled(options.db, 'due')],
        isTime: () => performance.now() - Math.min(this.#comparedAt, this.#overdueAt) >= COMPARE_MS,
      },
      round: (isNew) => this.#round(isNew),
      failed: (err) => this.#attempts.report('automations', err),
    });
  }

  /** A failure is retried in the next round, and does not stop other parts. */
  async #round(isNew: boolean): Promise<void> {
    // Another process may have left schedules behind, or Temporal was restored.
    if (isNew) {
      this.#comparedAt = this.#overdueAt = -Infinity;
      this.#occurred.clear();
    }
    const { db } = this.#options;
    const parts: Record<string, () => Promise<void>> = {
      'ends of runs': () => this.#endRuns(),
      'occurrences of schedules': () => this.#noteOverdue(),
      'pull requests of runs': () => followPullRequests(db),
      'the inbox': () => this.#takeEvents(),
      'starts of runs': () => this.#startRuns(),
      'schedules of automations': () => this.#syncSchedules(),
      'clean-up of events': () => this.#deleteOld(),
    };
    for (const [name, work] of Object.entries(parts)) await this.#attempt(name, work);
  }

  /** @returns whether it succeeded */
  async #attempt(name: string, work: () => Promise<void>): Promise<boolean> {
    return !this.task.stopping.aborted && (await this.#attempts.try(name, work));
  }

  async #takeEvents(): Promise<void> {
    const { db } = this.#options;
    for (;;) {
      const due = await listDueEvents(db, BATCH);
      for (const { id } of due) {
        const isTaken = await this.#attempt(`event ${id}`, () => takeTriggerEvent(db, id));
        if (!isTaken) await postponeEvent(db, id);
      }
      if (due.length < BATCH || this.task.stopping.aborted) return;
    }
  }

  async #startRuns(): Promise<void> {
    const { db, settings } = this.#options;
    for (const at of await listStartable(db, BATCH)) {
      await this.#attempt(`run of ${at.projectId}/${at.id}`, async () => {
        const accepted = await startQueuedRun(db, at, settings);
        if (accepted) await this.#wake(accepted);
      });
    }
  }

  /** Temporal may be down: the reconciler then sends the signal. */
  async #wake(accepted: NonNullable<Awaited<ReturnType<typeof startQueuedRun>>>): Promise<void> {
    const { db, jobWorkflows, settings, log } = this.#options;
    try {
      const job = await workflowToWake(db, accepted, settings.slots);
      if (job) await jobWorkflows.signal(job, { reason: 'message' });
    } catch (err) {
      log.info({ jobId: accepted.job.id, err: messageOf(err) }, 'the reconciler takes over the workflow of a run');
    }
  }

  async #endRuns(): Promise<void> {
    const { db } = this.#options;
    for (const run of await listRested(db, BATCH)) {
      await this.#attempt(`run ${run.runId}`, () => endRestedRun(db, run));
    }
  }

  async #syncSchedules(): Promise<void> {
    const { db, client, installationId } = this.#options;
    const sync = async (automation: Awaited<ReturnType<typeof listScheduled>>[number]) => {
      await client.withDeadline(Date.now() + DEADLINE_MS, () => syncSchedule(client, installationId, automation));
      await noteScheduled(db, automation);
    };
    for (const automation of await listScheduled(db, 'due')) {
      await this.#attempt(`schedule of ${automation.projectId}/${automation.id}`, () => sync(automation));
    }
    if (performance.now() - this.#comparedAt < COMPARE_MS) return;
    const differing = await findDifferences(client, installationId, () => listScheduled(db, 'all'));
    this.#comparedAt = performance.now();
    for (const automation of differing) {
      const { projectId, id } = automation;
      // Those were created in this moment, too.
      this.#options.log.debug({ projectId, automationId: id }, 'repaired the schedule of an automation');
      await this.#attempt(`schedule of ${projectId}/${id}`, () => sync(automation));
    }
  }

  /** Temporal reports occurrences on time; here are the few that it did not. */
  async #noteOverdue(): Promise<void> {
    if (performance.now() - this.#overdueAt < COMPARE_MS) return;
    const { db, client, installationId, keepDays } = this.#options;
    for (const automation of await listScheduled(db, 'all')) {
      const key = `${automation.projectId}/${automation.id}`;
      const at = overdueOccurrence(automation, { now: new Date(), keepDays });
      if (!at || this.#occurred.get(key) === at.getTime()) continue;
      const isNoted = await this.#attempt(`occurrence of ${key}`, async () => {
        const isReported = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
          wasReported(client, installationId, { automation, at }),
        );
        await noteOccurrence(db, automation, at, isReported ? REPORTED : null);
      });
      if (isNoted) this.#occurred.set(key, at.getTime());
    }
    this.#overdueAt = performance.now();
  }

  async #deleteOld(): Promise<void> {
    if (performance.now() - this.#deletedAt < DELETE_MS) return;
    const { db, keepDays } = this.#options;
    while (!this.task.stopping.aborted && (await deleteOldEvents(db, keepDays)));
    while (!this.task.stopping.aborted && (await deleteOldRefusals(db, keepDays)));
    this.#deletedAt = performance.now();
  }
}
