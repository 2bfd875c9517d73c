import type { AnalyticsAlert } from '../../store/analytics-report.ts';
import { dateText } from '../events/days.ts';
import type { DayCounts } from '../query/queries.ts';

/** Weeks that are compared with, at most and at least. */
export const MOST_WEEKS = 8;
const LEAST_WEEKS = 4;
/** How many visitors more or fewer than usual matter at all, and how many times as many. */
const LEAST_DIFFERENCE = 50;
const FACTOR = 2;

/**
 * Whether a day had unusually many or few readers: twice or half the median of the same weekday in the four
 * to eight weeks before, and at least 50 visitors of difference.
 * @param day UTC day, as a number of days since 1970
 * @param firstDay the first day with page views: earlier ones are unknown
 * @param counts of the days that have any
 */
export function alertsOf(
  { day, firstDay }: { day: number; firstDay: number },
  counts: readonly Pick<DayCounts, 'date' | 'visitors'>[],
): AnalyticsAlert[] {
  const known = new Map(counts.map(({ date, visitors }) => [date, visitors]));
  const weeks = Array.from({ length: MOST_WEEKS }, (_, week) => day - 7 * (week + 1)).filter((at) => at >= firstDay);
  if (weeks.length < LEAST_WEEKS) return [];
  return (['human', 'ai'] as const).flatMap((readers): AnalyticsAlert[] => {
    const on = (at: number) => known.get(dateText(at))?.[readers] ?? 0;
    const visitors = on(day);
    const usual = median(weeks.map(on));
    if (Math.abs(visitors - usual) < LEAST_DIFFERENCE) return [];
    const kind = visitors >= usual * FACTOR ? 'spike' : visitors <= usual / FACTOR ? 'drop' : null;
    return kind === null ? [] : [{ kind, readers, day: dateText(day), visitors, usual, weeks: weeks.length }];
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
