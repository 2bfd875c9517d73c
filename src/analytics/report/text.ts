import { printable } from '@docent/base/one-line';
import { withEllipsis } from '@docent/base/ellipsis';
import type { AnalyticsAlert, AnalyticsReport } from '../../store/analytics-report.ts';

/** A plain-text message. */
export interface MailText {
  subject: string;
  text: string;
}

type Readers = AnalyticsReport['visitors']['now'];

const count = new Intl.NumberFormat('en-US');
const MOST_CHARS = 120;

/** @param url the project's analytics in the dashboard */
export function reportText(projectId: string, report: AnalyticsReport, url: string): MailText {
  const { every, timeZone, visitors, views, pages, brokenLinks, agents, pullRequests } = report;
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone });
  const [first, last] = [Date.parse(report.from), Date.parse(report.to) - 1].map((at) => day.format(at));
  const span = `${first} to ${last}`;
  const rows = [
    section(`Visitors (${timeZone})`, [
      ...kinds(visitors.now, visitors.before, every),
      `${count.format(views.now.total)} page views${change(views.now.total, views.before.total, every)}`,
    ]),
    section(
      'Top pages',
      pages.map(({ path, human, ai }) => `${plain(path)}: ${count.format(human)} humans, ${count.format(ai)} AI`),
    ),
    section(
      'Broken links',
      brokenLinks.map(
        (row) =>
          `${plain(row.path)}: ${count.format(row.count)} times${row.referrer ? `, mostly from ${plain(row.referrer)}` : ''}`,
      ),
    ),
    section(
      'Agents',
      agents.map(
        (row) => `${plain(row.agent)}: ${count.format(row.visitors)} visitors, ${count.format(row.views)} views`,
      ),
    ),
    section(
      'Merged pull requests',
      pullRequests.map(({ title, mergedAt }) => `${plain(title)} (${day.format(Date.parse(mergedAt))})`),
    ),
  ];
  return {
    subject: `${projectId}: reader report, ${span}`,
    text: `${[`Reader report for ${projectId}, ${span}`, ...rows.filter((row) => row !== ''), `View all numbers: ${url}`].join('\n\n')}\n`,
  };
}

/** @param url the project's analytics in the dashboard */
export function alertText(projectId: string, alert: AnalyticsAlert, url: string): MailText {
  const { kind, readers, day, visitors, usual, weeks } = alert;
  const who = readers === 'human' ? 'human visitors' : 'AI visitors';
  return {
    subject: `${projectId}: ${kind === 'spike' ? 'more' : 'fewer'} ${who} than usual on ${day}`,
    text: [
      `${count.format(visitors)} ${who} read ${projectId} on ${day} (UTC). The median of this weekday in the previous ${weeks} weeks was ${count.format(usual)}.`,
      `View all numbers: ${url}`,
      '',
    ].join('\n\n'),
  };
}

function section(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : [title, ...rows.map((row) => `- ${row}`)].join('\n');
}

function kinds(now: Readers, before: Readers, every: AnalyticsReport['every']): string[] {
  const of = (kind: 'human' | 'ai' | 'total', name: string) =>
    `${count.format(now[kind])} ${name}${change(now[kind], before[kind], every)}`;
  return [of('total', 'in total'), of('human', 'humans'), of('ai', 'AI assistants')];
}

function change(now: number, before: number, every: AnalyticsReport['every']): string {
  if (before === 0) return '';
  const percent = Math.round(((now - before) / before) * 100);
  return ` (${percent > 0 ? '+' : ''}${percent}% compared with the previous ${every}: ${count.format(before)})`;
}

/** An untrusted text on one line, without characters that control terminals or the text's direction. */
function plain(text: string): string {
  return withEllipsis(printable(text, '\uFFFD'), MOST_CHARS);
}
