import type { AnalyticsReport } from '../../store/analytics-report.ts';
import type { PinnedVersion } from '../query/pinned-version.ts';
import type { Queries } from '../query/queries.ts';
import type { Period, ReportEvery } from './period.ts';

const MOST_ROWS = 10;

/** Counts a period and the previous one, on one version of the data. */
export async function gatherReport(
  queries: Queries,
  pinned: PinnedVersion,
  { every, timeZone, period }: { every: ReportEvery; timeZone: string; period: Period },
): Promise<Omit<AnalyticsReport, 'pullRequests'>> {
  const now = { from: period.from, to: period.to };
  const before = { from: period.before, to: period.from };
  const top = { limit: MOST_ROWS, offset: 0 };
  const totals = { limit: 1, offset: 0 };
  const visitors = await queries.byPath(pinned, 'visitors', now, top);
  const views = await queries.byPath(pinned, 'views', now, totals);
  const visitorsBefore = await queries.byPath(pinned, 'visitors', before, totals);
  const viewsBefore = await queries.byPath(pinned, 'views', before, totals);
  const missing = await queries.notFound(pinned, now, top);
  const { agents } = await queries.agents(pinned, now);
  return {
    every,
    timeZone,
    from: new Date(period.from).toISOString(),
    to: new Date(period.to).toISOString(),
    visitors: { now: visitors.totals, before: visitorsBefore.totals },
    views: { now: views.totals, before: viewsBefore.totals },
    pages: visitors.rows.map(({ path, human, ai, total }) => ({ path, human, ai, total })),
    brokenLinks: missing.rows.map(({ path, count, referrer }) => ({ path, count, referrer })),
    agents: agents.slice(0, MOST_ROWS).map((row) => ({ agent: row.agent, visitors: row.visitors, views: row.views })),
  };
}
