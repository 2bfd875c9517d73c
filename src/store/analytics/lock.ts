import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { Pool } from 'pg';
import type { Database } from '../database.ts';

/** How often a waiting process tries to get the lock. */
const RETRY_MS = 200;

/**
 * Runs `work` under the project's lock, else null. Writes also need the fence: locks end with connections.
 */
export function withProjectLock<T>(
  database: Database,
  projectId: string,
  work: () => Promise<T>,
  options: { waitMs?: number } = {},
): Promise<T | null> {
  return withLock(database, `docent analytics ${projectId}`, work, options);
}

/**
 * Runs `work` as the only one of all processes that moves the files of the installation. Waits for another
 * one.
 */
export async function withMoveLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return (await withLock(database, 'docent analytics folder moves', work, { waitMs: Infinity })) as T;
}

async function withLock<T>(
  database: Database,
  name: string,
  work: () => Promise<T>,
  options: { waitMs?: number },
): Promise<T | null> {
  const holders = holdersOf(database.pool);
  const deadline = performance.now() + (options.waitMs ?? 0);
  for (;;) {
    // A process that waits for another one holds no connection in the meantime.
    const held = await holders.add(() => ifFree(database, name, work));
    if (held) return held.result;
    if (performance.now() >= deadline) return null;
    await sleep(RETRY_MS);
  }
}

/** Runs `work` under a lock, on its own connection; null if the lock is taken. */
async function ifFree<T>(database: Database, name: string, work: () => Promise<T>): Promise<{ result: T } | null> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  const onError = (err: Error) => (broken = err);
  client.on('error', onError);
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked`,
      [name],
    );
    if (!rows[0]?.locked) return null;
    try {
      return { result: await work() };
    } finally {
      // The work is done. If the lock cannot be released, it ends with the connection, which is closed.
      if (!broken)
        await client
          .query(`SELECT pg_advisory_unlock(hashtextextended($1, 0))`, [name])
          .catch((err: Error) => (broken = err));
    }
  } finally {
    client.off('error', onError);
    client.release(broken ?? false);
  }
}

const queues = new WeakMap<Pool, PQueue>();

/** At most half of a pool's connections hold locks: their work needs further connections. */
function holdersOf(pool: Pool): PQueue {
  let queue = queues.get(pool);
  if (!queue) {
    queue = new PQueue({ concurrency: Math.max(1, Math.floor(pool.options.max / 2)) });
    queues.set(pool, queue);
  }
  return queue;
}
