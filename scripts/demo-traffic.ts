/**
 * A month of generated traffic for the demo, up to yesterday: each day has the same at every run, so that a
 * second one counts nothing twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from '@docent/client';
import { dateText, dayOf } from '../src/analytics/events/days.ts';
import { classify } from '@docent/access-log/agents/classify';
import { answerOf } from '@docent/base/terminal/api-answer';
import type { Asked } from '@docent/cli/job-progress';
import { bold, dim, table } from '@docent/base/terminal/terminal-text';
import { DAY_MS } from '@docent/base/time';
import { generateEvents, toEventInput, type GeneratedEvent } from './generate-events.ts';

type Events = components['schemas']['EventBatch']['events'];

const EVENTS = 20_000;
const DAYS = 30;
const BATCH = 1_000;
const MONTH_MS = DAYS * DAY_MS;
const VISIBLE_MS = 10_000;

/**
 * Sends the traffic to the project and prints its visitors. @throws if the answer differs from the traffic
 */
export async function showTraffic(server: Asked, projectId: string, say: (text: string) => void): Promise<void> {
  say(
    `${bold('5. A month of generated traffic')}  ${dim('(made up by scripts/generate-events.ts, no real readers)')}\n`,
  );
  const today = dayOf(Date.now());
  const { sent, views } = await send(server, projectId, eventsBetween((today - DAYS) * DAY_MS, today * DAY_MS));
  say(`   ${sent} events sent. Each has an id: sent again by another run of the demo, none counts twice.`);
  const range = { dateFrom: dateText(today - DAYS), dateTo: dateText(today) };
  const listing = await untilCounted(server, projectId, range, views);
  const rows = listing.visitors.map((row) => [row.path, ...numbers(row)]);
  say(`\n${table(['PAGE', 'HUMAN', 'AI', 'VISITORS'], [...rows, ['All pages', ...numbers(listing.totals)]])}\n`);
}

const numbers = ({ human, ai, total }: { human: number; ai: number; total: number }) => [human, ai, total].map(String);

/**
 * Endless traffic in months of 30 days since 1970, the same for each day at every call.
 */
function* eventsBetween(from: number, to: number): Generator<GeneratedEvent> {
  for (let month = Math.floor(from / MONTH_MS); month * MONTH_MS < to; month += 1) {
    const traffic = { events: EVENTS, days: DAYS, paths: 200, seed: month, start: month * MONTH_MS };
    for (const event of generateEvents(traffic)) if (event.timestamp >= from && event.timestamp < to) yield event;
  }
}

async function send({ client, url }: Asked, projectId: string, traffic: Iterable<GeneratedEvent>) {
  const sum = { sent: 0, views: 0 };
  let events: ReturnType<typeof toEventInput>[] = [];
  const flush = async () => {
    const answer = await answerOf(
      url,
      client.POST('/v1/analytics/{projectId}/events', {
        params: { path: { projectId } },
        body: { events: events as Events },
      }),
    );
    if (answer.rejected[0]) throw new Error(`a generated event was refused: ${answer.rejected[0].error}`);
    sum.sent += events.length;
    events = [];
  };
  for (const event of traffic) {
    // The totals exclude search and training crawlers.
    const kind = classify({ userAgent: event.userAgent, format: event.format }).class;
    if (!event.notFound && (kind === 'human' || kind === 'assistant')) sum.views += 1;
    events.push({ ...toEventInput(event), id: `demo-${event.id}` });
    if (events.length === BATCH) await flush();
  }
  if (events.length > 0) await flush();
  return sum;
}

/** All views are counted within five seconds, in addition to those of others. */
async function untilCounted(
  { client, url }: Asked,
  projectId: string,
  range: { dateFrom: string; dateTo: string },
  sent: number,
) {
  const params = { path: { projectId }, query: { ...range, limit: 10 } };
  const deadline = performance.now() + VISIBLE_MS;
  for (;;) {
    const views = await answerOf(url, client.GET('/v1/analytics/{projectId}/views', { params }));
    const { total } = views.totals;
    if (total >= sent) return answerOf(url, client.GET('/v1/analytics/{projectId}/visitors', { params }));
    if (performance.now() > deadline) throw new Error(`${total} views are counted, and ${sent} were sent`);
    await sleep(500);
  }
}
