/** The selected days, as in the address. All days are UTC days, as in the API. */
export const RANGES = ['today', '7d', '30d', '90d', '12m', 'month', 'last-month', 'all', 'custom'] as const;
export type RangeName = (typeof RANGES)[number];
export const COMPARISONS = ['period', 'year', 'none'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Days from the first to the one after the last; `from` is null if it is the beginning. */
export interface Span {
  from: string | null;
  to: string;
  /** An instant in the last day: only earlier events count. */
  until?: string;
}

const DAY_MS = 86_400_000;

/** The range that an address names; 30 days if it names none that can be understood. */
export function rangeNamed(query: Record<string, string>): RangeName {
  const name = RANGES.find((each) => each === query.range) ?? '30d';
  return name === 'custom' && !customSpan(query) ? '30d' : name;
}

export function comparisonNamed(query: Record<string, string>): Comparison {
  return COMPARISONS.find((each) => each === query.compare) ?? 'period';
}

/** @param today `2026-11-23` */
export function spanOf(query: Record<string, string>, today: string): Span {
  const to = addDays(today, 1);
  const month = `${today.slice(0, 8)}01`;
  switch (rangeNamed(query)) {
    case 'today':
      return { from: today, to };
    case '7d':
      return { from: addDays(to, -7), to };
    case '90d':
      return { from: addDays(to, -90), to };
    case '12m':
      return { from: addMonths(to, -12), to };
    case 'month':
      return { from: month, to };
    case 'last-month':
      return { from: addMonths(month, -1), to: month };
    case 'all':
      return { from: null, to };
    case 'custom':
      return customSpan(query) ?? { from: addDays(to, -30), to };
    default:
      return { from: addDays(to, -30), to };
  }
}

/**
 * The comparison period: for a part of a month, the same part of the previous one; for an unfinished day, as
 * many hours of the other.
 */
export function spanBefore(span: Span, name: RangeName, comparison: Comparison, now: Date): Span | null {
  if (span.from === null || comparison === 'none') return null;
  const length = daysBetween(span.from, span.to);
  const from = startBefore(span.from, length, name, comparison);
  const end = addDays(from, length);
  const to = (name === 'last-month' && comparison === 'period') || end > span.from ? span.from : end;
  const isToday = length === 1 && span.from === dayOf(now);
  return isToday ? { from, to, until: `${from}${now.toISOString().slice(10, 13)}:00Z` } : { from, to };
}

function startBefore(from: string, length: number, name: RangeName, comparison: Comparison): string {
  if (comparison === 'year') return addMonths(from, -12);
  return name === 'month' || name === 'last-month' ? addMonths(from, -1) : addDays(from, -length);
}

/** As the API's parameters. */
export function rangeQuery({ from, to, until }: Span): { dateFrom?: string; dateTo: string } {
  return { ...(from === null ? {} : { dateFrom: from }), dateTo: until ?? to };
}

/** Each day of a span, none after today. @param first the first day if the span has none */
export function daysOf(span: Span, first: string, today: string): string[] {
  const days: string[] = [];
  for (let day = span.from ?? first; day < span.to && day <= today; day = addDays(day, 1)) days.push(day);
  return days;
}

export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

export function addDays(day: string, n: number): string {
  return dayOf(new Date(Date.parse(day) + n * DAY_MS));
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** The same day of another month, or that month's last. */
function addMonths(day: string, n: number): string {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + n];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayOf(new Date(Date.UTC(year, month, Math.min(date.getUTCDate(), last))));
}

/** `from` and `to` of the address, both included; null if they are not days, or the wrong way around. */
function customSpan({ from, to }: Record<string, string>): Span | null {
  if (!isDay(from) || !isDay(to) || from > to) return null;
  return { from, to: addDays(to, 1) };
}

export function isDay(text: string | undefined): text is string {
  if (!text || !/^(?:19|20)\d\d-\d\d-\d\d$/.test(text)) return false;
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && dayOf(at) === text;
}
