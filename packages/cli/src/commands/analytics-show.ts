import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { components } from '@docent/client';
import { Command } from 'commander';
import { csvOf } from '@docent/base/csv';
import { codeOf } from '@docent/base/thrown';
import { networkReason } from '@docent/base/net/network-reason';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { bold, dim, print, safe, table } from '@docent/base/terminal/terminal-text';
import { DAY_MS } from '@docent/base/time';
import { wholeNumber } from '../parsing.ts';
import { targetOf, withProject, type Server } from '../server.ts';

type Counts = components['schemas']['Counts'];
type PathCounts = components['schemas']['PathCounts'];

interface Options {
  days?: number;
  from?: string;
  to?: string;
  limit: number;
  views?: boolean;
  csv?: boolean;
  all?: boolean;
  json?: boolean;
}

interface Question {
  projectId: string;
  range: { dateFrom?: string; dateTo?: string };
  limit: number;
  measure: 'visitors' | 'views';
}

/** Rows that one answer has at most. */
const PAGE = 250;
const DEFAULT_DAYS = 30;
/** The maximum width of a line of bars. */
const BARS = 60;

/** `docent analytics show`: through the API, unlike the commands beside it. */
export function analyticsShowCommand(): Command {
  return withProject(new Command('show'))
    .description('show visitors and views by page, for humans and AI (through the API)')
    .option('--days <number>', `number of days, including today (default: ${DEFAULT_DAYS})`, wholeNumber(1, 3_650))
    .option('--from <date>', 'first day (UTC), or a time, instead of --days')
    .option('--to <date>', 'end (exclusive): a day (UTC) or a time')
    .option('--limit <number>', 'maximum number of pages to list', wholeNumber(1, 100_000), 10)
    .option('--views', 'show page views instead of visitors')
    .option('--csv', 'print the pages as CSV')
    .option('--all', 'with --csv: every page, from one moment')
    .addHelpText(
      'after',
      `
Examples:
  $ docent analytics show --project handbook
  $ docent analytics show --project handbook --days 7 --limit 50
  $ docent analytics show --project handbook --from 2026-11-01 --to 2026-12-01 --csv --all > pages.csv`,
    )
    .action(show);
}

async function show(options: Options, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  if (options.csv && options.json) throw new CliFailure('Use either --csv or --json, not both.', EXIT.usage);
  const isLimited = command.getOptionValueSource('limit') === 'cli';
  if (options.all && (!options.csv || isLimited)) {
    throw new CliFailure('--all requires --csv, and cannot be combined with --limit.', EXIT.usage);
  }
  const measure = options.views ? 'views' : 'visitors';
  const asked: Question = { projectId, range: rangeOf(options), limit: options.limit, measure };
  if (options.all) {
    await printAll(server, asked);
    return;
  }
  const pages = await pagesOf(server, asked);
  if (options.csv) {
    process.stdout.write(csvOf(['path', 'human', 'ai', 'total'], pages.rows));
    return;
  }
  const { version } = pages;
  const query = { ...asked.range, version };
  const params = { path: { projectId }, query };
  const [{ days }, { agents }, other] = await Promise.all([
    answerOf(server.url, server.client.GET('/v1/analytics/{projectId}/timeseries', { params })),
    answerOf(server.url, server.client.GET('/v1/analytics/{projectId}/agents', { params })),
    totalsOf(server, { ...asked, measure: options.views ? 'visitors' : 'views' }, version),
  ]);
  const [visitors, views] = options.views ? [other, pages.totals] : [pages.totals, other];
  const answer = {
    projectId,
    ...asked.range,
    visitors,
    views,
    [`${measure}ByPage`]: pages.rows,
    days,
    agents,
    version,
  };
  print(options.json, answer, () => {
    const title = bold(safe(`${projectId}, ${daysText(options, asked.range)}`));
    if (views.total === 0 && agents.length === 0) return `${title}\n\n${howToStart(server, projectId)}`;
    const perDay = days.map((day) => day[measure].total);
    return [
      title,
      totalsTable(visitors, views),
      ...(days.length > 1 ? [barsOf(measure, days[0]?.date ?? '', days.at(-1)?.date ?? '', perDay)] : []),
      pagesTable(measure, pages.rows, pages.hasMore),
      ...(agents.length === 0 ? [] : [agentsTable(agents)]),
    ].join('\n\n');
  });
}

function rangeOf({ days, from, to }: Options): Question['range'] {
  if (days !== undefined && (from !== undefined || to !== undefined)) {
    throw new CliFailure('Use either --days, or --from and --to.', EXIT.usage);
  }
  if (from === undefined && to === undefined) {
    const first = Date.now() - ((days ?? DEFAULT_DAYS) - 1) * DAY_MS;
    return { dateFrom: new Date(first).toISOString().slice(0, 10) };
  }
  return { dateFrom: from, dateTo: to };
}

function daysText({ days, from, to }: Options, { dateFrom }: Question['range']): string {
  if (from !== undefined || to !== undefined) return `${from ?? 'the beginning'} to ${to ?? 'now'} (UTC)`;
  const count = days ?? DEFAULT_DAYS;
  return count === 1 ? `today, ${dateFrom} (UTC)` : `the last ${count} days, since ${dateFrom} (UTC)`;
}

