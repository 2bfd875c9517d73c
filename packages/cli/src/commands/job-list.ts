import type { Job, operations } from '@docent/client';
import { Option, type Command } from 'commander';
import { allPages } from '../all-pages.ts';
import { answerOf } from '@docent/base/terminal/api-answer';
import { inUtc, print, tableOr } from '@docent/base/terminal/terminal-text';
import { keyValue, severalOf, wholeNumber } from '../parsing.ts';
import { stateText } from './job-options.ts';
import { targetOf, withProject } from '../server.ts';

type Query = NonNullable<operations['listJobs']['parameters']['query']>;

type Outcome = NonNullable<Job['outcome']>;

const STATUSES: readonly Job['status'][] = ['active', 'completed', 'failed', 'archived'];
const OUTCOMES: readonly Outcome[] = ['changed', 'answered', 'unchanged', 'refused', 'asked', 'discarded', 'failed'];
const STATES: readonly Job['state'][] = [
  ...(['queued', 'working', 'asked', 'refused', 'failed', 'ready', 'open', 'merged', 'closed', 'pushed'] as const),
  ...(['answered', 'unchanged', 'discarded', 'cancelled'] as const),
];

interface ListOptions extends Pick<
  Query,
  'createdFrom' | 'createdTo' | 'model' | 'automation' | 'createdBy' | 'metadata'
> {
  json?: boolean;
  limit: number;
  status?: Job['status'][];
  state?: Job['state'][];
  outcome?: Outcome[];
  text?: string;
  pullRequest?: 'yes' | 'no';
}

/** `docent job list` */
export function addListCommand(job: Command): void {
  withProject(job.command('list'))
    .description('list the jobs of a project, newest first')
    .addOption(
      new Option('--state <state>', 'only jobs in this state; can be repeated')
        .choices(STATES)
        .argParser(severalOf(STATES)),
    )
    .addOption(
      new Option('--status <status>', 'only jobs with this status; can be repeated')
        .choices(STATUSES)
        .argParser(severalOf(STATUSES)),
    )
    .addOption(
      new Option('--outcome <outcome>', 'only jobs whose last turn had this outcome; can be repeated')
        .choices(OUTCOMES)
        .argParser(severalOf(OUTCOMES)),
    )
    .option('--text <text>', 'only jobs with this text in title, prompt or summary')
    .option('--created-from <time>', 'only jobs created at or after this time: 2026-11-21, 2026-11-21T08:30Z')
    .option('--created-to <time>', 'only jobs created before this time')
    .addOption(
      new Option('--pull-request <yes|no>', 'only jobs with, or without, a pull request').choices(['yes', 'no']),
    )
    .option('--model <model>', 'only jobs with this model')
    .option('--automation <id>', 'only jobs of this automation')
    .option('--created-by <who>', 'only jobs created by operator, automation or key:ID')
    .option('--metadata <name=value>', 'only jobs with this label; can be repeated', keyValue)
    .option('--limit <number>', 'maximum number of jobs to list', wholeNumber(1, 10_000), 20)
    .action(list);
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const { status, state, outcome, createdFrom, createdTo, model, automation, createdBy, metadata } = options;
  const { text, pullRequest } = options;
  const hasPullRequest = pullRequest && pullRequest === 'yes';
  const filters: Query = {
    status,
    state,
    outcome,
    q: text,
    createdFrom,
    createdTo,
    model,
    automation,
    createdBy,
    metadata,
    hasPullRequest,
  };
  const jobs = await allPages(async (page) => {
    const params = { path: { projectId }, query: { ...filters, ...page } };
    const found = await answerOf(server.url, server.client.GET('/v2/agent/{projectId}/jobs', { params }));
    return { items: found.jobs, next: found.nextCursor };
  }, options.limit);
  print(options.json, jobs, () =>
    tableOr(
      noneOf(filters),
      ['ID', 'STATE', 'CREATED', 'TITLE'],
      jobs.map((job) => [job.id, stateText(job), inUtc(job.createdAt), job.title]),
    ),
  );
}

/** The message for an empty list. */
function noneOf({ status, ...others }: Query): string {
  const isFiltered = Object.values(others).some((value) => value !== undefined);
  if (isFiltered) return 'No matching jobs. Remove a filter to see more.';
  return status ? `No ${[status].flat().join(' or ')} jobs.` : "No jobs yet. Start one: docent job run 'PROMPT'";
}
