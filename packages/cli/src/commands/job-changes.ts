import type { components, Job } from '@docent/client';
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { allPages } from '../all-pages.ts';
import { answerOf } from '@docent/base/terminal/api-answer';
import { coloredDiff, print, safe, table } from '@docent/base/terminal/terminal-text';
import { targetOf, type Server } from '../server.ts';

type FileChange = components['schemas']['FileChange'];
type CheckRound = components['schemas']['CheckRound'];

/** Problems or notes that are shown with a job. */
const MOST_LINES = 50;

interface DiffOptions {
  json?: boolean;
  stat?: boolean;
  patch?: boolean;
}

/** `docent job diff` */
export async function showDiff(id: string, options: DiffOptions, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId, id } };
  if (options.patch) {
    const request = server.client.GET('/v2/agent/{projectId}/job/{id}/diff', {
      params,
      headers: { accept: 'text/x-diff' },
      parseAs: 'text',
    });
    // Unchanged, for git: without colors or extra lines.
    process.stdout.write(await answerOf<string>(server.url, request));
    return;
  }
  const answer = await answerOf(server.url, server.client.GET('/v2/agent/{projectId}/job/{id}/diff', { params }));
  print(options.json, answer, () => {
    const { pending } = answer;
    const parts = [
      ...(answer.diff ? [['Published', answer.diff, answer.files] as const] : []),
      ...(pending ? [[titleOf(pending), pending.diff, pending.files] as const] : []),
    ];
    if (parts.length === 0) return 'No changes yet.';
    return parts
      .map(([title, diff, files]) => {
        const body = options.stat ? statistics(files) : coloredDiff(diff);
        return parts.length > 1 || title !== 'Published' ? `${title}:\n\n${body}` : body;
      })
      .join('\n\n');
  });
}

function titleOf({ ready, cut, diff }: components['schemas']['PendingDiff']): string {
  if (cut && diff === '') return 'Not published, and hidden because it may contain a secret';
  return ready ? 'Ready to publish' : 'Not published yet';
}

function statistics(files: readonly FileChange[]): string {
  const sum = (field: 'additions' | 'deletions') => files.reduce((total, file) => total + file[field], 0);
  const rows = files.map(({ path, oldPath, status, additions, deletions, binary }) => [
    status,
    binary ? 'binary' : `+${additions} -${deletions}`,
    oldPath === null ? path : `${oldPath} → ${path}`,
  ]);
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}, +${sum('additions')} -${sum('deletions')}`;
  return `${table(['STATUS', 'LINES', 'FILE'], rows)}\n${count}`;
}

/** Requests publishing of a preview's ready change. */
export function requestPublish(
  id: string,
  { title, draft }: { title?: string; draft?: boolean },
  command: Command,
): Promise<components['schemas']['Job']> {
  const { server, projectId } = targetOf(command);
  return answerOf(
    server.url,
    server.client.POST('/v2/agent/{projectId}/job/{id}/publish', {
      params: { path: { projectId, id }, header: { 'Idempotency-Key': randomUUID() } },
      body: { title, draft },
    }),
  );
}

/** `docent job checks` */
export async function showChecks(id: string, options: { json?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const checks = await allPages(async (query) => {
    const params = { path: { projectId, id }, query };
    const page = await answerOf(server.url, server.client.GET('/v2/agent/{projectId}/job/{id}/checks', { params }));
    return { items: page.checks, next: page.nextCursor };
  });
  print(options.json, checks, () =>
    checks.length === 0
      ? 'The docs checks have not run, because nothing has changed yet.'
      : checks.map(roundText).join('\n\n'),
  );
}

type Found = Pick<CheckRound, 'problems' | 'secrets'>;

function problemLines({ problems, secrets }: Found): string[] {
  return [
    ...problems.map(({ severity, code, path, line, message, suggestion }) => {
      const hint = suggestion === null ? '' : ` Best match: ${JSON.stringify(suggestion)}.`;
      return `${severity}  ${path}:${line} ${code}: ${message}${hint}`;
    }),
    ...secrets.map(({ where, kind, id }) => `secret  ${where}: ${kind} (${id})`),
  ];
}

function noteLines({ notes }: Pick<CheckRound, 'notes'>): string[] {
  return notes.map(({ path, message }) => `review  ${path} ${message}.`);
}

/** Remaining problems of unmerged or unpublished changes, and what to review closely; may be empty. */
export async function reviewSummary({ client, url }: Server, projectId: string, job: Job): Promise<string> {
  if (job.pendingChanges === null && job.prState !== 'open') return '';
  const params = { path: { projectId, id: job.id } };
  const reviews = await answerOf(url, client.GET('/v2/agent/{projectId}/job/{id}/review', { params }));
  const review = job.pendingChanges === null ? reviews.pullRequest : reviews.pending;
  if (review === null) return '';
  const unchecked = review.checked ? [] : ['The docs checks have not covered the whole change.'];
  return [
    ...unchecked,
    ...headed('Remaining docs problems:', problemLines(review)),
    ...headed('Please review:', noteLines(review)),
  ].join('\n\n');
}

function headed(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [[heading, ...lines.slice(0, MOST_LINES).map((line) => safe(`  ${line}`)), ...moreThan(lines)].join('\n')];
}

function moreThan(lines: readonly string[]): string[] {
  return lines.length > MOST_LINES ? [`  and ${lines.length - MOST_LINES} more: see docent job checks`] : [];
}

function roundText(round: CheckRound): string {
  const pages = `${round.pages} ${round.pages === 1 ? 'page' : 'pages'}`;
  const lines = [...problemLines(round), ...noteLines(round)];
  const found = lines.length === 0 ? ['No new problems.'] : lines;
  const notice = round.told ? ['Sent to the agent, which worked on them.'] : [];
  const head = `Turn ${round.turn}, step ${round.step}: ${pages} of ${round.site}`;
  return [head, ...[...found, ...notice].map((line) => `  ${line}`)].map(safe).join('\n');
}
