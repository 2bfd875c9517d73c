import { MINUTE_MS } from '@docent/base/time';
import type { Manifest } from '../../store/analytics/manifest.ts';
import { dayOf } from '../events/days.ts';
import { conditionsOf } from '../events/kinds.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { Duck } from '../storage/duck.ts';
import { absolutePaths, instantExpression, ofFamily, overlapping, relation } from '../storage/tables.ts';
import { newId } from '../../store/ids.ts';
import type { Counts } from './counts.ts';

/** Visitors of the last minutes. Each event counts once, as in all counts. */
export interface LiveCounts {
  visitors: Counts;
  views: Counts;
  /** One for each minute of the time, the oldest first; `start` in milliseconds since 1970. */
  minutes: { start: number; visitors: Counts; views: Counts }[];
  /** Most visitors first. */
  pages: { path: string; visitors: Counts; views: Counts }[];
  /** Most views first. */
  agents: { agent: string; class: string; visitors: number; views: number }[];
}

export const LIVE_MINUTES = 5;
const MAX_ROWS = 10;

interface Sums extends Counts {
  views_human: number;
  views_ai: number;
  views_total: number;
}

/**
 * Counts the minutes up to an instant directly from the files, skipping row groups of other times.
 * @param to milliseconds since 1970, exclusive
 */
export function countLive(folder: AnalyticsFolder, duck: Duck, manifest: Manifest, to: number): Promise<LiveCounts> {
  const from = to - LIVE_MINUTES * MINUTE_MS;
  const files = overlapping(manifest.files, dayOf(from), dayOf(to));
  const [unmerged, events] = [ofFamily(files, 'unmerged'), ofFamily(files, 'events')];
  const { human, ai, total } = conditionsOf(manifest.mapping);
  const table = `live_${newId()}`;
  const inTime = `time >= ${instantExpression('$from')} AND time < ${instantExpression('$to')} AND NOT not_found`;
  const columns = 'id, time, path, visitor, class, agent';
  const sums = ['human', 'ai', 'total']
    .map(
      (kind) => `count(DISTINCT visitor) FILTER (WHERE is_${kind})::DOUBLE AS ${kind},
        count(*) FILTER (WHERE is_${kind})::DOUBLE AS views_${kind}`,
    )
    .join(', ');
  return duck.use(async (session) => {
    await session.run(
      `CREATE TEMP TABLE ${table} AS
       SELECT * EXCLUDE (id), ${human} AS is_human, ${ai} AS is_ai, ${total} AS is_total,
         (epoch_ms(time) - $from) // ${MINUTE_MS} AS minute
       FROM (
         SELECT DISTINCT ON (id) ${columns} FROM (
           SELECT ${columns} FROM ${relation('unmerged', unmerged, 'unmerged')} WHERE ${inTime}
           UNION ALL SELECT ${columns} FROM ${relation('events', events, 'events')} WHERE ${inTime}
         )
       )`,
      { unmerged: absolutePaths(folder, unmerged), events: absolutePaths(folder, events), from, to },
    );
    try {
      const site = await session.one<Sums>(`SELECT ${sums} FROM ${table}`);
      const byMinute = await session.all<Sums & { minute: number }>(
        `SELECT minute::INTEGER AS minute, ${sums} FROM ${table} GROUP BY minute`,
      );
      const pages = await session.all<Sums & { path: string }>(
        `SELECT path, ${sums} FROM ${table} WHERE is_total GROUP BY path ORDER BY total DESC, views_total DESC, path LIMIT ${MAX_ROWS}`,
      );
      const agents = await session.all<LiveCounts['agents'][number]>(
        `SELECT agent, class, count(DISTINCT visitor)::DOUBLE AS visitors, count(*)::DOUBLE AS views FROM ${table}
         WHERE agent IS NOT NULL GROUP BY agent, class ORDER BY views DESC, agent LIMIT ${MAX_ROWS}`,
      );
      const known = new Map(byMinute.map((row) => [row.minute, row]));
      return {
        ...countsOf(site),
        minutes: Array.from({ length: LIVE_MINUTES }, (_, minute) => ({
          start: from + minute * MINUTE_MS,
          ...countsOf(known.get(minute)),
        })),
        pages: pages.map((row) => ({ path: row.path, ...countsOf(row) })),
        agents,
      };
    } finally {
      await session.drop(table);
    }
  });
}

function countsOf(row: Sums | undefined): { visitors: Counts; views: Counts } {
  const { human = 0, ai = 0, total = 0 } = row ?? {};
  return {
    visitors: { human, ai, total },
    views: { human: row?.views_human ?? 0, ai: row?.views_ai ?? 0, total: row?.views_total ?? 0 },
  };
}
