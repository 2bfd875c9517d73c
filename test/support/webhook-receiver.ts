import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedMessage {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

export interface ReceiverAnswer {
  status: number;
  body?: string;
  headers?: Record<string, string>;
  /** Before the answer begins. */
  waitMs?: number;
}

/** A server on loopback that takes webhooks, and answers as it is configured. */
export async function startReceiver(
  answer: (message: ReceivedMessage) => ReceiverAnswer = () => ({ status: 204 }),
  address = '127.0.0.1',
) {
  const received: ReceivedMessage[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    response.once('close', () => (atOnce -= 1));
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const id = String(request.headers['webhook-id']);
      const message = { id, headers: request.headers, body, json: JSON.parse(body) as unknown };
      received.push(message);
      const { status, body: text, headers = {}, waitMs = 0 } = answer(message);
      setTimeout(() => response.writeHead(status, headers).end(text), waitMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}/hook`,
    received,
    ofType: (type: string) => received.filter(({ json }) => json.type === type),
    /** Messages that wait for their answer now. */
    waiting: () => atOnce,
    mostAtOnce: () => mostAtOnce,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
