import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../store/database-problem.ts';
import type { ActivityRun } from './run-activity.ts';

/**
 * Repeats a recording while the database is away, heartbeating: an answer that was paid for, or an edit that
 * was made, is not thrown away because of a restart of Postgres.
 */
export async function keepTrying<T>(run: ActivityRun, record: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await record();
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err;
      run.log.warn({ err }, 'the database is unavailable; keeping the outcome and retrying');
      await sleep(1_000, undefined, { signal: run.signal });
    }
  }
}
