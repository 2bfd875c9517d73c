import type { DuckDBConnection, DuckDBResult, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { AppError } from '../../platform/errors.ts';
import { requireWhole } from './whole-result.ts';

/** A statement with what is bound to its names, and the temporary tables that were made for it. */
export interface BoundStatement {
  sql: string;
  values: Record<string, DuckDBValue>;
  types: Record<string, DuckDBType>;
  tables: readonly string[];
  /** Called once the stream has ended. */
  letGo?: () => void;
}

/**
 * The rows of a query, some thousand at a time, made when they are taken: a reader may take as long as it
 * likes, and nothing grows meanwhile. It has a connection of its own, so that it holds up no one.
 */
export class RowStream<R> {
  /** The first rows; none where the query gives none. */
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
   * Resolves with the first rows at hand. A query that sorts has read all its files by then: what becomes of
   * them is nothing to it.
   * @param connection is closed with the stream, and when this throws
   * @param signal stops the query, also while its rows are read
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
   * Once. Ends the stream, however it ends.
   * @throws Error for an incomplete result, and AppError `unavailable` after the signal: what was given until
   * then is not all
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
      // What broke it off, then, and no sign of damaged files.
      refuseStopped(this.#signal);
      throw err;
    } finally {
      await this.#end();
    }
  }

  /**
   * For a stream of which no rows are taken, or no more: not while {@link rows} waits for some. Never throws,
   * and may be repeated.
   */
  async close(): Promise<void> {
    await this.#end();
  }
}

async function* rowsOf<R>(result: DuckDBResult): AsyncGenerator<R[]> {
  for await (const rows of result.yieldRowObjectJs()) yield rows as R[];
  requireWhole(result);
}

/**
 * Closes a connection whose last result may not be read to its end. Such a result keeps what it has sorted,
 * and the connection with its tables, until JavaScript collects it, which may be never: another statement
 * takes the former from it.
 */
async function letGo(connection: DuckDBConnection, tables: readonly string[]): Promise<void> {
  try {
    for (const statement of ['SELECT 1', ...tables.map((table) => `DROP TABLE IF EXISTS ${table}`)])
      await connection.run(statement);
  } catch {
    // The connection is of no use any more: closing it is all that is left.
  } finally {
    connection.closeSync();
  }
}

/** No sign of damaged files, as what DuckDB says of it would be taken for. */
function refuseStopped(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new AppError('unavailable', 'These rows are read no further: their reader has gone, or the server stops.', {
    retryAfterSeconds: 1,
  });
}
