import { randomUUID } from 'node:crypto';
import type { Job, JobEvent } from '@docent/client';
import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { EXIT } from '@docent/base/terminal/failures';
import { uploadFiles } from './attachment.ts';
import { showCitations } from './job-citations.ts';
import { showMessages } from './job-messages.ts';
import { beforeLastTurn, followJob, getJob, StatusLines, type JobRef } from '../job-progress.ts';
import { requestPublish, reviewSummary, showChecks, showDiff } from './job-changes.ts';
import { untilInterrupted } from '../interrupt.ts';
import { assertChange, textOrInput, wholeNumber } from '../parsing.ts';
import { addListCommand } from './job-list.ts';
import { addSuggestionsCommand } from './job-suggestions.ts';
import {
  bodyOf,
  changeOf,
  describeJob,
  sizeText,
  withChangeOptions,
  withNewJobOptions,
  type ChangeOptions,
  type NewJobOptions,
} from './job-options.ts';
import { showProgress } from '../live-progress.ts';
import { print, safe } from '@docent/base/terminal/terminal-text';
import { targetFlags, targetOf, withProject, type Server } from '../server.ts';

interface JobOptions {
  project?: string;
  json?: boolean;
  wait?: boolean;
  attach?: string[];
  events?: boolean;
}

const ATTACH = [
  '--attach <file>',
  'image or text file for the agent; can be repeated',
  (file: string, before: string[] = []) => [...before, file],
] as const;

/** Exit codes of commands that wait for a job. */
export const EXIT_CODES = `
Exit codes:
  0  the job completed: changed, answered or unchanged
  1  the job failed, or the server refused the request
  2  the command line or a setting is wrong
  3  the job was canceled or archived before it finished
  4  the server cannot be reached
  6  the model did not do the work: outcome refused or asked

  130  Ctrl-C: the job continues; see it again with docent job watch`;

const EVENTS = "print every event, including the model's text, as a line of JSON as it happens, and no result";

/** `docent job …` */
export function jobCommand(): Command {
  const job = new Command('job').description('run and manage agent jobs, from a prompt to a pull request');
  withNewJobOptions(withProject(job.command('run <prompt>')))
    .description('start a job, show its progress, and print its pull request (prompt "-" is read from standard input)')
    .option(...ATTACH)
    .option('--no-wait', 'print the job and return immediately')
    .option('--events', EVENTS)
    .addHelpText(
      'after',
      `
Modes:
  pull-request  a branch and a pull request (default)
  preview       held until docent job publish
  ask           no change, only an answer
  push          directly to the base branch, if the project allows it
${EXIT_CODES}

Examples:
  $ docent job run --project handbook 'Replace "sign in" with "log in" in guides/**'
  $ docent job run --project handbook 'Fix broken links' --json | jq -r .prLink
  $ docent job run 'Add the image chart.png at images/chart.png' --attach chart.png
  $ docent job run --mode ask 'What can you do?'
  $ docent job run 'Fix broken links' --ref release-2.4 --branch docs/links-2.4 --draft --metadata ticket=DOC-17
  $ docent job run - < instructions.txt`,
    )
    .action(run);
  withProject(job.command('message <id> <prompt>'))
    .description('send a follow-up message to a job; the same pull request is updated')
    .option(...ATTACH)
    .option('--no-wait', 'print the job and return immediately')
    .option('--events', EVENTS)
    .addHelpText('after', EXIT_CODES)
    .action(message);
  withProject(job.command('retry <id>'))
    .description('retry a job whose last turn failed or was refused; it resumes where it stopped')
    .option('--model <model>', 'model to use from now on')
    .option('--no-wait', 'print the job and return immediately')
    .option('--events', EVENTS)
    .addHelpText('after', EXIT_CODES)
    .action(retry);
  withProject(job.command('watch <id>'))
    .description('show the progress of a job until it is done, then its result; Ctrl-C leaves the job running')
    .option('--events', EVENTS)
    .addHelpText('after', EXIT_CODES)
    .action(watch);
  withProject(job.command('show <id>')).description('show a job').action(show);
  addListCommand(job);
  addSuggestionsCommand(job);
  withChangeOptions(withProject(job.command('update <id>')))
    .description("change a job's title, budget or labels")
    .action(update);
  withProject(job.command('messages <id>'))
    .description("show a job's messages and answers")
    .option('--limit <number>', 'maximum number of messages to show', wholeNumber(1, 10_000), 100)
    .action(showMessages);
  withProject(job.command('citations <id>'))
    .description("show which source lines a job's statements cite")
    .action(showCitations);
  withProject(job.command('diff <id>'))
    .description('show what a job changed, published or not')
    .option('--stat', 'show only changed files and line counts')
    .option('--patch', 'print one patch for git apply: the unpublished change, or else the pull request')
    .action(showDiff);
  withProject(job.command('publish <id>'))
    .description("publish a preview's change, and print its pull request")
    .option('--title <title>', 'title of the pull request')
    .option('--draft', 'open the pull request as a draft')
    .option('--no-draft', 'open it ready for review')
    .option('--no-wait', 'print the job and return immediately')
    .addHelpText('after', EXIT_CODES)
    .action(publish);
  withProject(job.command('checks <id>'))
    .description('show the results of the docs checks, round by round')
    .action(showChecks);
  for (const [name, description] of [
    ['cancel', "cancel a job's current turn; unfinished work is not published"],
    ['discard', 'drop what a preview has ready'],
    ['archive', 'archive a job; it takes no more messages'],
    ['unarchive', 'restore a job from the archive'],
  ] as const) {
    withProject(job.command(`${name} <id>`))
      .description(description)
      .action((id: string, options: JobOptions, command: Command) => change(name, id, options, command));
  }
  return job;
}

