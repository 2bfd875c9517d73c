import { expect } from 'vitest';
import { verifyVersion } from '../../src/analytics/maintenance/verify.ts';
import type { AnalyticsBench } from './analytics.ts';
import { knownEventsOf } from './analytics-load.ts';
import { bruteCount, type KnownEvent } from './brute-count.ts';

const ALL = { from: null, to: null };

/** The events of the first batches. */
export function knownUpTo(batches: number): KnownEvent[] {
  return Array.from({ length: batches }, (_, no) => knownEventsOf(no)).flat();
}

/** What a project counts are these events, each once; and its files say so among themselves. */
export async function expectExactly(
  { versions, queries, folder, duck }: AnalyticsBench,
  project: string,
  events: readonly KnownEvent[],
): Promise<void> {
  await versions.use(project, undefined, async (pinned) => {
    for (const measure of ['visitors', 'views'] as const) {
      const { rows } = await queries.byPath(pinned, measure, ALL, { limit: 250, offset: 0 });
      expect(rows).toEqual(bruteCount(events, measure, ALL).filter((row) => row.path !== ''));
    }
    expect((await verifyVersion(folder, duck, pinned)).differences).toEqual([]);
  });
}
