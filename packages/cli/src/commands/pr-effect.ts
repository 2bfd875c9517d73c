import type { components } from '@docent/client';
import type { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { inUtc, print, table } from '@docent/base/terminal/terminal-text';
import { targetOf } from '../server.ts';

type Effect = components['schemas']['PullRequestEffect'];
type Readers = components['schemas']['PageReaders'];

const COLUMNS: readonly (readonly [head: string, field: keyof Readers])[] = [
  ['HUMAN', 'human'],
  ['AI', 'ai'],
  ['NOT FOUND', 'notFound'],
  ['SEARCHES', 'searches'],
  ['NEGATIVE', 'negativeFeedback'],
];

/** `docent pr effect` */
export async function showEffect(id: string, { json }: { json?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const newest = server.client.GET('/v2/agent/{projectId}/job/{id}/pull-request', {
    params: { path: { projectId, id } },
  });
  const { id: prId } = await answerOf(server.url, newest);
  const request = server.client.GET('/v1/projects/{projectId}/pull-requests/{prId}/effect', {
    params: { path: { projectId, prId } },
  });
  const effect = await answerOf(server.url, request);
  print(json, effect, () => describe(effect));
}

function describe({ mergedAt, window: { days, before, after }, pages }: Effect): string {
  const head = `Merged ${inUtc(mergedAt)}. Readers in the ${days} days before and after:`;
  if (pages.length === 0) return 'The pull request changed no pages.';
  const missing = [
    ...(before.complete ? [] : [`There are no page views of the whole ${days} days before.`]),
    ...(after.complete ? [] : [`The ${days} days after are not counted to their end: ${inUtc(after.to)}.`]),
  ];
  const rows = pages.map((page) => [
    ...COLUMNS.map(([, field]) => `${page.before[field]} → ${page.after[field]}`),
    page.path,
  ]);
  const heads = [...COLUMNS.map(([name]) => name), 'PAGE'];
  return [head, ...missing, '', table(heads, rows, { right: COLUMNS.map((_, i) => i) })].join('\n');
}