/** Uploads attachments. This comes first: an unreadable or refused file prevents creating the job. */
async function attached(
  server: Server,
  projectId: string,
  { attach = [] }: JobOptions,
): Promise<{ attachments?: string[] }> {
  if (attach.length === 0) return {};
  return { attachments: (await uploadFiles(server, projectId, attach)).map(({ id }) => id) };
}

/** Lets proxies repeat a request without doing it twice. */
const once = () => ({ 'Idempotency-Key': randomUUID() });

async function run(given: string, options: JobOptions & NewJobOptions, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const job = await answerOf(
    server.url,
    server.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId }, header: once() },
      body: { prompt: await textOrInput(given), ...bodyOf(options), ...(await attached(server, projectId, options)) },
    }),
  );
  await finish(server, { projectId, id: job.id }, job, 0, options);
}

async function message(id: string, given: string, options: JobOptions, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const after = await lastEventNo(server, { projectId, id });
  const job = await answerOf(
    server.url,
    server.client.POST('/v2/agent/{projectId}/job/{id}/message', {
      params: { path: { projectId, id }, header: once() },
      body: { prompt: await textOrInput(given), ...(await attached(server, projectId, options)) },
    }),
  );
  await finish(server, { projectId, id }, job, after, options);
}

async function retry(id: string, options: JobOptions & { model?: string }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const after = await lastEventNo(server, { projectId, id });
  const job = await answerOf(
    server.url,
    server.client.POST('/v2/agent/{projectId}/job/{id}/retry', {
      params: { path: { projectId, id }, header: once() },
      body: { model: options.model },
    }),
  );
  await finish(server, { projectId, id }, job, after, options);
}

async function watch(id: string, options: JobOptions, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const ref = { projectId, id };
  const job = await getJob(server, ref);
  await finish(server, ref, job, await beforeLastTurn(server, ref), options);
}

async function lastEventNo({ client, url }: Server, { projectId, id }: JobRef): Promise<number> {
  let last = 0;
  for (;;) {
    const params = { path: { projectId, id }, query: { after: last, limit: 500 } };
    const { events } = await answerOf(url, client.GET('/v2/agent/{projectId}/job/{id}/events', { params }));
    const newest = events.at(-1);
    if (!newest) return last;
    last = newest.no;
  }
}

