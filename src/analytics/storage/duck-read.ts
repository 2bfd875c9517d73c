import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';

/** Copies of a chunk's columns, all INTEGER or UINTEGER and not NULL. */
export function readNumbers({ chunk, columnCount, rowCount }: DuckDBDataChunk): Uint32Array[] {
  return Array.from({ length: columnCount }, (_, at) => {
    const bytes = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk, at), rowCount * 4);
    const numbers = new Uint32Array(rowCount);
    new Uint8Array(numbers.buffer).set(bytes);
    return numbers;
  });
}

/** Ids of events, each as the halves of its 64 bits. */
export interface Ids {
  low: Uint32Array;
  high: Uint32Array;
}

/** The first column of a chunk: UUIDs that begin with 64 zeros, none of them NULL. */
export function readIds({ chunk, rowCount }: DuckDBDataChunk): Ids {
  const bytes = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk, 0), rowCount * 16);
  const words = new Uint32Array(rowCount * 4);
  new Uint8Array(words.buffer).set(bytes);
  const [low, high] = [new Uint32Array(rowCount), new Uint32Array(rowCount)];
  for (let i = 0; i < rowCount; i += 1) {
    low[i] = words[i * 4]!;
    high[i] = words[i * 4 + 1]!;
  }
  return { low, high };
}
