import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * One answer of the server, byte for byte: what a test of faults needs and no imitation of a provider offers.
 */
export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Sent one after the other. A number is a pause in milliseconds. */
  body?: (string | number)[];
  /** How it ends: properly, with the connection broken, or not at all. */
  end?: 'end' | 'break' | 'hang';
}

export interface ScriptedProvider {
  url: string;
  /** Bodies of the requests so far. */
  requests: { path: string; headers: IncomingMessage['headers']; body: unknown }[];
  close(): Promise<void>;
}

/** Answers the n-th request with the n-th answer; the last one is given again. */
export async function startScriptedProvider(script: ScriptedAnswer[]): Promise<ScriptedProvider> {
  const requests: ScriptedProvider['requests'] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      requests.push({ path: request.url ?? '', headers: request.headers, body: text === '' ? null : JSON.parse(text) });
      await answer(response, script[Math.min(requests.length, script.length) - 1]!);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  response: ServerResponse,
  { status = 200, headers = {}, body = [], end = 'end' }: ScriptedAnswer,
) {
  response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json', ...headers });
  response.flushHeaders();
  for (const piece of body) {
    if (typeof piece === 'number') await sleep(piece);
    else response.write(piece);
  }
  if (end === 'end') response.end();
  if (end === 'break') setTimeout(() => response.destroy(), 30);
}

const anthropicEvent = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

/** The beginning of a streamed answer of Anthropic's Messages API: so much text, and no end. */
export function anthropicBeginning(text: string): string {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 60, cache_creation_input_tokens: 20 },
  };
  return [
    anthropicEvent('message_start', { message }),
    anthropicEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    anthropicEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  ].join('');
}

/** The rest of it. */
export function anthropicEnd(stopReason = 'end_turn', outputTokens = 25): string {
  return [
    anthropicEvent('content_block_stop', { index: 0 }),
    anthropicEvent('message_delta', {
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: outputTokens },
    }),
    anthropicEvent('message_stop', {}),
  ].join('');
}

const chunk = (choices: object[], more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'local', choices, ...more })}\n\n`;

/** An answer of the Chat Completions API, in pieces. `finish` null: without an end. */
export function chatAnswer(
  delta: object,
  finish: string | null = 'stop',
  usage: object | null = { prompt_tokens: 50, completion_tokens: 7, total_tokens: 57 },
): string {
  return [
    chunk([{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }]),
    ...(finish === null
      ? []
      : [
          chunk([{ index: 0, delta: {}, finish_reason: finish }]),
          ...(usage ? [chunk([], { usage })] : []),
          'data: [DONE]\n\n',
        ]),
  ].join('');
}
