import type { Database } from '../database.ts';

/** A sort of about 500 KB with 64 KB of memory: the rest goes to a temporary file. */
const WRITE_TO_DISK = `
  SELECT max(filler) FROM (
    SELECT repeat(md5(n::text), 8) AS filler FROM generate_series(1, 2000) AS n ORDER BY filler OFFSET 0
  ) AS sorted`;

/** How long a successful write check counts. */
const REMEMBER_MS = 5_000;

/**
 * Checks that the database responds and can write. Leaves nothing behind. Rejects with the database's error.
 */
export function writeCheck({ pool }: Pick<Database, 'pool'>): () => Promise<void> {
  let wroteUntil = 0;
  return async () => {
    if (performance.now() < wroteUntil) {
      await pool.query('SELECT 1');
      return;
    }
    const client = await pool.connect();
    let broken = false;
    try {
      await client.query('BEGIN');
      await client.query("SET LOCAL work_mem = '64kB'");
      await client.query(WRITE_TO_DISK);
      wroteUntil = performance.now() + REMEMBER_MS;
    } catch (err) {
      wroteUntil = 0;
      broken = true;
      throw err;
    } finally {
      await client.query('ROLLBACK').catch(() => (broken = true));
      // One in an unknown state is not given to others.
      client.release(broken);
    }
  };
}
