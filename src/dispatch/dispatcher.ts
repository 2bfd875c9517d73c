import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { messageOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import { isDatabaseUnavailable, type Db } from '../store/database.ts';
import { bellAnswered } from '../store/jobs.ts';
import { listStaleJobs, markWorkflowLost, type StaleJob } from '../store/stale-jobs.ts';
import { jobWorkflowId, type JobBell } from '../workflows/contract.ts';

export interface DispatcherOptions {
  db: Db;
  client: Client;
  bell: JobBell;
  installationId: string;
  log: Logger;
  /** Pause between looks. */
  everyMs?: number;
  /** Younger rows are left to the API, which rings by itself. */
  quietMs?: number;
}

const BATCH = 2_000;
/** A job is rung again only after this long, doubled each time up to the maximum: rings are history events. */
const FIRST_PAUSE_MS = 4_000;
const MAX_PAUSE_MS = 60_000;
/** A turn may be quiet while a model thinks; its workflow is looked at after this long. */
const TURN_QUIET_MS = 15_000;

/**
 * Makes true in Temporal what the rows say: starts or rings jobs that the API could not, and settles jobs whose workflow was
 * ended from outside. Any number of workers may run one: all it does may be repeated.
 */
export class Dispatcher {
  readonly #options: Required<DispatcherOptions>;
  readonly #pauses = new Map<string, { until: number; pauseMs: number }>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;
  #troubled = false;

  constructor(options: DispatcherOptions) {
    this.#options = { everyMs: 2_000, quietMs: 2_500, ...options };
  }

  start(): void {
    this.#schedule(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #schedule(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.look().finally(() => this.#schedule(this.#options.everyMs));
    }, ms);
  }

  /** One look at the rows. Never rejects: what cannot be reached now is tried at the next look. */
  async look(): Promise<void> {
    const { db, log, quietMs } = this.#options;
    try {
      const stale = await listStaleJobs(db, quietMs, BATCH);
      this.#forgetAllBut(stale);
      for (const job of stale) {
        if (this.#stopped) return;
        await this.#settle(job);
      }
      this.#troubled = false;
    } catch (err) {
      // Said once, not every two seconds.
      if (!this.#troubled)
        log.warn({ err }, `dispatcher: ${isDatabaseUnavailable(err) ? 'the database' : 'Temporal'} is away`);
      else log.debug({ err: messageOf(err) }, 'dispatcher: still away');
      this.#troubled = true;
    }
  }

  async #settle({ job, firstPrompt, running }: StaleJob): Promise<void> {
    const { db, bell, log } = this.#options;
    const now = Date.now();
    if (running && !job.bellPending && now - job.updatedAt.getTime() < TURN_QUIET_MS) return;
    const pause = this.#pauses.get(job.id);
    if (pause && pause.until > now) return;
    const pauseMs = Math.min(MAX_PAUSE_MS, pause ? pause.pauseMs * 2 : FIRST_PAUSE_MS);
    this.#pauses.set(job.id, { until: now + pauseMs, pauseMs });

    const end = await this.#endedFromOutside(job.id);
    if (end === 'open' && running && !job.bellPending) return;
    if (end instanceof Date && job.status === 'active') {
      const lost = await db.transaction((tx) => markWorkflowLost(tx, job.id, end));
      if (lost) {
        log.warn({ jobId: job.id }, 'workflow was ended from outside: the job has failed');
        return;
      }
    }
    // An archived job with no open workflow has nobody to tell.
    if (!(job.status === 'archived' && end !== 'open')) {
      await bell.ring(
        { id: job.id, projectId: job.projectId, status: job.status, title: job.title, prompt: firstPrompt },
        { reason: 'check' },
      );
      log.info({ jobId: job.id, status: job.status }, 'rang a job that waited');
    }
    if (job.bellPending) await bellAnswered(db, job.id, job.updatedAt);
  }

  /** When the newest run was ended by somebody else; `open` while it runs; `none` where none ever was or it ended by itself. */
  async #endedFromOutside(jobId: string): Promise<Date | 'open' | 'none'> {
    const { client, installationId } = this.#options;
    try {
      const handle = client.workflow.getHandle(jobWorkflowId(installationId, jobId));
      const description = await client.withDeadline(Date.now() + 5_000, () => handle.describe());
      if (description.status.name === 'RUNNING' || description.status.name === 'CONTINUED_AS_NEW') return 'open';
      if (description.status.name === 'COMPLETED') return 'none';
      return description.closeTime ?? new Date();
    } catch (err) {
      if (err instanceof WorkflowNotFoundError) return 'none';
      throw err;
    }
  }

  #forgetAllBut(stale: readonly StaleJob[]): void {
    const ids = new Set(stale.map(({ job }) => job.id));
    for (const id of this.#pauses.keys()) if (!ids.has(id)) this.#pauses.delete(id);
  }
}
