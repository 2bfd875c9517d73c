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
