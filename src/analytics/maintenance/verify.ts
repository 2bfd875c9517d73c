import { DAY_MS } from '@docent/base/time';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { Range } from '../events/days.ts';
import type { Duck } from '../storage/duck.ts';
import { bruteForce } from '../query/brute-force.ts';
import { Queries } from '../query/queries.ts';
import type { PathCounts } from '../query/counts.ts';
import type { PinnedVersion } from '../query/pinned-version.ts';
import { spanOf } from '../query/span.ts';

/** One number that an answer and the brute-force count do not agree on. */
export interface Difference {
  measure: 'visitors' | 'views';
  range: Range;
  /** Empty for the whole site. */
  path: string;
  kind: 'human' | 'ai' | 'total';
  answered: number;
  counted: number;
}

export interface Verified {
  version: number;
  comparisons: number;
  differences: Difference[];
}

const ALL = { limit: 1_000_000_000, offset: 0 };

/** Ranges worth verifying: all days, recent ones, one that begins and ends within days, and a single day. */
export function rangesToVerify(pinned: PinnedVersion): Range[] {
  const span = spanOf(pinned.manifest, { from: null, to: null });
  if (!span) return [];
  const end = span.to;
  return [
    { from: null, to: null },
    { from: end - 7 * DAY_MS, to: end },
    { from: end - 30 * DAY_MS, to: end },
    { from: end - 1 * DAY_MS, to: null },
    { from: span.from + 9.5 * 3_600_000, to: end - 5.25 * 3_600_000 },
    { from: end - 18 * 3_600_000, to: end - 6 * 3_600_000 },
  ];
}

/** Holds every number of the export against a brute-force count over the same events. */
export async function verifyVersion(
  folder: AnalyticsFolder,
  duck: Duck,
  pinned: PinnedVersion,
  ranges: readonly Range[] = rangesToVerify(pinned),
): Promise<Verified> {
  const queries = new Queries(folder, duck);
  const result: Verified = { version: pinned.manifest.version, comparisons: 0, differences: [] };
  for (const measure of ['visitors', 'views'] as const) {
    for (const range of ranges) {
      const counted = byPath(await bruteForce(folder, duck, pinned, measure, range));
      const { totals, rows } = await queries.byPath(pinned, measure, range, ALL);
      const answered = byPath([{ path: '', ...totals }, ...rows]);
      for (const path of new Set([...counted.keys(), ...answered.keys()])) {
        for (const kind of ['human', 'ai', 'total'] as const) {
          const [a, b] = [answered.get(path)?.[kind] ?? 0, counted.get(path)?.[kind] ?? 0];
          result.comparisons += 1;
          if (a !== b) result.differences.push({ measure, range, path, kind, answered: a, counted: b });
        }
      }
    }
  }
  return result;
}

const byPath = (rows: readonly PathCounts[]): Map<string, PathCounts> => new Map(rows.map((row) => [row.path, row]));
