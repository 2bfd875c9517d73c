import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { DuckSession, Row, Values } from './duck-session.ts';
import { claimOwned, type OwnedFolder } from './folder-claim.ts';
import type { RowStream } from './row-stream.ts';

export type { DuckSession, Row, Values } from './duck-session.ts';

interface DuckOptions {
  memoryMb: number;
  threads: number;
  connections: number;
  /** Queries that need more memory put what does not fit into a folder of their own below this one. */
  temporaryFolder: string;
}

/**
 * One DuckDB in memory, for Parquet files. Connections are shared by all who ask, a bounded number at a time.
 * It installs nothing, and no one can change how it is set up. It starts with the first question: its library
 * takes 24 MB, and where there are no page views no one asks.
 */
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
   * Rows that are taken as they are wanted, on a connection beside those that are lent: whoever asks bounds
   * how many there are at once.
   * @param prepare makes what the statement needs, and gives the statement with the temporary tables of it;
   * it should sort: see
   *   {@link RowStream.open}
   * @throws what DuckDB throws; AppError `unavailable` after the signal
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

  /** Call it when no one uses the instance any more: streams that are still read break off. */
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
        // What it read of files would stay in memory until the limit is reached, of files that were merged
        // long ago too: some 4 MB a minute under load. The system keeps them by itself, and gives the memory
        // back.
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

/** Whether a query needed more memory than DuckDB may use. */
export const isOutOfMemory = (err: unknown): boolean => err instanceof Error && /Out of Memory/i.test(err.message);
