import { eq, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import type { JobRow } from './jobs.ts';
import { jobs } from './schema.ts';

/** Questions under way at once. Two: while one is answered the next is on its way, and the batches stay large. */
const MAX_QUERIES = 2;
/** Ids in one question. */
const MAX_BATCH = 200;

interface Waiting {
  id: string;
  resolve: (job: JobRow | null) => void;
  reject: (err: unknown) => void;
}

/**
 * Reads jobs for many callers at once: clients poll, and a query for each would cost more than all the rest of the answer. Those
 * who ask while others are being answered share the next query. Every answer is read after its question was asked.
 */
export class JobReader {
  readonly #query;
  #waiting: Waiting[] = [];
  #running = 0;
  #scheduled = false;

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
    if (this.#scheduled || this.#running >= MAX_QUERIES || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#ask(this.#waiting.splice(0, MAX_BATCH));
      this.#schedule();
    });
  }

  async #ask(batch: readonly Waiting[]): Promise<void> {
    this.#running++;
    try {
      const rows = await this.#query.execute({ ids: [...new Set(batch.map((waiting) => waiting.id))] });
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const { id, resolve } of batch) resolve(byId.get(id) ?? null);
    } catch (err) {
      for (const { reject } of batch) reject(err);
    } finally {
      this.#running--;
      this.#schedule();
    }
  }
}
