import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { testWithDocent as test, type Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';

const WORKERS = 3;
const WINDOW_MS = 20_000;
const ENV = { DOCENT_LOG_LEVEL: 'debug' };

const looksOf = (worker: RoleProcess) => worker.output().split('reconciler: done').length - 1;
const sum = (workers: readonly RoleProcess[]) => workers.reduce((looks, worker) => looks + looksOf(worker), 0);

/** How often they poll within the window. */
async function looksWithin(workers: readonly RoleProcess[]): Promise<number> {
  const before = sum(workers);
  await sleep(WINDOW_MS);
  return sum(workers) - before;
}

/** The one that has polled since. */
async function whoLooks(workers: readonly RoleProcess[], withinMs: number): Promise<RoleProcess> {
  const before = workers.map(looksOf);
  const found = () => workers.find((worker, n) => looksOf(worker) > (before[n] ?? 0));
  await until('one of the workers looks', () => found() !== undefined, withinMs);
  return found() as RoleProcess;
}

describe('three workers', () => {
  test('poll for forgotten jobs as often as one does, and another continues when the polling one is killed', async ({
    docent,
  }: {
    docent: Installation;
  }) => {
    const workers = [await docent.startWorker(ENV)];
    await until('it has looked', () => sum(workers) > 0);
    const alone = await looksWithin(workers);
    workers.push(...(await Promise.all(Array.from({ length: WORKERS - 1 }, () => docent.startWorker(ENV)))));
    const together = await looksWithin(workers);
    expect(alone).toBeGreaterThanOrEqual(5);
    expect(together).toBeLessThanOrEqual(1.4 * alone);
    expect(together).toBeGreaterThanOrEqual(0.5 * alone);
    const { rows } = await docent.database.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'docent worker'`,
    );
    // At rest they hold almost no connections.
    expect(rows[0]?.n).toBeLessThanOrEqual(4 * WORKERS);
    const doomed = await whoLooks(workers, 10_000);
    await doomed.kill();
    const others = workers.filter((worker) => worker !== doomed);
    // Two seconds between polls, and less than one more until another worker takes over; the rest is slack
    // for load.
    await whoLooks(others, 8_000);
  });
});
