import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long tests wait for something that has to happen, in ms: a little less than the time-out of a test
 * (`time-limits.ts`), so that they fail with what they waited for.
 */
export const patienceMs = () => Number(process.env.DOCENT_TEST_PATIENCE_MS ?? 50_000);

/**
 * How long to wait before checking again, in ms: a tenth of what was waited already. A check takes the
 * processor from what is waited for, and some waits are for a time-out of half a minute.
 */
export function patience(startedAt: number, mostMs: number): number {
  return Math.min(Math.max((Date.now() - startedAt) / 10, 50), mostMs);
}

/**
 * Waits until something is true.
 * @param details to end the error with, if that takes too long
 */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs = patienceMs(),
  details = () => '',
): Promise<void> {
  const startedAt = Date.now();
  const deadline = startedAt + withinMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Still not true after ${withinMs} ms: ${what}${details()}`);
    await sleep(patience(startedAt, 300));
  }
}
