import { expect } from 'vitest';
import { HOUR_MS } from '@docent/base/time';
import { verifyVersion } from '../../src/analytics/maintenance/verify.ts';
import { spanOf } from '../../src/analytics/query/span.ts';
import type { AnalyticsBench } from './analytics.ts';
import { knownEventsOf } from './analytics-load.ts';
import { bruteCount, type KnownEvent } from './brute-count.ts';

const ALL = { from: null, to: null };

/** The events of the first batches. */
export function knownUpTo(batches: number): KnownEvent[] {
  return Array.from({ length: batches }, (_, no) => knownEventsOf(no)).flat();
}

/** The project counts exactly these events, each once, and its files agree. */
export async function expectExactly(
  bench: AnalyticsBench,
  project: string,
  events: readonly KnownEvent[],
): Promise<void> {
  await bench.versions.use(project, undefined, async (pinned) => {
    for (const measure of ['visitors', 'views'] as const) {
      const { rows } = await bench.queries.byPath(pinned, measure, ALL, { limit: 250, offset: 0 });
      expect(rows).toEqual(bruteCount(events, measure, ALL).filter((row) => row.path !== ''));
    }
  });
  await expectSound(bench, project);
}

/**
 * The files of a project say the same among themselves. Over all days, and from the middle of one day to the
 * middle of another: these two ranges read files of every family. Other ranges are a matter of queries, not
 * of files: see `analytics-exact.test.ts`.
 */
export async function expectSound({ versions, folder, duck }: AnalyticsBench, project: string): Promise<void> {
  await versions.use(project, undefined, async (pinned) => {
    const span = spanOf(pinned.manifest, ALL);
    const uneven = span && { from: span.from + 9.5 * HOUR_MS, to: span.to - 5.25 * HOUR_MS };
    const { differences } = await verifyVersion(folder, duck, pinned, uneven ? [ALL, uneven] : [ALL]);
    expect(differences).toEqual([]);
  });
}
