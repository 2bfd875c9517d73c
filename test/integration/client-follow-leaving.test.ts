import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createDocentClient, followJob, FollowUnreachable } from '@docent/client';
import { describe, expect, onTestFinished, test } from 'vitest';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const JOB = { projectId: 'acme', id: 'j1' };

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.concurrent('following a job', () => {
  test.each([
    ['that waits for its first answer', (() => {}) satisfies RequestListener],
    [
      'whose connection is dead',
      ((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': open\n\n');
      }) satisfies RequestListener,
    ],
  ])('%s ends when it is aborted, after a garbage collection', async (_what, answer) => {
    const baseUrl = await listening(answer);
    const leaving = new AbortController();
    const collecting = setInterval(collectGarbage, 20);
    setTimeout(() => leaving.abort(), 500);
    try {
      for await (const event of followJob(createDocentClient({ baseUrl }), { ...JOB, signal: leaving.signal }))
        expect.fail(`There is no event: ${JSON.stringify(event)}`);
    } finally {
      clearInterval(collecting);
    }
  });

  test.each([
    ['nothing listens at', async () => 'http://127.0.0.1:1'],
    ['never answers at', () => listening(() => {})],
  ])('fails within seconds when a server %s the address', async (_what, address) => {
    const client = createDocentClient({ baseUrl: await address() });
    const begun = performance.now();
    await expect(followJob(client, JOB).next()).rejects.toThrow(FollowUnreachable);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
