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

/** Batches polling reads: callers that come during a query share the next, which is read after they ask. */
export class JobReader {
  readonly #query;
  #waiting: Waiting[] = [];
  /** A query is running or about to run. One at a time: under load, more callers share it. */
  #busy = false;

  constructor(db: Db) {
    this.#query = db
      .select()
      .from(jobs)
      .where(eq(jobs.id, sql`ANY(${sql.placeholder('ids')})`))
      .prepare('docent_read_jobs');
  }

  /** The job, or null if this project has none of that id. */
  async find(projectId: string, id: string): Promise<JobRow | null> {
    const job = await new Promise<JobRow | null>((resolve, reject) => {
      this.#waiting.push({ id, resolve, reject });
      this.#schedule();
    });
    return job?.projectId === projectId ? job : null;
  }

  /** Waits for the end of the event loop's turn, so that requests that arrived together share a query. */
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
