import type { Handler } from '../contract/handler.ts';
import { csvOf } from '../presenters/csv.ts';
import { asCsv, askAnalytics } from './ask-analytics.ts';

export const getVisitors: Handler<'getVisitors'> = async (input, services) => {
  const { totals, rows, hasMore, version, mapping } = await askAnalytics(input, services, (snapshot, range, page) =>
    services.analytics().queries.byPath(snapshot, 'visitors', range, page),
  );
  if (input.request.wantsCsv) return asCsv(csvOf(['path', 'human', 'ai', 'total'], rows));
  return { status: 200, body: { totals, visitors: rows, hasMore, version, mapping } };
};
