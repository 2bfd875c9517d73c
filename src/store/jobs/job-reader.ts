import { eq, sql } from 'drizzle-orm';
import type { Db } from '../database.ts';
import type { JobRow } from './jobs.ts';
import { jobs } from '../schema.ts';

/** Ids in one query. */
const MAX_BATCH = 200;

interface Waiting {
  id: string;
  resolve: (job: JobRow | null) => void;
  reject: (err: unknown) => void;
}

/**
 * Reads jobs for many callers at once: clients poll, and a query for each would cost more than all the rest
 * of the answer. Those who ask while others are being answered share the next query. Every answer is read
 * after its question was asked.
 */
export class JobReader {
  readonly #query;
  #waiting: Waiting[] = [];
  /**
   * A query is under way or about to be sent. One at a time: the busier the server, the more callers share
   * it.
   */
  #busy = false;

  constructor(db: Db) {
    this.#query = db
      .select()
      .from(jobs)
      .where(eq(jobs.id, sql`ANY(${sql.placeholder('ids')})`))
      .prepare('docent_read_jobs');
  }

  /** The job, or null where this project has none of that id. */
  async find(projectId: string, id: string): Promise<JobRow | null> {
    const job = await new Promise<JobRow | null>((resolve, reject) => {
      this.#waiting.push({ id, resolve, reject });
      this.#schedule();
    });
    return job?.projectId === projectId ? job : null;
  }

  /** Waits for the end of the event loop's round: requests that arrived together are asked for together. */
  #schedule(): void {
    if (this.#busy || this.#waiting.length === 0) return;
    this.#busy = true;
    setImmediate(() => void this.#ask(this.#waiting.splice(0, MAX_BATCH)));
  }

  async #ask(batch: readonly Waiting[]): Promise<void> {
    try {
      const rows = await this.#query.execute({ ids: [...new Set(batch.map((waiting) => waiting.id))] });
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const { id, resolve } of batch) resolve(byId.get(id) ?? null);
    } catch (err) {
      for (const { reject } of batch) reject(err);
    } finally {
      this.#busy = false;
      this.#schedule();
    }
  }
}