function warn(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Follows a job until it is done and prints it, or prints it as it is. */
export async function finish(
  server: Server,
  ref: JobRef,
  started: Job,
  after: number,
  options: JobOptions,
): Promise<void> {
  if (options.wait === false) {
    print(options.json, started, () => describeJob(started));
    return;
  }
  let last: EndState;
  const isTurning = process.stdout.isTTY && !options.json && !options.events;
  // The first line, even before JSON, so that an interrupted caller can find the job.
  if (options.json || options.events) warn(`Job ${ref.id}`);
  else if (!isTurning) process.stdout.write(`Job ${ref.id}\n`);
  const status = new StatusLines((line) => warn(safe(line)));
  const onStatus = isTurning ? undefined : (line: string) => status.show(line);
  await untilInterrupted(
    () => goesOn(server, ref),
    async (signal) => {
      async function* follow(onProgress?: (words: string | null) => void) {
        const onEvent = options.events
          ? (event: object) => void process.stdout.write(`${JSON.stringify(event)}\n`)
          : undefined;
        const listeners = { onProblem: warn, onProgress, onStatus, onEvent };
        for await (const event of followJob(server, ref, { after, signal, ...listeners })) {
          status.printed();
          if (event.type === 'turn_ended') last = event.data?.state;
          yield event;
        }
      }
      if (options.json || options.events) for await (const event of follow()) void event;
      else await showProgress(`Job ${ref.id}`, follow, signal);
    },
  );
  const job = await getJob(server, ref);
  if (!options.events) {
    const review = options.json ? '' : await reviewSummary(server, ref.projectId, job);
    print(options.json, job, () => [outcome(job), review].filter(Boolean).join('\n\n'));
  }
  process.exitCode = exitCodeOf(job, last);
}

/** The message after Ctrl-C. */
function goesOn(server: Server, { projectId, id }: JobRef): string {
  const where = targetFlags(server, projectId);
  return [
    `The job ${id} continues at ${server.url}.`,
    `  Watch it:   docent job watch ${id}${where}`,
    `  Cancel it:  docent job cancel ${id}${where}`,
  ].join('\n');
}

type EndState = NonNullable<JobEvent['data']>['state'];

function exitCodeOf(job: Job, lastTurn: EndState): number {
  if (job.outcome === 'refused' || job.outcome === 'asked') return EXIT.refused;
  if (job.status === 'failed') return EXIT.failed;
  return job.status === 'archived' || lastTurn === 'cancelled' ? EXIT.putAside : EXIT.done;
}

function outcome(job: Job): string {
  if (job.error) return safe(`The job failed: ${job.error.message} (${job.error.code})`);
  const words = [safe(job.summary ?? `The job is ${job.status}.`)];
  // An earlier turn's pull request is shown beside this turn's outcome.
  if (job.outcome !== 'changed' && job.outcome !== null && job.mode !== 'ask') words.push(`Outcome: ${job.outcome}`);
  if (job.prLink)
    words.push(
      `Pull request${job.prState === 'merged' || job.prState === 'closed' ? ` (${job.prState})` : ''}: ${job.prLink}`,
    );
  if (job.pendingChanges) {
    words.push(
      `Ready to publish: ${sizeText(job.pendingChanges)}.\n  See it:      docent job diff ${job.id}\n  Publish it:  docent job publish ${job.id}`,
    );
  }
  return words.join('\n\n');
}

async function show(id: string, options: JobOptions, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const job = await getJob(server, { projectId, id });
  const review = options.json ? '' : await reviewSummary(server, projectId, job);
  print(options.json, job, () => [describeJob(job), review].filter(Boolean).join('\n\n'));
}

async function update(id: string, options: JobOptions & ChangeOptions, command: Command): Promise<void> {
  const body = changeOf(options);
  assertChange(body, 'Specify what to change. See docent job update --help.');
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId, id } };
  const job = await answerOf(server.url, server.client.PATCH('/v2/agent/{projectId}/job/{id}', { params, body }));
  print(options.json, job, () => describeJob(job));
}

async function publish(
  id: string,
  options: JobOptions & { title?: string; draft?: boolean },
  command: Command,
): Promise<void> {
  const { server, projectId } = targetOf(command);
  const after = await lastEventNo(server, { projectId, id });
  await finish(server, { projectId, id }, await requestPublish(id, options, command), after, options);
}

async function change(
  action: 'cancel' | 'discard' | 'archive' | 'unarchive',
  id: string,
  options: JobOptions,
  command: Command,
): Promise<void> {
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId, id }, header: once() };
  const job = await answerOf(server.url, server.client.POST(`/v2/agent/{projectId}/job/{id}/${action}`, { params }));
  print(options.json, job, () => describeJob(job));
}
