import { setImmediate as breathe } from 'node:timers/promises';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { AppError } from '../../platform/errors.ts';
import { isOutOfMemory, type Duck, type DuckSession } from '../storage/duck.ts';
import type { Page, Paging, Whole } from './counts.ts';
import { narrowedViews, type Narrowing } from './narrowed.ts';
import { eventsIn, viewCounts, type Listed } from './span-relations.ts';
import type { PinnedVersion } from './pinned-version.ts';
import type { Span } from './span.ts';
import type { PageColumns } from './top-pages.ts';

const PIVOT = ['human', 'ai', 'total']
  .map((kind) => `coalesce(sum(n) FILTER (WHERE kind = '${kind}'), 0)::DOUBLE AS ${kind}`)
  .join(', ');
const BY_TOTAL = { order: 'total DESC, path', key: 'path' };

/** Page views by path; path '' is the site. */
export function viewsByPath(folder: AnalyticsFolder, pinned: PinnedVersion, span: Span): Listed {
  const { sql, values } = viewCounts(folder, pinned, span, 'export', 'all');
  return { sql: `SELECT path, ${PIVOT} FROM ${sql} GROUP BY path HAVING sum(n) > 0`, values, ...BY_TOTAL };
}

/**
 * By referring host, of visitors in `total`; host '' has those without a referrer in any view. Grouping
 * numbered hosts first lets DuckDB spill to disk.
 */
export function referrers(folder: AnalyticsFolder, pinned: PinnedVersion, span: Span, narrowing: Narrowing): Listed {
  const { sql, values } = narrowedViews(folder, pinned, span, narrowing);
  const came = `(SELECT referrer, visitor FROM ${sql} WHERE referrer IS NOT NULL)`;
  const direct = `
          UNION ALL SELECT '', count(*)::DOUBLE, sum(n)::DOUBLE
          FROM (SELECT visitor, count(*) AS n FROM ${sql} GROUP BY visitor HAVING count(referrer) = 0)
          HAVING count(*) > 0`;
  return {
    sql: `WITH hosts AS MATERIALIZED (
            SELECT host, (row_number() OVER ())::INTEGER AS no FROM (SELECT DISTINCT referrer AS host FROM ${came})
          ),
          counted AS (
            SELECT no, count(*)::DOUBLE AS visitors, sum(n)::DOUBLE AS views
            FROM (SELECT no, visitor, count(*) AS n FROM ${came} LEFT JOIN hosts ON referrer = host GROUP BY ALL)
            GROUP BY no
          )
          SELECT host, visitors, views FROM counted JOIN hosts USING (no)${narrowing.referrer === undefined ? direct : ''}`,
    values,
    order: 'visitors DESC, host',
    key: 'host',
  };
}

/** Requested addresses that did not exist. */
export function missingPages(folder: AnalyticsFolder, pinned: PinnedVersion, span: Span): Listed {
  const { sql, values } = eventsIn(folder, pinned, span);
  return {
    sql: `SELECT path, sum(n)::DOUBLE AS count, arg_max(referrer, (n, referrer)) FILTER (WHERE referrer IS NOT NULL) AS referrer,
            max(seen) AS "lastSeen"
          FROM (SELECT path, referrer, count(*) AS n, max(time) AS seen FROM ${sql} WHERE not_found GROUP BY ALL)
          GROUP BY path`,
    values,
    order: 'count DESC, path',
    key: 'path',
  };
}

type Row = Record<string, unknown>;
/** A row with the number of all. */
export type Counting<R> = R & { listed?: number };

/** A page, and the total number of rows, in one query. */
export async function pageOf<R extends object>(
  session: DuckSession,
  { sql, values, order, key }: Listed,
  { limit, offset }: Paging,
): Promise<Page<R>> {
  const found = await session.all<Counting<R> & Row>(
    `WITH every AS MATERIALIZED (${sql})
     SELECT * FROM (SELECT count(*)::DOUBLE AS listed FROM every)
       LEFT JOIN (FROM every ORDER BY ${order} LIMIT $limit OFFSET $offset) ON true
     ORDER BY ${order}`,
    { ...values, limit, offset },
  );
  const count = found[0]?.listed ?? 0;
  // Without rows, the join yields one of NULLs.
  const rows = found.filter((row) => row[key] !== null).map((row) => withoutCount<R>(row));
  return { rows, count, hasMore: offset + limit < count };
}

/**
 * All rows, sorted by DuckDB, on disk if needed.
 * @throws as {@link Duck.stream}; AppError `unavailable` if memory is short
 */
export async function wholeOf<R extends object>(
  duck: Duck,
  prepare: (session: DuckSession) => Promise<Listed>,
  signal: AbortSignal,
): Promise<Whole<R>> {
  const stream = await duck
    .stream<Counting<R>>(async (session) => {
      const { sql, order, ...rest } = await prepare(session);
      return { sql: `SELECT *, count(*) OVER ()::DOUBLE AS listed FROM (${sql}) ORDER BY ${order}`, ...rest };
    }, signal)
    .catch((err: unknown) => {
      if (!isOutOfMemory(err)) throw err;
      throw new AppError('unavailable', 'Not enough memory to sort all rows. Try again, or request pages.', {
        cause: err,
        retryAfterSeconds: 10,
      });
    });
  return {
    count: stream.first[0]?.listed ?? 0,
    async *rows() {
      for await (const rows of stream.rows()) yield rows.map((row) => withoutCount<R>(row));
    },
    close: () => stream.close(),
  };
}

export const NOTHING_LISTED = { count: 0, async *rows() {}, async close() {} } satisfies Whole<never>;

/** Rows that are appended together: so few that other work hardly waits. */
const APPENDED = 16_384;

/** Counts from memory, as a table of the session. */
export async function listedPages(session: DuckSession, { paths, ...counts }: PageColumns): Promise<Listed> {
  await session.run('CREATE TEMP TABLE pages (path VARCHAR, human DOUBLE, ai DOUBLE, total DOUBLE)');
  for (let first = 0; first < paths.length; first += APPENDED) {
    const end = Math.min(first + APPENDED, paths.length);
    const column = (values: Float64Array<ArrayBuffer>) => ({
      type: 'DOUBLE' as const,
      values: values.subarray(first, end),
      width: 8,
    });
    await session.append('pages', end - first, [
      paths.slice(first, end),
      column(counts.human),
      column(counts.ai),
      column(counts.total),
    ]);
    await breathe();
  }
  return { sql: 'FROM pages', values: {}, ...BY_TOTAL, tables: ['pages'] };
}

export function withoutCount<R>(counted: Counting<R>): R {
  const { listed: _, ...row } = counted;
  return row as unknown as R;
}
