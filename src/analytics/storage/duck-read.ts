import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';

/** The columns of a chunk, all INTEGER or UINTEGER and not NULL, as DuckDB keeps them in memory: copies, one number after another. */
export function readNumbers({ chunk, columnCount, rowCount }: DuckDBDataChunk): Uint32Array[] {
  return Array.from({ length: columnCount }, (_, at) => {
    const bytes = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk, at), rowCount * 4);
    const numbers = new Uint32Array(rowCount);
    new Uint8Array(numbers.buffer).set(bytes);
    return numbers;
  });
}
