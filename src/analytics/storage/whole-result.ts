import { ResultReturnType, type DuckDBResult } from '@duckdb/node-api';

/**
 * Call it at the end of a streamed result: the library reports a broken result as a finished one, except by
 * its type (`duckdb_result_return_type`).
 * @throws Error for a result that ended early
 */
export function requireWhole(result: DuckDBResult): void {
  if (result.returnType === ResultReturnType.INVALID) {
    throw new Error(
      'DuckDB ended a result before its last row, and its library does not say why. Causes are too ' +
        'little memory, an unreadable file, and a stopped query.',
    );
  }
}
