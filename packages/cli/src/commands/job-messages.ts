import type { components } from '@docent/client';
import type { Command } from 'commander';
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
  const messages: Message[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: Math.min(100, options.limit - messages.length), ...(cursor ? { cursor } : {}) };
    const params = { path: { projectId, id }, query };
    const request = server.client.GET('/v2/agent/{projectId}/job/{id}/messages', { params });
    const page = await answerOf(server.url, request);
    messages.push(...page.messages);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && messages.length < options.limit);
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