/** As the server sends it, so that neither side holds it all. @throws CliFailure if it breaks off */
async function printAll({ client, url }: Server, { projectId, range, measure }: Question): Promise<void> {
  const asked = {
    params: { path: { projectId }, query: { ...range, all: true } },
    headers: { Accept: 'text/csv' },
    parseAs: 'stream',
  } as const;
  const answer =
    measure === 'visitors'
      ? client.GET('/v1/analytics/{projectId}/visitors', asked)
      : client.GET('/v1/analytics/{projectId}/views', asked);
  const body = (await answerOf<unknown>(url, answer)) as Parameters<typeof Readable.fromWeb>[0];
  try {
    await pipeline(Readable.fromWeb(body), process.stdout, { end: false });
  } catch (err) {
    // The reader has enough, as `head` does.
    if (codeOf(err) === 'EPIPE') return;
    throw new CliFailure(
      `The connection was lost and the output is incomplete. Run the command again. (${networkReason(err)})`,
      EXIT.failed,
      {
        cause: err,
      },
    );
  }
}

/** The first pages, and the totals of all. All answers come from the same version of the data. */
async function pagesOf(server: Server, asked: Question) {
  const rows: PathCounts[] = [];
  let version: number | undefined;
  for (;;) {
    const limit = Math.min(PAGE, asked.limit - rows.length);
    const answer = await countsOf(server, asked, { limit, offset: rows.length, version });
    rows.push(...answer.rows);
    version = answer.version;
    if (!answer.hasMore || rows.length >= asked.limit) return { ...answer, rows };
  }
}

async function totalsOf(server: Server, asked: Question, version: number): Promise<Counts> {
  return (await countsOf(server, asked, { limit: 1, version })).totals;
}

async function countsOf(
  { client, url }: Server,
  { projectId, range, measure }: Question,
  page: { limit: number; offset?: number; version?: number },
) {
  const params = { path: { projectId }, query: { ...range, ...page } };
  if (measure === 'visitors') {
    const answer = await answerOf(url, client.GET('/v1/analytics/{projectId}/visitors', { params }));
    return { ...answer, rows: answer.visitors };
  }
  const answer = await answerOf(url, client.GET('/v1/analytics/{projectId}/views', { params }));
  return { ...answer, rows: answer.views };
}

const number = (value: number) => value.toLocaleString('en');
const cellsOf = ({ human, ai, total }: Counts) => [human, ai, total].map(number);

function totalsTable(visitors: Counts, views: Counts): string {
  return table(
    ['', 'HUMAN', 'AI', 'TOTAL'],
    [
      ['Visitors', ...cellsOf(visitors)],
      ['Views', ...cellsOf(views)],
    ],
    { right: [1, 2, 3] },
  );
}

function barsOf(measure: string, first: string, last: string, perDay: readonly number[]): string {
  return `${measure === 'views' ? 'Views' : 'Visitors'} by day, ${first} to ${last}, at most ${number(Math.max(...perDay))}\n${sparkline(perDay, BARS)}`;
}

function pagesTable(measure: string, rows: readonly PathCounts[], hasMore: boolean): string {
  const shown = table(
    ['HUMAN', 'AI', 'TOTAL', `PAGE, BY ${measure.toUpperCase()}`],
    rows.map((row) => [...cellsOf(row), row.path]),
    { right: [0, 1, 2] },
  );
  return hasMore ? `${shown}\n${dim('More rows exist. Show them with --limit.')}` : shown;
}

function agentsTable(agents: components['schemas']['Agents']['agents']): string {
  return table(
    ['VISITORS', 'VIEWS', 'VERIFIED', 'AI AGENT OR CRAWLER'],
    agents
      .slice(0, 10)
      .map(({ agent, operator, visitors, views, verified, failed }) => [
        number(visitors),
        number(views),
        number(verified.views),
        `${failed.views === views ? 'claims ' : ''}${operator === null ? agent : `${agent} (${operator})`}`,
      ]),
    { right: [0, 1, 2] },
  );
}

function howToStart({ url, flags }: Server, projectId: string): string {
  return [
    'No page views in this period. Collect page views in one of three ways:',
    `  A script on the pages:  <script async src="${url}/${projectId}/script.js"></script>`,
    `  Access logs:            docent analytics import --project ${projectId} /var/log/nginx/access.log`,
    `Your own events:        POST ${url}/v1/analytics/${projectId}/events`,
    `To show another period: docent analytics show --project ${projectId} --days 365${flags}`,
  ].join('\n');
}

const HEIGHTS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/**
 * A line of bars up to the largest number; the lowest bar is only for 0.
 * @param width the most bars: neighbors share one, which shows their maximum
 */
export function sparkline(numbers: readonly number[], width: number): string {
  const share = Math.ceil(numbers.length / width);
  const shown = Array.from({ length: Math.ceil(numbers.length / share) }, (_, i) =>
    Math.max(...numbers.slice(i * share, (i + 1) * share)),
  );
  const most = Math.max(...shown, 1);
  return shown.map((value) => HEIGHTS[value === 0 ? 0 : Math.max(1, Math.round((value / most) * 7))]).join('');
}
