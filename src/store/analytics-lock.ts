import type { Database } from './database.ts';

/**
 * Runs `work` as the only one of all processes that merges, compacts, erases or rebuilds this project. Null when another one is
 * at it. The lock goes with its connection; writes are conditional on the fence, should it be lost.
 */
export async function withProjectLock<T>(
  database: Database,
  projectId: string,
  work: () => Promise<T>,
  options: { waitMs?: number } = {},
): Promise<T | null> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  const onError = (err: Error) => (broken = err);
  client.on('error', onError);
  try {
    const deadline = performance.now() + (options.waitMs ?? 0);
    for (;;) {
      const { rows } = await client.query<{ locked: boolean }>(
        `SELECT pg_try_advisory_lock(hashtextextended('docent analytics ' || $1, 0)) AS locked`,
        [projectId],
      );
      if (rows[0]?.locked) break;
      if (performance.now() >= deadline) return null;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    try {
      return await work();
    } finally {
      if (!broken) {
        await client.query(`SELECT pg_advisory_unlock(hashtextextended('docent analytics ' || $1, 0))`, [projectId]);
      }
    }
  } finally {
    client.off('error', onError);
    client.release(broken ?? false);
  }
}
