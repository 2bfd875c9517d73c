import { Command, Option } from 'commander';
import type { components } from '@docent/client';
import { answerOf } from '@docent/base/terminal/api-answer';
import { inUtc, print, tableOr } from '@docent/base/terminal/terminal-text';
import { wholeNumber } from '../parsing.ts';
import { targetOf, withProject } from '../server.ts';

interface Options {
  from?: string;
  to?: string;
  limit: number;
  byPage?: boolean;
  source?: 'code_snippet' | 'contextual' | 'agent' | 'thumbs_only';
  json?: boolean;
}

/** `docent analytics feedback` and `searches`: through the API. */
export function analyticsFeedbackCommands(): Command[] {
  return [
    asking('feedback', 'show feedback from readers (through the API)')
      .option('--by-page', 'show totals per page')
      .addOption(
        new Option('--source <source>', 'only feedback from this source').choices([
          'contextual',
          'thumbs_only',
          'code_snippet',
          'agent',
        ]),
      )
      .action(feedback),
    withProject(new Command('triage'))
      .description('set the status or the notes of feedback (through the API)')
      .argument('<id>', 'the feedback, as `docent analytics feedback` lists it')
      .addOption(
        new Option('--status <status>', 'its new status').choices(['pending', 'in_progress', 'resolved', 'dismissed']),
      )
      .option('--notes <text>', 'replaces the notes; empty removes them')
      .action(triage),
    asking('searches', 'show what readers searched for (through the API)').action(searches),
  ];
}

function asking(name: string, about: string): Command {
  return withProject(new Command(name))
    .description(about)
    .option('--from <date>', 'first day (UTC), or a time')
    .option('--to <date>', 'end (exclusive): a day (UTC) or a time')
    .option('--limit <number>', 'maximum number of rows to list', wholeNumber(1, 100), 50);
}

const rangeOf = ({ from, to }: Options) => ({ dateFrom: from, dateTo: to });

async function feedback(options: Options, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const { limit, source, json } = options;
  const params = { path: { projectId }, query: { ...rangeOf(options), limit, source } };
  if (options.byPage) {
    const found = await answerOf(
      server.url,
      server.client.GET('/v1/analytics/{projectId}/feedback/by-page', { params }),
    );
    print(json, found, () =>
      tableOr(
        NONE,
        ['HELPFUL', 'NOT', 'CODE', 'PAGE'],
        found.feedback.map((page) => [`${page.thumbsUp}`, `${page.thumbsDown}`, `${page.code}`, page.path]),
      ),
    );
    return;
  }
  const found = await answerOf(server.url, server.client.GET('/v1/analytics/{projectId}/feedback', { params }));
  print(json, found, () =>
    tableOr(
      NONE,
      ['ID', 'WHEN', 'STATUS', 'HELPFUL', 'PAGE', 'COMMENT'],
      found.feedback.map(({ id, createdAt, status, helpful, path, comment }) => [
        id,
        createdAt === null ? '–' : inUtc(createdAt),
        status,
        helpful === undefined ? '–' : helpful ? 'yes' : 'no',
        path,
        // One line of a table.
        comment?.replaceAll(/\s+/g, ' ') ?? '',
      ]),
    ),
  );
}

async function triage(
  feedbackId: string,
  { status, notes, json }: { status?: components['schemas']['FeedbackStatus']; notes?: string; json?: boolean },
  command: Command,
): Promise<void> {
  const { server, projectId } = targetOf(command);
  if (status === undefined && notes === undefined) command.error('Set --status, --notes, or both.');
  const body = { ...(status && { status }), ...(notes !== undefined && { notes: notes === '' ? null : notes }) };
  const params = { path: { projectId, feedbackId } };
  const changed = await answerOf(
    server.url,
    server.client.PATCH('/v1/analytics/{projectId}/feedback/{feedbackId}', { params, body }),
  );
  print(json, changed, () => `Changed ${changed.id}: ${changed.status}.`);
}

async function searches(options: Options, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId }, query: { ...rangeOf(options), limit: options.limit } };
  const found = await answerOf(server.url, server.client.GET('/v1/analytics/{projectId}/searches', { params }));
  print(options.json, found, () =>
    tableOr(
      NONE,
      ['SEARCHES', 'OPENED', 'LAST', 'TERM', 'TOP RESULT'],
      found.searches.map(({ hits, ctr, lastSearchedAt, searchQuery, topClickedPage }) => [
        String(hits),
        `${Math.round(ctr * 100)} %`,
        lastSearchedAt.slice(0, 10),
        searchQuery,
        topClickedPage ?? '',
      ]),
    ),
  );
}

const NONE =
  'Nothing yet. To send it from your pages, call docent.feedback(…) and docent.search(…) of the page script.';
