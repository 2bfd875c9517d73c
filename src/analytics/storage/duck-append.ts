import {
  BOOLEAN,
  DOUBLE,
  DuckDBDataChunk,
  INTEGER,
  UBIGINT,
  UUID,
  VARCHAR,
  type DuckDBConnection,
} from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';

const FIXED = { BOOLEAN, DOUBLE, INTEGER, UBIGINT, UUID };

/** Consecutive values of one width, in DuckDB's memory layout; none is NULL. */
export interface FixedColumn {
  readonly type: keyof typeof FIXED;
  readonly values: ArrayBufferView<ArrayBuffer>;
  /** Bytes of one value. */
  readonly width: number;
}

/** Texts, or NULL. */
export type TextColumn = readonly (string | null)[];

export type Column = FixedColumn | TextColumn;

/**
 * Appends rows by column, at a tenth of the cost of JSON.
 * @param columns in the table's order, each with at least `rows` values
 * @throws what DuckDB throws; some rows may be in the table
 */
export async function appendColumns(
  connection: DuckDBConnection,
  table: string,
  rows: number,
  columns: readonly Column[],
): Promise<void> {
  const types = columns.map((column) => (isText(column) ? VARCHAR : FIXED[column.type]));
  const most = duckdb.vector_size();
  const appender = await connection.createAppender(table);
  try {
    for (let first = 0; first < rows; first += most) {
      const count = Math.min(most, rows - first);
      const chunk = DuckDBDataChunk.create(types, count);
      columns.forEach((column, at) => {
        if (isText(column)) chunk.setColumnValues(at, column.slice(first, first + count));
        else copyValues(chunk, at, column, first, count);
      });
      appender.appendDataChunk(chunk);
    }
    appender.flushSync();
  } catch (err) {
    appender.clear();
    throw err;
  } finally {
    appender.closeSync();
  }
}

function copyValues(chunk: DuckDBDataChunk, at: number, column: FixedColumn, first: number, count: number): void {
  const { values, width } = column;
  if (values.byteLength < (first + count) * width) throw new RangeError(`Column ${at} has too few values.`);
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, at);
  duckdb.copy_data_to_vector(vector, 0, values.buffer, values.byteOffset + first * width, count * width);
}

const isText = (column: Column): column is TextColumn => Array.isArray(column);
