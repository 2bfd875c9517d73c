import type { Handler } from '../contract/handler.ts';
import { csvOf } from '../presenters/csv.ts';
import { asCsv, askAnalytics } from './ask-analytics.ts';

export const getTimeseries: Handler<'getTimeseries'> = async (input, services) => {
  const { days, version, mapping } = await askAnalytics(input, services, async (snapshot, range) => ({
    days: await services.analytics().queries.timeseries(snapshot, range),
  }));
  if (!input.request.wantsCsv) return { status: 200, body: { days, version, mapping } };
  const columns = [
    'date',
    'visitorsHuman',
    'visitorsAi',
    'visitorsTotal',
    'viewsHuman',
    'viewsAi',
    'viewsTotal',
  ] as const;
  const rows = days.map(({ date, visitors, views }) => ({
    date,
    visitorsHuman: visitors.human,
    visitorsAi: visitors.ai,
    visitorsTotal: visitors.total,
    viewsHuman: views.human,
    viewsAi: views.ai,
    viewsTotal: views.total,
  }));
  return asCsv(csvOf(columns, rows));
};
