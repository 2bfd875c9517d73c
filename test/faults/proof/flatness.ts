import type { Series } from './watch.ts';

/** How a quantity went, after what is made once has been made. */
export interface Trend {
  name: string;
  first: number;
  last: number;
  /** By least squares. */
  perHour: number;
  /** What is kept for each job, where the quantity is a table's. */
  perJob: { early: number; late: number } | null;
  isFlat: boolean;
}

/** Until then, caches fill and pools open. */
const WARM_UP = 0.25;
/** The allowed growth over the whole time: a tenth, or this much. */
const SLACK = { memory: 40, files: 20, connections: 10, table: 2 };

/**
 * The measured values, and whether they rise with time. Tables grow with the number of jobs, but the cost of
 * one job must not rise.
 */
export function trends(all: ReadonlyMap<string, Series>): Trend[] {
  const jobs = all.get('jobs');
  return [...all]
    .filter(([name]) => name !== 'jobs')
    .map(([name, series]) => trendOf(name, series, jobs))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

function trendOf(name: string, { at, values }: Series, jobs: Series | undefined): Trend {
  const from = Math.floor(values.length * WARM_UP);
  const slope = slopeOf(at.slice(from), values.slice(from));
  const [first = 0, last = 0] = [values[from], values.at(-1)];
  const hours = (at.at(-1) ?? 0) - (at[from] ?? 0);
  const risen = slope * hours;
  const perJob = isStored(name) && jobs ? perJobOf(values, jobs.values, from) : null;
  const isFlat =
    risen <= Math.max(first / 10, slackOf(name)) || (perJob !== null && perJob.late <= perJob.early * 1.25);
  return { name, first, last, perHour: slope, perJob, isFlat };
}

const isStored = (name: string) => /^table |database, MB$/.test(name);

function slackOf(name: string): number {
  if (name.startsWith('memory')) return SLACK.memory;
  if (name.startsWith('open files')) return SLACK.files;
  return name.startsWith('connections') ? SLACK.connections : SLACK.table;
}

/** The growth per added job in the first and in the second half of the time. */
function perJobOf(values: readonly number[], jobs: readonly number[], from: number) {
  const to = Math.min(values.length, jobs.length) - 1;
  const half = Math.floor((from + to) / 2);
  const rate = (a: number, b: number) =>
    ((values[b] ?? 0) - (values[a] ?? 0)) / Math.max(1, (jobs[b] ?? 0) - (jobs[a] ?? 0));
  return { early: rate(from, half), late: rate(half, to) };
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / Math.max(1, numbers.length);

function slopeOf(at: readonly number[], values: readonly number[]): number {
  const [t, v] = [mean(at), mean(values)];
  const above = at.reduce((sum, each, i) => sum + (each - t) * ((values[i] ?? 0) - v), 0);
  const below = at.reduce((sum, each) => sum + (each - t) ** 2, 0);
  return below === 0 ? 0 : above / below;
}
