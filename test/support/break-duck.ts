import { DuckDBConnection } from '@duckdb/node-api';
import { expect, vi } from 'vitest';
import type { Duck } from '../../src/analytics/storage/duck.ts';

const INVALIDATED = 'FATAL Error: Failed: database has been invalidated because of a previous fatal error.';

/** As after an internal error of DuckDB: it answers neither the question nor anything else. */
export async function breakDuck(duck: Duck): Promise<void> {
  const run = vi.spyOn(DuckDBConnection.prototype, 'run').mockRejectedValue(new Error(INVALIDATED));
  try {
    await expect(duck.use((session) => session.run('SELECT 1'))).rejects.toThrow(INVALIDATED);
  } finally {
    run.mockRestore();
  }
}
