import type { components } from '@docent/client';
import type { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { plural } from '@docent/base/plural';
import { print, safe } from '@docent/base/terminal/terminal-text';
import { targetOf } from '../server.ts';

type Citation = components['schemas']['Citation'];

/** `docent job citations` */
export async function showCitations(id: string, options: { json?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId, id } };
  const request = server.client.GET('/v2/agent/{projectId}/job/{id}/citations', { params });
  const found = await answerOf(server.url, request);
  print(options.json, found, () => {
    const { citations, claimsWithoutSource: without } = found;
    const missing = without === 0 ? [] : [`${plural(without, 'claim')} without a source.`];
    if (citations.length === 0 && without === 0) return 'No citations. Jobs cite sources that the project has.';
    return [...citations.map(citationText), ...missing].join('\n\n');
  });
}

const STATES: Record<Citation['state'], string> = {
  held: '',
  stale: ' (changed since)',
  gone: ' (gone)',
};

function citationText({ page, line, claim, source, state }: Citation): string {
  const { name, path, fromLine, toLine, commit } = source;
  const cited = `${name}:${path}#L${fromLine}-L${toLine} at ${commit.slice(0, 12)}${STATES[state]}`;
  return [`${page}:${line}  ${claim}`, `  ${cited}`].map((text) => safe(text)).join('\n');
}
