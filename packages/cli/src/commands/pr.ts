import type { components } from '@docent/client';
import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure } from '@docent/base/terminal/failures';
import { fields, print, safe, inUtc } from '@docent/base/terminal/terminal-text';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { openInBrowser } from '../open-in-browser.ts';
import { showEffect } from './pr-effect.ts';
import { addListCommand } from './pr-list.ts';
import { targetOf, withProject } from '../server.ts';

type PullRequest = components['schemas']['PullRequest'];

interface Options {
  json?: boolean;
  print?: boolean;
  refresh?: boolean;
  yes?: boolean;
}

/** `docent pr …` */
export function pullRequestCommand(): Command {
  const pr = new Command('pr').description('manage the pull requests of jobs');
  addListCommand(pr);
  withProject(pr.command('show <job>'))
    .description("show a job's pull request, with its checks")
    .option('--refresh', 'refresh it from the code host first')
    .action(show);
  withProject(pr.command('open <job>'))
    .description("print the URL of a job's pull request, and open it in the browser")
    .option('--print', 'only print the URL')
    .action(open);
  withProject(pr.command('effect <job>'))
    .description('compare the readers of the changed pages in the 28 days before and after the merge')
    .action(showEffect);
  withProject(pr.command('merge <job>'))
    .description(
      "merge a job's pull request into its base branch (requires the operator token); asks first if the docs checks found problems",
    )
    .option(...YES)
    .action(change('merge'));
  withProject(pr.command('close <job>'))
    .description("close a job's pull request without merging; its branch stays (requires the operator token)")
    .action(change('close'));
  return pr;
}

async function pullRequestOf(id: string, command: Command, refresh = false): Promise<PullRequest> {
  const { server, projectId } = targetOf(command);
  const request = server.client.GET('/v2/agent/{projectId}/job/{id}/pull-request', {
    params: { path: { projectId, id }, query: { refresh } },
  });
  return answerOf(server.url, request);
}

async function show(id: string, { json, refresh }: Options, command: Command): Promise<void> {
  const found = await pullRequestOf(id, command, refresh);
  print(json, found, () => describe(found));
}

async function open(id: string, options: Options, command: Command): Promise<void> {
  const found = await pullRequestOf(id, command);
  // The address comes from a code host: only web pages are opened.
  if (!/^https?:\/\//.test(found.link))
    throw new CliFailure(`The pull request has no web address: ${safe(found.link)}`);
  print(options.json, found, () => safe(found.link));
  if (options.print || options.json || !process.stdout.isTTY) return;
  // A machine without a browser has the URL above.
  if (!(await openInBrowser(found.link))) process.stderr.write('Docent could not open a browser here.\n');
}

function change(action: 'merge' | 'close') {
  return async (id: string, { json, yes }: Options, command: Command): Promise<void> => {
    const { server, projectId } = targetOf(command);
    const params = { path: { projectId, id } };
    if (action === 'merge' && !yes) {
      const review = server.client.GET('/v2/agent/{projectId}/job/{id}/review', { params });
      const doubts = (await answerOf(server.url, review)).pullRequest?.doubts ?? [];
      const asked = json === undefined ? {} : { json };
      if (doubts.length > 0) await confirm(doubts.map(({ message }) => message).join(' '), asked);
    }
    const done = await answerOf(
      server.url,
      server.client.POST(`/v2/agent/{projectId}/job/{id}/pull-request/${action}`, { params }),
    );
    print(json, done, () =>
      action === 'merge'
        ? `Merged into ${safe(done.baseBranch)}: ${safe(done.link)}`
        : `Closed: ${safe(done.link)}\nThe branch ${safe(done.headBranch)} is kept. A new message to the job opens a new pull request.`,
    );
  };
}

function describe(found: PullRequest): string {
  return fields({
    'pull request': found.link,
    state: found.state,
    title: found.title,
    branch: found.headBranch,
    base: found.baseBranch,
    commit: found.headCommit,
    ...(found.mergeCommit === null ? {} : { 'merge commit': found.mergeCommit }),
    ...(found.checks === null || found.checks.state === 'none' ? {} : { checks: checksIn(found.checks) }),
    ...(found.mergeable === null ? {} : { mergeable: found.mergeable ? 'yes' : 'no, it has conflicts' }),
    ...(found.review === null ? {} : { review: found.review.replace('_', ' ') }),
    ...(found.problem === null ? {} : { problem: found.problem }),
    job: found.jobId,
    created: inUtc(found.createdAt),
    updated: inUtc(found.updatedAt),
  });
}

function checksIn({ state, total, failed, items }: NonNullable<PullRequest['checks']>): string {
  const names = items.filter((item) => item.state === 'failed').map(({ name }) => name);
  return state === 'failed' ? `${failed} of ${total} failed: ${names.join(', ')}` : `${state} (${total})`;
}
