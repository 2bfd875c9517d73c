import { ResultReturnType, type DuckDBResult } from '@duckdb/node-api';

/**
 * Call it once a streamed result has no more chunks. The library says of a result that broke off in the
 * middle just what it says of one that was read to its end: that there is nothing more. Only the type of the
 * result tells them apart (`duckdb_result_return_type`: invalid "if the result is an error").
 * @throws Error for a result that ended before its last row
 */
export function requireWhole(result: DuckDBResult): void {
  if (result.returnType === ResultReturnType.INVALID) {
    throw new Error(
      'DuckDB ended a result before its last row, and its library does not say why. Causes are too little memory, an unreadable file, and a stopped query.',
    );
  }
}
