import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { inUtc, print, safe, tableOr } from '@docent/base/terminal/terminal-text';
import { wholeNumber } from '../parsing.ts';
import { targetOf, withProject } from '../server.ts';

interface ListOptions {
  from?: string;
  to?: string;
  limit: number;
  json?: boolean;
}

/** `docent analytics annotations`: through the API. */
export function analyticsAnnotationsCommand(): Command {
  const annotations = new Command('annotations').description('mark events in the chart (through the API)');
  withProject(annotations.command('list', { isDefault: true }))
    .description('list annotations, releases and merged pull requests, newest first')
    .option('--from <date>', 'first day (UTC), or a time')
    .option('--to <date>', 'end (exclusive): a day (UTC) or a time')
    .option('--limit <number>', 'maximum number of rows to list', wholeNumber(1, 500), 50)
    .action(list);
  withProject(annotations.command('add <text>'))
    .description('add an annotation, such as a release')
    .option('--at <time>', 'when it happened: a day (UTC) or a time (default: now)')
    .action(add);
  withProject(annotations.command('remove <id>')).description('remove an annotation').action(remove);
  return annotations;
}

async function list({ from, to, limit, json }: ListOptions, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const query = { dateFrom: from, dateTo: to, limit };
  const request = server.client.GET('/v1/analytics/{projectId}/annotations', {
    params: { path: { projectId }, query },
  });
  const found = await answerOf(server.url, request);
  print(json, found, () =>
    tableOr(
      'No annotations and no merged pull requests yet. Add one: docent analytics annotations add TEXT --project ID',
      ['ID', 'WHEN', 'TEXT'],
      found.annotations.map(({ id, at, text }) => [id ?? 'pull request', inUtc(at), text]),
    ),
  );
}

async function add(text: string, { at, json }: { at?: string; json?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const body = { text, at };
  const request = server.client.POST('/v1/analytics/{projectId}/annotations', {
    params: { path: { projectId } },
    body,
  });
  const created = await answerOf(server.url, request);
  print(json, created, () => `Added ${created.id} at ${inUtc(created.at)}: ${safe(created.text)}`);
}

async function remove(annotationId: string, { json }: { json?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId, annotationId } };
  await answerOf(server.url, server.client.DELETE('/v1/analytics/{projectId}/annotations/{annotationId}', { params }));
  print(json, { id: annotationId, removed: true }, () => `Removed ${safe(annotationId)}.`);
}
