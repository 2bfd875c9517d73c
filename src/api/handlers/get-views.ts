import type { Handler } from '../contract/handler.ts';
import { csvOf } from '../presenters/csv.ts';
import { asCsv, askAnalytics } from './ask-analytics.ts';

export const getViews: Handler<'getViews'> = async (input, services) => {
  const { totals, rows, hasMore, version, mapping } = await askAnalytics(input, services, (snapshot, range, page) =>
    services.analytics().queries.byPath(snapshot, 'views', range, page),
  );
  if (input.request.wantsCsv) return asCsv(csvOf(['path', 'human', 'ai', 'total'], rows));
  return { status: 200, body: { totals, views: rows, hasMore, version, mapping } };
};
