import type { components } from '@docent/client';
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { answerOf } from '../../api-answer.ts';
import { colouredDiff, print, safe, table } from '../../terminal-text.ts';
import { targetOf } from './server.ts';

type FileChange = components['schemas']['FileChange'];
type CheckRound = components['schemas']['CheckRound'];

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
    // As it is, for git: neither colours nor a line more.
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
    if (parts.length === 0) return 'Nothing has been changed yet.';
    return parts
      .map(([title, diff, files]) => {
        const body = options.stat ? statistics(files) : colouredDiff(diff);
        return parts.length > 1 || title !== 'Published' ? `${title}:\n\n${body}` : body;
      })
      .join('\n\n');
  });
}

function titleOf({ ready, cut, diff }: components['schemas']['PendingDiff']): string {
  if (cut && diff === '') return 'Not published, and not shown because it has what looks like a secret';
  return ready ? 'Ready to be published' : 'Not published so far';
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

/** Asks for what a preview has ready. */
export function requestPublish(
  id: string,
  { title, draft }: { title?: string; draft?: boolean },
  command: Command,
): Promise<components['schemas']['Job']> {
  const { server, projectId } = targetOf(command);
  const body = { ...(title === undefined ? {} : { title }), ...(draft === undefined ? {} : { draft }) };
  return answerOf(
    server.url,
    server.client.POST('/v2/agent/{projectId}/job/{id}/publish', {
      params: { path: { projectId, id }, header: { 'Idempotency-Key': randomUUID() } },
      body,
    }),
  );
}

/** `docent job checks` */
export async function showChecks(id: string, options: { json?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const checks: CheckRound[] = [];
  let cursor: string | undefined;
  do {
    const params = { path: { projectId, id }, query: { limit: 100, ...(cursor ? { cursor } : {}) } };
    const page = await answerOf(server.url, server.client.GET('/v2/agent/{projectId}/job/{id}/checks', { params }));
    checks.push(...page.checks);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  print(options.json, checks, () =>
    checks.length === 0
      ? 'The docs checks have not run: nothing was changed so far.'
      : checks.map(inWords).join('\n\n'),
  );
}

function inWords(round: CheckRound): string {
  const { problems, notes, secrets } = round;
  const pages = `${round.pages} ${round.pages === 1 ? 'page' : 'pages'}`;
  const lines = [
    ...problems.map(({ severity, code, path, line, message, suggestion }) => {
      const hint = suggestion === null ? '' : ` Best match: ${JSON.stringify(suggestion)}.`;
      return `${severity}  ${path}:${line} ${code}: ${message}${hint}`;
    }),
    ...secrets.map(({ where, kind, id }) => `secret  ${where}: ${kind} (${id})`),
    ...notes.map(({ path, message }) => `look at ${path} ${message}.`),
  ];
  const found = lines.length === 0 ? ['The change brings nothing that was not there before.'] : lines;
  const told = round.told ? ['The agent was told, and looked again.'] : [];
  const head = `Turn ${round.turn}, step ${round.step}: ${pages} of ${round.site}`;
  return [head, ...[...found, ...told].map((line) => `  ${line}`)].map(safe).join('\n');
}
