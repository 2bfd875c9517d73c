import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../store/database-problem.ts';
import type { ActivityRun } from './run-activity.ts';

/** Retries recording a paid answer or an edit while the database is unavailable, heartbeating. */
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
