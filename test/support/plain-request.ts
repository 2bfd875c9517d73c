import { request } from 'node:http';

export interface PlainAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  /** As it came over the wire: packed, where it is. */
  bytes: Buffer;
}

/**
 * A request over its own socket with these headers and no others; `fetch` adds some, and unpacks what
 * comes.
 */
export function plainRequest(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const flat = Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(', ') : value,
          ]),
        );
        resolve({ status: answer.statusCode ?? 0, headers: flat, bytes: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
