import type { Handler } from '../contract/handler.ts';
import { csvOf } from '../presenters/csv.ts';
import { asCsv, askAnalytics } from './ask-analytics.ts';

export const getNotFound: Handler<'getNotFound'> = async (input, services) => {
  const { rows, hasMore, version } = await askAnalytics(input, services, (snapshot, range, page) =>
    services.analytics().queries.notFound(snapshot, range, page),
  );
  const notFound = rows.map((row) => ({ ...row, lastSeen: row.lastSeen.toISOString() }));
  if (input.request.wantsCsv) return asCsv(csvOf(['path', 'count', 'referrer', 'lastSeen'], notFound));
  return { status: 200, body: { notFound, hasMore, version } };
};
