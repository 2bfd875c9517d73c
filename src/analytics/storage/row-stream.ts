import type { DuckDBConnection, DuckDBResult, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { AppError } from '../../platform/errors.ts';

/** A statement with what is bound to its names. */
export interface BoundStatement {
  sql: string;
  values: Record<string, DuckDBValue>;
  types: Record<string, DuckDBType>;
}

/**
 * The rows of a query, some thousand at a time, made when they are taken: a reader may take as long as it likes, and nothing grows meanwhile.
 * It has a connection of its own, so that it holds up nobody.
 */
export class RowStream<R> {
  /** The first rows; none where the query gives none. */
  readonly first: readonly R[];
  readonly #rest: AsyncIterator<R[]>;
  readonly #signal: AbortSignal;
  readonly #close: () => void;

  private constructor(first: readonly R[], rest: AsyncIterator<R[]>, signal: AbortSignal, close: () => void) {
    this.first = first;
    this.#rest = rest;
    this.#signal = signal;
    this.#close = close;
  }

  /**
   * Resolves with the first rows at hand. A query that sorts has read all its files by then: what becomes of them is nothing to it.
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
    let isOpen = true;
    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      signal.removeEventListener('abort', stop);
      connection.closeSync();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      refuseStopped(signal);
      const { sql, values, types } = await prepare();
      refuseStopped(signal);
      const result: DuckDBResult = await connection.stream(sql, values, types);
      const rest = result.yieldRowObjectJs()[Symbol.asyncIterator]() as AsyncIterator<R[]>;
      const first = await rest.next();
      return new RowStream(first.done === true ? [] : first.value, rest, signal, close);
    } catch (err) {
      close();
      refuseStopped(signal);
      throw err;
    }
  }

  /** Once. Ends the stream, however it ends. @throws what DuckDB throws, and AppError `unavailable` after the signal: what was given is not all */
  async *rows(): AsyncGenerator<readonly R[]> {
    try {
      if (this.first.length > 0) yield this.first;
      for (;;) {
        refuseStopped(this.#signal);
        const next = await this.#rest.next();
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      this.#close();
    }
  }

  /** For a stream of which no rows are taken, or no more. Not while rows are being made. */
  close(): void {
    this.#close();
  }
}

/** No sign of damaged files, as what DuckDB says of it would be taken for. */
function refuseStopped(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new AppError(
      'unavailable',
      'These rows are not read any further: their reader has gone, or the server stops.',
      { retryAfterSeconds: 1 },
    );
  }
}
