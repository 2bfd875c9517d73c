import { ResultReturnType, type DuckDBResult } from '@duckdb/node-api';

/** A result ended before its last row. */
class ResultBroken extends Error {
  override readonly name = 'ResultBroken';

  constructor() {
    super(
      'DuckDB ended a result before its last row, and its library does not say why: too little memory does that, a file that cannot be read, and a query that was stopped.',
    );
  }
}

/**
 * Call it once a streamed result has no more chunks. The library says of a result that broke off in the middle just what it says of one that
 * was read to its end: that there is nothing more. Only the type of the result tells them apart (`duckdb_result_return_type`: invalid
 * "if the result is an error").
 * @throws ResultBroken
 */
export function requireWhole(result: DuckDBResult): void {
  if (result.returnType === ResultReturnType.INVALID) throw new ResultBroken();
}
