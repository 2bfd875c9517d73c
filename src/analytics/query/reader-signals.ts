import { conditionsOf } from '../events/kinds.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import type { Duck } from '../storage/duck.ts';
import type { PinnedVersion } from './pinned-version.ts';
import { eventsIn } from './span-relations.ts';
import { spanOf } from './span.ts';

interface PageSignalQuestion {
  signal: 'not_found' | 'read_by_ai_only';
  from: Date;
  threshold: number;
  limit: number;
}

/**
 * Pages with at least that many distinct visitors, most first: humans who found no page there, or AI visitors
 * of a page that no human read.
 * @throws FilesDamaged
 */
export async function countPageSignal(
  { folder, duck }: { folder: AnalyticsFolder; duck: Duck },
  pinned: PinnedVersion,
  { signal, from, threshold, limit }: PageSignalQuestion,
): Promise<{ subject: string; visitors: number }[]> {
  const span = spanOf(pinned.manifest, { from: from.getTime(), to: null });
  if (!span) return [];
  const { human, ai } = conditionsOf(pinned.manifest.mapping);
  const { sql, values } = eventsIn(folder, pinned, span);
  const counted =
    signal === 'not_found'
      ? `SELECT path, count(DISTINCT visitor) AS n FROM ${sql} WHERE not_found AND ${human} GROUP BY path`
      : `SELECT path, count(DISTINCT visitor) FILTER (WHERE ${ai}) AS n FROM ${sql} WHERE NOT not_found
         GROUP BY path HAVING count(*) FILTER (WHERE ${human}) = 0`;
  return duck.use((session) =>
    session.all<{ subject: string; visitors: number }>(
      `SELECT path AS subject, n::DOUBLE AS visitors FROM (${counted}) WHERE n >= $threshold
       ORDER BY n DESC, path LIMIT $limit`,
      { ...values, threshold, limit },
    ),
  );
}
