import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../platform/log.ts';
import type { Db } from '../store/database.ts';
import { isDatabaseUnavailable } from '../store/database-problem.ts';
import { PeriodicTask } from '../jobs/periodic-task.ts';
import { signalDelivered, listUnsettledJobs, readUnsettledJob, type UnsettledJob } from '../jobs/outbox.ts';
import { findNextInQueue, type SlotLimits } from '../jobs/queue.ts';
import { markWorkflowLost } from '../jobs/workflow-lost.ts';
import { jobWorkflowId, type JobWorkflows } from '../workflows/contract.ts';

/** A workflow's status by Temporal, without asking a worker or reading the history. */
type WorkflowStatus =
  /** There never was one, or it ended normally because its job was idle for a while. */
  | { kind: 'none' }
  /** The newest run was ended from outside. */
  | { kind: 'ended'; at: Date }
  /** An activity or a workflow task is under way or about to be. */
  | { kind: 'working' }
  /** It waits for a signal, or for the time after which a run ends. */
  | { kind: 'resting' }
  /** Its workflow task fails again and again: its history and the code do not go together. */
  | { kind: 'stuck' };

/** A task that failed this often, after about a minute, will not succeed with this code. */
const STUCK_ATTEMPTS = 6;
const DEADLINE_MS = 5_000;

/** @throws when Temporal is unavailable */
export async function readStatus(client: Client, workflowId: string): Promise<WorkflowStatus> {
  try {
    const handle = client.workflow.getHandle(workflowId);
    const { status, closeTime, raw } = await client.withDeadline(Date.now() + DEADLINE_MS, () => handle.describe());
    if (status.name === 'COMPLETED') return { kind: 'none' };
    if (status.name !== 'RUNNING' && status.name !== 'CONTINUED_AS_NEW') {
      return { kind: 'ended', at: closeTime ?? new Date() };
    }
    const { pendingWorkflowTask: task, pendingActivities } = raw;
    if (task && (task.attempt ?? 0) >= STUCK_ATTEMPTS) return { kind: 'stuck' };
    const isWorking = task || (pendingActivities?.length ?? 0) > 0 || status.name === 'CONTINUED_AS_NEW';
    return { kind: isWorking ? 'working' : 'resting' };
  } catch (err) {
    if (err instanceof WorkflowNotFoundError) return { kind: 'none' };
    throw err;
  }
}

export interface ReconcilerOptions {
  db: Db;
  client: Client;
  jobWorkflows: JobWorkflows;
  installationId: string;
  /** The most jobs that may run at the same time. */
  slots: SlotLimits;
  log: Logger;
  /** Pause between looks. */
  everyMs?: number;
  /** Younger rows are left to the API, which signals on its own. */
  quietMs?: number;
}

const BATCH = 2_000;
/** Pause before signaling a job again, doubled up to the maximum: signals are history events. */
const FIRST_PAUSE_MS = 4_000;
const MAX_PAUSE_MS = 60_000;
/** A turn may be quiet while a model thinks; its workflow is checked after this long. */
const TURN_QUIET_MS = 15_000;
/** After this many consecutive jobs that cannot be settled, Temporal itself is considered down. */
const UNAVAILABLE_AFTER = 3;
/** A workflow that stays idle after this many signals is replaced. */
const UNANSWERED_SIGNALS = 4;

/** A job that was checked, until it is settled. */
interface Watched {
  /** When to check it again. */
  until: number;
  pauseMs: number;
  /** Consecutive checks that found its workflow idle. */
  resting: number;
}

/**
 * Makes Temporal match the rows. Starts or signals jobs that the API could not; signals a workflow that is
 * idle although its turn runs in the rows, for example after a restore of an older database; replaces one
 * that does not answer; and settles jobs whose workflow was ended from outside. Any number of workers may run
 * this: only one works at a time, and all its work is safe to repeat.
 */
export class Reconciler {
  readonly #options: Required<ReconcilerOptions>;
  readonly task: PeriodicTask;
  #watched = new Map<string, Watched>();
  #isUnavailable = false;
  #failuresInARow = 0;

  constructor(options: ReconcilerOptions) {
    this.#options = { everyMs: 2_000, quietMs: 2_500, ...options };
    const { db, everyMs } = this.#options;
    this.task = new PeriodicTask({
      db,
      name: 'reconciler',
      everyMs,
      round: (isNew) => this.#reconcile(isNew),
      failed: (err) => this.#reportUnavailable(err),
    });
  }

