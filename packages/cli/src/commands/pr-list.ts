import type { components, operations } from '@docent/client';
import { Option, type Command } from 'commander';
import { allPages } from '../all-pages.ts';
import { answerOf } from '@docent/base/terminal/api-answer';
import { inUtc, print, tableOr } from '@docent/base/terminal/terminal-text';
import { severalOf, wholeNumber } from '../parsing.ts';
import { targetOf, withProject } from '../server.ts';

type PullRequest = components['schemas']['PullRequest'];
type Query = NonNullable<operations['listPullRequests']['parameters']['query']>;

const STATES: readonly PullRequest['state'][] = ['open', 'merged', 'closed'];

interface ListOptions extends Pick<Query, 'createdFrom' | 'createdTo' | 'mergedFrom' | 'mergedTo'> {
  json?: boolean;
  limit: number;
  state?: PullRequest['state'][];
}

/** `docent pr list` */
export function addListCommand(pr: Command): void {
  withProject(pr.command('list'))
    .description('list the pull requests of a project, newest first')
    .addOption(
      new Option('--state <state>', 'only pull requests in this state; can be repeated')
        .choices(STATES)
        .argParser(severalOf(STATES)),
    )
    .option('--created-from <time>', 'only those opened at or after this time: 2026-11-21, 2026-11-21T08:30Z')
    .option('--created-to <time>', 'only those opened before this time')
    .option('--merged-from <time>', 'only those merged at or after this time')
    .option('--merged-to <time>', 'only those merged before this time')
    .option('--limit <number>', 'maximum number of pull requests to list', wholeNumber(1, 10_000), 20)
    .action(list);
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const { json, limit, state, createdFrom, createdTo, mergedFrom, mergedTo } = options;
  const filters: Query = { state, createdFrom, createdTo, mergedFrom, mergedTo };
  const found = await allPages(async (page) => {
    const params = { path: { projectId }, query: { ...filters, ...page } };
    const request = server.client.GET('/v1/projects/{projectId}/pull-requests', { params });
    const { pullRequests: items, nextCursor: next } = await answerOf(server.url, request);
    return { items, next };
  }, limit);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  print(json, found, () =>
    tableOr(
      isFiltered
        ? 'No matching pull requests. Remove a filter to see more.'
        : 'No pull requests yet. Jobs that change the docs open them.',
      ['JOB', 'STATE', 'CHECKS', 'CREATED', 'TITLE', 'LINK'],
      found.map(({ jobId, state: current, checks, createdAt, title, link }) => [
        jobId,
        current,
        checks === null || checks.state === 'none' ? '–' : checks.state,
        inUtc(createdAt),
        title,
        link,
      ]),
    ),
  );
}
