import { ResultReturnType, type DuckDBResult } from '@duckdb/node-api';

/**
 * Call it when a streamed result has no more chunks. The library reports a result that broke off like a
 * complete one: there are no more rows. Only the result's type distinguishes them
 * (`duckdb_result_return_type`: invalid "if the result is an error").
 * @throws Error for a result that ended before its last row
 */
export function requireWhole(result: DuckDBResult): void {
  if (result.returnType === ResultReturnType.INVALID) {
    throw new Error(
      'DuckDB ended a result before its last row, and its library does not say why. Causes are too little memory, an unreadable file, and a stopped query.',
    );
  }
}
