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

/** One in-memory DuckDB with bounded connections and locked settings, started when first used. */
export class Duck {
  readonly #options: DuckOptions;
  #instance: DuckDBInstance | undefined;
  #starting: Promise<DuckDBInstance> | undefined;
  readonly #folder: OwnedFolder;
  readonly #free: DuckSession[] = [];
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

  /** Lends a connection. */
  async use<T>(work: (session: DuckSession) => Promise<T>): Promise<T> {
    const session = await this.#take();
    try {
      return await work(session);
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
    const connection = await this.#connect();
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
    if (!session.isSpent) {
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
      return await sessionOf(await this.#connect());
    } catch (err) {
      this.#open -= 1;
      throw err;
    }
  }

  async #connect(): Promise<DuckDBConnection> {
    this.#starting ??= this.#start();
    return (await this.#starting).connect();
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

/** Whether a query exceeded DuckDB's memory limit. */
export const isOutOfMemory = (err: unknown): boolean => err instanceof Error && /Out of Memory/i.test(err.message);
