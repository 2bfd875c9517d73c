import type { Logger } from '../../platform/log.ts';
import type { Db } from '../../store/database.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import { keepWatched, readLiveJobs, type LiveText, type WatchedJobRow } from '../../store/jobs/live-text.ts';
import { messageOf } from '@docent/base/thrown';

/** Pause between two looks while a watched job works. */
const POLL_MS = 200;
/** The same while all of them are idle. */
const REST_MS = 1_000;
const FAILED_MS = 1_000;
/** How long a watch is announced to workers. It is renewed after a third of this time. */
const WATCHED_SECONDS = 30;
/** Jobs in one poll. */
const MAX_JOBS_PER_QUERY = 1_000;

interface Watched extends WatchedJobRow {
  id: string;
  isGone: boolean;
  words: LiveText | null;
  /** How often the job's last number went down: the database was restored, or fell back. */
  fallbacks: number;
  watches: Set<JobWatch>;
  /** On the clock of performance.now(): when to renew the announcement. */
  renewAt: number;
}

/** One reader's view of a job. */
export class JobWatch {
  readonly #feed: JobFeed;
  readonly #job: Watched;
  readonly wantsText: boolean;
  #wake: (() => void) | null = null;
  #isNew = false;

  constructor(feed: JobFeed, job: Watched, wantsText: boolean) {
    this.#feed = feed;
    this.#job = job;
    this.wantsText = wantsText;
  }

  /** The job as it was at the last poll. */
  get job(): Readonly<Omit<Watched, 'watches' | 'renewAt'>> {
    return this.#job;
  }

  /** Resolves after a change since the last call, after the time, or when the signal aborts. */
  async changed(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#isNew && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, ms));
        const wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.#wake = wake;
        signal.addEventListener('abort', wake, { once: true });
      });
      this.#wake?.();
      this.#wake = null;
    }
    this.#isNew = false;
  }

  /** Called by the feed. */
  notice(): void {
    this.#isNew = true;
    this.#wake?.();
  }

  end(): void {
    this.#feed.leave(this.#job, this);
  }
}

/** Tells readers about changes to their jobs by a few queries a second. Only rows count. */
export class JobFeed {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #jobs = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;

  constructor(db: Db, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /**
   * Watches a job until the caller ends it.
   * @param row the job as read, to which the next query is compared
   */
  watch(row: JobRow, { words }: { words: boolean }): JobWatch {
    let job = this.#jobs.get(row.id);
    if (!job) {
      const { id, status, lastEventNo, progress } = row;
      job = {
        id,
        status,
        lastEventNo,
        progress,
        revision: 0,
        words: null,
        isGone: false,
        fallbacks: 0,
        watches: new Set(),
        renewAt: 0,
      };
      this.#jobs.set(id, job);
    }
    const watch = new JobWatch(this, job, words);
    job.watches.add(watch);
    // The feed may lag one query behind the reader.
    if (job.watches.size > 1) watch.notice();
    this.#plan(POLL_MS);
    return watch;
  }

  leave(job: Watched, watch: JobWatch): void {
    job.watches.delete(watch);
    if (job.watches.size > 0) return;
    this.#jobs.delete(job.id);
    if (this.#jobs.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #plan(ms: number): void {
    if (this.#isReading || this.#timer || this.#jobs.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#read();
    }, ms);
    this.#timer.unref();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    let pauseMs = REST_MS;
    try {
      const jobs = [...this.#jobs.values()];
      await this.#keepWatched(jobs);
      for (let from = 0; from < jobs.length; from += MAX_JOBS_PER_QUERY) {
        for (const change of await readLiveJobs(this.#db, jobs.slice(from, from + MAX_JOBS_PER_QUERY)))
          this.#take(change);
      }
      if (jobs.some(({ status }) => status === 'active')) pauseMs = POLL_MS;
    } catch (err) {
      this.#log.debug({ reason: messageOf(err) }, 'watched jobs could not be read');
      pauseMs = FAILED_MS;
    } finally {
      this.#isReading = false;
      this.#plan(pauseMs);
    }
  }

  #take(change: Awaited<ReturnType<typeof readLiveJobs>>[number]): void {
    const job = this.#jobs.get(change.id);
    if (!job) return;
    if (change.isGone) {
      if (job.isGone) return;
      job.isGone = true;
    } else {
      const { status, lastEventNo, progress, revision, words } = change;
      if (lastEventNo < job.lastEventNo) job.fallbacks += 1;
      Object.assign(job, { status, lastEventNo, progress, isGone: false });
      if (revision !== job.revision) Object.assign(job, { revision, words });
    }
    for (const watch of job.watches) watch.notice();
  }

  /** A model's text is only written while someone reads it. */
  async #keepWatched(jobs: readonly Watched[]): Promise<void> {
    const now = performance.now();
    const isRead = (job: Watched) => job.status === 'active' && [...job.watches].some(({ wantsText }) => wantsText);
    if (!jobs.some((job) => job.renewAt <= now && isRead(job))) return;
    const read = jobs.filter(isRead);
    await keepWatched(
      this.#db,
      read.map(({ id }) => id),
      WATCHED_SECONDS,
    );
    for (const job of read) job.renewAt = now + (WATCHED_SECONDS * 1_000) / 3;
  }
}
