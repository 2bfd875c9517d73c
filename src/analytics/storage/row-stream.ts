import type { DuckDBConnection, DuckDBResult, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { AppError } from '../../platform/errors.ts';
import { requireWhole } from './whole-result.ts';

/** A statement with its bound values, and its temporary tables. */
export interface BoundStatement {
  sql: string;
  values: Record<string, DuckDBValue>;
  types: Record<string, DuckDBType>;
  tables: readonly string[];
  /** Called once the stream has ended. */
  letGo?: () => void;
}

/** A query's rows, some thousand at a time, on demand, on its own connection. */
export class RowStream<R> {
  /** The first rows; empty if the query has none. */
  readonly first: readonly R[];
  readonly #rest: AsyncIterator<R[]>;
  readonly #signal: AbortSignal;
  readonly #end: () => Promise<void>;

  private constructor(first: readonly R[], rest: AsyncIterator<R[]>, signal: AbortSignal, end: () => Promise<void>) {
    this.first = first;
    this.#rest = rest;
    this.#signal = signal;
    this.#end = end;
  }

  /**
   * Resolves with the first rows. A sorting query has then read all its files.
   * @param connection closes with the stream, or when this throws
   * @param signal stops the query, even while rows are read
   * @throws what DuckDB throws; AppError `unavailable` after the signal
   */
  static async open<R>(
    connection: DuckDBConnection,
    prepare: () => Promise<BoundStatement>,
    signal: AbortSignal,
  ): Promise<RowStream<R>> {
    const stop = () => connection.interrupt();
    let tables: readonly string[] = [];
    let letGoOfFiles: (() => void) | undefined;
    let ending: Promise<void> | undefined;
    const end = () =>
      (ending ??= (async () => {
        signal.removeEventListener('abort', stop);
        await letGo(connection, tables);
        letGoOfFiles?.();
      })());
    signal.addEventListener('abort', stop, { once: true });
    try {
      refuseStopped(signal);
      const statement = await prepare();
      ({ tables, letGo: letGoOfFiles } = statement);
      refuseStopped(signal);
      const result: DuckDBResult = await connection.stream(statement.sql, statement.values, statement.types);
      const rest = rowsOf<R>(result);
      const first = await rest.next();
      return new RowStream(first.done === true ? [] : first.value, rest, signal, end);
    } catch (err) {
      await end();
      refuseStopped(signal);
      throw err;
    }
  }

  /**
   * Call it once. Closes the stream.
   * @throws Error for an incomplete result, AppError `unavailable` after the signal
   */
  async *rows(): AsyncGenerator<readonly R[]> {
    try {
      if (this.first.length > 0) yield this.first;
      for (;;) {
        refuseStopped(this.#signal);
        const next = await this.#rest.next();
        if (next.done === true) return;
        yield next.value;
      }
    } catch (err) {
      // The signal was the cause, not damaged files.
      refuseStopped(this.#signal);
      throw err;
    } finally {
      await this.#end();
    }
  }

  /** For a stream whose rows are not being read. Idempotent, never throws. */
  async close(): Promise<void> {
    await this.#end();
  }
}

async function* rowsOf<R>(result: DuckDBResult): AsyncGenerator<R[]> {
  for await (const rows of result.yieldRowObjectJs()) yield rows as R[];
  requireWhole(result);
}

/** Closes a connection with an unfinished result, whose memory another statement releases. */
async function letGo(connection: DuckDBConnection, tables: readonly string[]): Promise<void> {
  try {
    for (const statement of ['SELECT 1', ...tables.map((table) => `DROP TABLE IF EXISTS ${table}`)])
      await connection.run(statement);
  } catch {
    // The connection is unusable: it can only be closed.
  } finally {
    connection.closeSync();
  }
}

/** Otherwise, DuckDB's error would look like damaged files. */
function refuseStopped(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new AppError('unavailable', 'Stopped reading rows: the client disconnected, or the server is stopping.', {
    retryAfterSeconds: 1,
  });
}
