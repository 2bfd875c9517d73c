import type { components } from '@docent/client';
import type { Command } from 'commander';
import { allPages } from '../all-pages.ts';
import { answerOf } from '@docent/base/terminal/api-answer';
import { inUtc, print, safe } from '@docent/base/terminal/terminal-text';
import { targetOf } from '../server.ts';

type Message = components['schemas']['JobMessage'];

/** `docent job messages` */
export async function showMessages(
  id: string,
  options: { json?: boolean; limit: number },
  command: Command,
): Promise<void> {
  const { server, projectId } = targetOf(command);
  const messages = await allPages(async (query) => {
    const params = { path: { projectId, id }, query };
    const request = server.client.GET('/v2/agent/{projectId}/job/{id}/messages', { params });
    const { messages: items, nextCursor: next } = await answerOf(server.url, request);
    return { items, next };
  }, options.limit);
  print(options.json, messages, () => messages.map(messageText).join('\n\n'));
}

function messageText({ no, role, state, outcome, createdAt, text, attachments }: Message): string {
  const about = role === 'assistant' ? (outcome ?? 'answer') : state;
  const head = `${no}  ${role}, ${about}, ${inUtc(createdAt)}`;
  const files = attachments.map(({ id, name }) => `Attached: ${name} (${id})`);
  return [
    head,
    ...[text, ...files].flatMap((part) => part.split('\n')).map((line) => `   ${safe(line)}`.trimEnd()),
  ].join('\n');
}
