import type { components } from '@docent/client';
import { answerOf } from '@docent/base/terminal/api-answer';
import { confirm } from '@docent/base/terminal/confirm';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { print, safe } from '@docent/base/terminal/terminal-text';
import type { Command } from 'commander';
import { targetOf } from '@docent/cli/server';

type Plan = components['schemas']['AutomationPlan'];

const SIGNS = { create: '+', update: '~', delete: '-' } as const;
/** Characters of a value that are shown. */
const MAX_VALUE = 200;

/** `docent automation plan` */
export async function plan({ json }: { json?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const { found } = await planOf(server, projectId);
  print(json, found, () => planText(found));
  if (found.problems.length > 0) process.exitCode = EXIT.failed;
}

/** `docent automation apply`: applies exactly the shown plan, or nothing. */
export async function apply(options: { json?: boolean; yes?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const { found, tag } = await planOf(server, projectId);
  if (found.problems.length > 0) throw new CliFailure(planText(found), EXIT.failed);
  if (found.changes.length > 0)
    await confirm(`${planText(found)}\nThis changes ${projectId} at ${server.url}.`, options);
  const request = server.client.POST('/v1/projects/{projectId}/automation-plan', {
    params: { path: { projectId }, header: { 'If-Match': tag } },
    body: { commit: found.commit },
  });
  const applied = await answerOf(server.url, request);
  print(options.json, applied, () =>
    applied.changes.length === 0 ? planText(applied) : `Applied:\n${planText(applied)}`,
  );
}

async function planOf({ client, url }: ReturnType<typeof targetOf>['server'], projectId: string) {
  const answer = client.GET('/v1/projects/{projectId}/automation-plan', { params: { path: { projectId } } });
  const found: Plan = await answerOf(url, answer);
  return { found, tag: (await answer).response.headers.get('etag') ?? '' };
}

function planText({ ref, commit, changes, problems }: Plan): string {
  const lines = [
    ...problems.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    ...changes.flatMap(({ action, id, file, fields }) => [
      `${SIGNS[action]} ${action} ${id} (${file})`,
      ...fields.map(({ field, before, after }) => `    ${field}: ${valueText(before)} → ${valueText(after)}`),
    ]),
  ];
  const at = `${ref} at ${commit.slice(0, 10)}`;
  if (lines.length === 0) return safe(`The automations match their files on ${at}.`);
  return [`${at}:`, ...lines].map((line) => safe(line)).join('\n');
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
