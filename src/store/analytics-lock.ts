import type { Database } from './database.ts';

/**
 * Runs `work` as the only one of all processes that merges, compacts, erases or rebuilds this project. Null when another one is
 * at it. The lock goes with its connection; writes are conditional on the fence, should it be lost.
 */
export function withProjectLock<T>(
  database: Database,
  projectId: string,
  work: () => Promise<T>,
  options: { waitMs?: number } = {},
): Promise<T | null> {
  return withLock(database, `docent analytics ${projectId}`, work, options);
}

/** Runs `work` as the only one of all processes that moves the files of the installation. Waits for another one. */
export async function withMoveLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return (await withLock(database, 'docent analytics folder moves', work, { waitMs: Infinity })) as T;
}

async function withLock<T>(
  database: Database,
  name: string,
  work: () => Promise<T>,
  options: { waitMs?: number },
): Promise<T | null> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  const onError = (err: Error) => (broken = err);
  client.on('error', onError);
  try {
    const deadline = performance.now() + (options.waitMs ?? 0);
    for (;;) {
      const { rows } = await client.query<{ locked: boolean }>(
        `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked`,
        [name],
      );
      if (rows[0]?.locked) break;
      if (performance.now() >= deadline) return null;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    try {
      return await work();
    } finally {
      if (!broken) await client.query(`SELECT pg_advisory_unlock(hashtextextended($1, 0))`, [name]);
    }
  } finally {
    client.off('error', onError);
    client.release(broken ?? false);
  }
}
