import type { Handler } from '../contract/handler.ts';
import { csvOf } from '../presenters/csv.ts';
import { asCsv, askAnalytics } from './ask-analytics.ts';

export const getReferrers: Handler<'getReferrers'> = async (input, services) => {
  const { rows, hasMore, version } = await askAnalytics(input, services, (snapshot, range, page) =>
    services.analytics().queries.referrers(snapshot, range, page),
  );
  if (input.request.wantsCsv) return asCsv(csvOf(['host', 'visitors', 'views'], rows));
  return { status: 200, body: { referrers: rows, hasMore, version } };
};
