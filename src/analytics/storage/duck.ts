import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { DuckSession, Row, Values } from './duck-session.ts';
import { claimOwned, type OwnedFolder } from './folder-claim.ts';
import type { RowStream } from './row-stream.ts';

export type { DuckSession, Row, Values } from './duck-session.ts';

interface DuckOptions {
  memoryMb: number;
  threads: number;
  connections: number;
  /** Queries that exceed the memory limit write into their own folders below this one. */
  temporaryFolder: string;
}

/**
 * One in-memory DuckDB with bounded connections and locked settings, started when first used. After an
 * internal error, DuckDB refuses everything until it is started again: then the next question does that.
 * https://duckdb.org/docs/stable/dev/internal_errors
 */
export class Duck {
  readonly #options: DuckOptions;
  #instance: DuckDBInstance | undefined;
  #starting: Promise<DuckDBInstance> | undefined;
  #restarts = 0;
  /** Of the instance that runs, which deletes it with its last connection. */
  #folder: OwnedFolder;
  /** Of the instance that runs. */
  #free: DuckSession[] = [];
  readonly #instanceOf = new WeakMap<DuckSession, DuckDBInstance>();
  readonly #queue: PromiseWithResolvers<DuckSession>[] = [];
  readonly #closing = new AbortController();
  #open = 0;

  private constructor(options: DuckOptions) {
    this.#options = options;
    this.#folder = claimOwned(options.temporaryFolder, 'duck');
  }

  static async open(options: DuckOptions): Promise<Duck> {
    return new Duck(options);
  }

  /** How often it has lost its tables. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Lends a connection. */
  async use<T>(work: (session: DuckSession) => Promise<T>): Promise<T> {
    const session = await this.#take();
    try {
      return await work(session);
    } catch (err) {
      if (!isOutOfMemory(err)) await this.#leaveIfDead(this.#instanceOf.get(session)!);
      throw err;
    } finally {
      this.#giveBack(session);
    }
  }

  /**
   * Streams rows on a separate connection. The caller limits their number.
   * @param prepare creates what the statement needs, and returns the statement with its temporary tables; it
   *   should sort: see {@link RowStream.open}
   * @throws errors of DuckDB; AppError `unavailable` after the signal
   */
  async stream<R = Row>(
    prepare: (session: DuckSession) => Promise<{ sql: string; values: Values; tables?: readonly string[] }>,
    signal: AbortSignal,
  ): Promise<RowStream<R>> {
    const connection = await (await this.#running()).connect();
    const { RowStream } = await import('./row-stream.ts');
    return RowStream.open<R>(
      connection,
      async () => {
        const session = await sessionOf(connection);
        const { sql, values, tables = [] } = await prepare(session);
        return { ...(await session.bound(sql, values)), tables };
      },
      AbortSignal.any([signal, this.#closing.signal]),
    );
  }

  /** Call it when the instance is unused: streams that are still read break off. */
  close(): void {
    this.#closing.abort();
    for (const session of this.#free) session.close();
    this.#instance?.closeSync();
    this.#folder.release();
  }

  #giveBack(session: DuckSession): void {
    const next = this.#queue.shift();
    if (!session.isSpent && this.#instanceOf.get(session) === this.#instance) {
      if (next) next.resolve(session);
      else this.#free.push(session);
      return;
    }
    session.close();
    this.#open -= 1;
    if (next) this.#take().then(next.resolve, next.reject);
  }

  async #take(): Promise<DuckSession> {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#open >= this.#options.connections) {
      const turn = Promise.withResolvers<DuckSession>();
      this.#queue.push(turn);
      return turn.promise;
    }
    this.#open += 1;
    try {
      const instance = await this.#running();
      const session = await sessionOf(await instance.connect());
      this.#instanceOf.set(session, instance);
      return session;
    } catch (err) {
      this.#open -= 1;
      throw err;
    }
  }

  /** An instance that does not answer the simplest question is of no more use. */
  async #leaveIfDead(instance: DuckDBInstance): Promise<void> {
    if (instance !== this.#instance || (await answers(instance)) || instance !== this.#instance) return;
    const folder = claimOwned(this.#options.temporaryFolder, 'duck');
    this.#instance = undefined;
    this.#starting = undefined;
    this.#restarts += 1;
    this.#open -= this.#free.length;
    for (const session of this.#free) session.close();
    this.#free = [];
    instance.closeSync();
    this.#folder.release();
    this.#folder = folder;
  }

  #running(): Promise<DuckDBInstance> {
    return (this.#starting ??= this.#start());
  }

  async #start(): Promise<DuckDBInstance> {
    const { memoryMb, threads } = this.#options;
    try {
      const { DuckDBInstance } = await import('@duckdb/node-api');
      this.#instance = await DuckDBInstance.create(':memory:', {
        memory_limit: `${memoryMb}MB`,
        threads: String(threads),
        temp_directory: this.#folder.path,
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
        allow_community_extensions: 'false',
        // Its cache of file data would grow to the memory limit, and the system caches anyway.
        enable_external_file_cache: 'false',
        preserve_insertion_order: 'false',
        lock_configuration: 'true',
      });
      return this.#instance;
    } catch (err) {
      this.#starting = undefined;
      throw err;
    }
  }
}

async function sessionOf(connection: DuckDBConnection): Promise<DuckSession> {
  const { DuckSession } = await import('./duck-session.ts');
  return new DuckSession(connection);
}

async function answers(instance: DuckDBInstance): Promise<boolean> {
  try {
    const connection = await instance.connect();
    try {
      await connection.run('SELECT 1');
    } finally {
      connection.closeSync();
    }
    return true;
  } catch {
    return false;
  }
}

/** Whether a query exceeded DuckDB's memory limit. */
export const isOutOfMemory = (err: unknown): boolean => err instanceof Error && /Out of Memory/i.test(err.message);