  /** One pass over the rows. Unreachable workflows are retried at the next pass. */
  async #reconcile(isNew: boolean): Promise<void> {
    const { db, quietMs, log } = this.#options;
    // Other processes' work since then is unknown.
    if (isNew) this.#watched.clear();
    this.#failuresInARow = 0;
    const watched = new Map<string, Watched>();
    const { stopping } = this.task;
    for (let after: UnsettledJob | undefined; ;) {
      const page = await listUnsettledJobs(db, { quietMs, limit: BATCH, after });
      for (const job of page) {
        if (stopping.aborted) return;
        watched.set(job.id, await this.#tryCheck(job));
      }
      after = page.at(-1);
      if (!after || page.length < BATCH) break;
    }
    // Of the queued jobs, only those that have a slot now.
    for (const job of await findNextInQueue(db, this.#options.slots)) {
      if (stopping.aborted) return;
      watched.set(job.id, await this.#tryCheck(job));
    }
    // Those that are settled are forgotten.
    this.#watched = watched;
    this.#isUnavailable = false;
    log.debug({ jobs: watched.size }, 'reconciler: done');
  }

  #reportUnavailable(err: unknown): void {
    const { log } = this.#options;
    // Logged once, not every two seconds.
    if (!this.#isUnavailable)
      log.warn({ err }, `reconciler: ${isDatabaseUnavailable(err) ? 'the database' : 'Temporal'} is unavailable`);
    else log.debug({ err: messageOf(err) }, 'reconciler: still unavailable');
    this.#isUnavailable = true;
  }

  /** A job whose workflow is silent delays no other. @throws if nothing is possible now */
  async #tryCheck(job: UnsettledJob): Promise<Watched> {
    try {
      return await this.#check(job, this.#watched.get(job.id));
    } catch (err) {
      this.#failuresInARow += 1;
      if (isDatabaseUnavailable(err) || this.#failuresInARow >= UNAVAILABLE_AFTER) throw err;
      this.#options.log.warn({ err, jobId: job.id }, 'reconciler: a job could not be reconciled; retrying');
      return this.#watched.get(job.id) ?? { until: Date.now() + FIRST_PAUSE_MS, pauseMs: FIRST_PAUSE_MS, resting: 0 };
    }
  }

  async #check(stale: UnsettledJob, before: Watched | undefined): Promise<Watched> {
    const now = Date.now();
    if (before && before.until > now) return before;
    const pauseMs = Math.min(MAX_PAUSE_MS, before ? before.pauseMs * 2 : FIRST_PAUSE_MS);
    const watched = { until: now + pauseMs, pauseMs, resting: before?.resting ?? 0 };
    // Also if the check fails, so that the next one is not immediate.
    this.#watched.set(stale.id, watched);
    await this.#settle(stale, watched);
    this.#failuresInARow = 0;
    return watched;
  }

  async #settle(stale: UnsettledJob, watched: Watched): Promise<void> {
    const { db, jobWorkflows, log, client, installationId } = this.#options;
    const found = await readUnsettledJob(db, stale.id);
    if (!found) return;
    const { job, firstPrompt, running } = found;
    if (running && !job.signalPending && Date.now() - job.updatedAt.getTime() < TURN_QUIET_MS) return;
    const status = await readStatus(client, jobWorkflowId(installationId, job.id));
    watched.resting = status.kind === 'resting' ? watched.resting + 1 : 0;
    if (status.kind === 'working' && running && !job.signalPending) return;
    if (status.kind === 'ended' && job.status === 'active') {
      const lost = await db.transaction((tx) => markWorkflowLost(tx, job.id, status.at));
      if (lost) {
        log.warn({ jobId: job.id }, 'a workflow was terminated externally: the job has failed');
        return;
      }
    }
    const isOpen = status.kind !== 'none' && status.kind !== 'ended';
    const target = { id: job.id, projectId: job.projectId, status: job.status, title: job.title, prompt: firstPrompt };
    if (status.kind === 'stuck' || watched.resting > UNANSWERED_SIGNALS) {
      await jobWorkflows.replace(target);
      watched.resting = 0;
      log.warn({ jobId: job.id, was: status.kind }, 'replaced a workflow that did not match the database');
    } else if (job.status !== 'archived' || isOpen) {
      // An archived job without an open workflow needs no signal.
      await jobWorkflows.signal(target, { reason: 'check' });
      log.info({ jobId: job.id, status: job.status, running, workflow: status.kind }, 'signaled a waiting job');
    }
    if (job.signalPending) await signalDelivered(db, job.id, job.updatedAt);
  }
}
