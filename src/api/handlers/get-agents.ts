import { operatorOf } from '../../analytics/events/event-rules.ts';
import type { VisitorClass } from '../../store/analytics-settings.ts';
import type { Handler } from '../contract/handler.ts';
import { csvOf } from '../presenters/csv.ts';
import { asCsv, askAnalytics } from './ask-analytics.ts';

export const getAgents: Handler<'getAgents'> = async (input, services) => {
  const { rows, version } = await askAnalytics(input, services, async (snapshot, range) => ({
    rows: await services.analytics().queries.agents(snapshot, range),
  }));
  const agents = rows.flatMap(({ agent, class: visitorClass, visitors, views }) =>
    agent === null
      ? []
      : [{ agent, operator: operatorOf(agent), class: visitorClass as VisitorClass, visitors, views }],
  );
  if (input.request.wantsCsv) return asCsv(csvOf(['agent', 'operator', 'class', 'visitors', 'views'], agents));
  const classes = rows
    .filter((row) => row.agent === null)
    .map((row) => ({ class: row.class as VisitorClass, visitors: row.visitors, views: row.views }));
  return { status: 200, body: { agents, classes, version } };
};
