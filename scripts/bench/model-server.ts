import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Tool calls by name and input, or closing words. */
export type ScriptedStep = [name: string, input: object][] | string;

export interface ModelServer {
  url: string;
  /** From the end of one answer until the next request has arrived whole, in milliseconds. */
  gaps: number[];
  /** Characters of the newest request. */
  lastRequest: number;
  close(): void;
}

/** A model that takes no time: speaks the Chat Completions API, and gives the n-th request the n-th answer. */
export async function startModelServer(script: (step: number) => ScriptedStep): Promise<ModelServer> {
  let [step, answeredAt] = [0, 0];
  const server = createServer((request, response) => {
    let length = 0;
    request.on('data', (chunk: Buffer) => (length += chunk.length));
    request.on('end', () => {
      if (answeredAt > 0) state.gaps.push(performance.now() - answeredAt);
      state.lastRequest = length;
      answer(response, (step += 1), script(step));
      answeredAt = performance.now();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const state: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    gaps: [],
    lastRequest: 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return state;
}

function answer(response: ServerResponse, step: number, said: ScriptedStep): void {
  const send = (choices: object[], more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: `a${step}`, object: 'chat.completion.chunk', created: 1, model: 'bench', choices, ...more })}\n\n`,
    );
  const delta =
    typeof said === 'string'
      ? { content: said }
      : {
          tool_calls: said.map(([name, input], index) => ({
            index,
            id: `call_${step}_${index}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
          })),
        };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send([{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }]);
  send([{ index: 0, delta: {}, finish_reason: typeof said === 'string' ? 'stop' : 'tool_calls' }]);
  send([], { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } });
  response.end('data: [DONE]\n\n');
}
