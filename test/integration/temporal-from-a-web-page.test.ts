import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { freePort } from '../support/free-port.ts';
import { Reaper } from '@docent/servers/processes/reaper';
import { findTemporal } from '@docent/servers/temporal/find';
import { startTemporal, type RunningTemporal } from '@docent/servers/temporal/server';

/** The server of `docent start`, and attacks on it from a page in a browser of the same machine. */
const reaper = new Reaper();
let folder: string;
let temporal: RunningTemporal;
let httpPort: number;
let uiPort: number;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-web-page-'));
  const { binary } = await findTemporal({ env: process.env, onProgress: () => {} });
  [httpPort, uiPort] = [await freePort(), await freePort()];
  temporal = await startTemporal({
    binary,
    port: await freePort(),
    httpPort,
    uiPort,
    log: createLogger({ level: 'silent', name: 'temporal' }),
    reaper,
  });
});
afterAll(async () => {
  await temporal?.stop();
  await reaper.close();
  await rm(folder, { recursive: true, force: true });
});

const WORKFLOW = JSON.stringify({ workflowType: { name: 'changePullRequest' }, taskQueue: { name: 'docent-x' } });

/** `fetch` sets `Host` automatically, as browsers do. */
function send(port: number, url: string, headers: Record<string, string>, body?: string) {
  return new Promise<{ status: number; text: string; cookie: string }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: url, method: body ? 'POST' : 'GET', headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          text,
          cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function workflows(): Promise<number> {
  const connection = await Connection.connect({ address: temporal.address });
  const found = [];
  for await (const workflow of new Client({ connection }).workflow.list()) found.push(workflow);
  await connection.close();
  return found.length;
}

const path1 = (api: string) => `${api}/namespaces/default/workflows/forged`;

describe('the HTTP API of the embedded Temporal', () => {
  test.for([
    ['a post from another origin', { origin: 'https://evil.example', 'content-type': 'text/plain' }],
    ['a post under a name that was pointed here', { host: 'evil.example', 'content-type': 'text/plain' }],
    ['localhost', { host: 'localhost', 'content-type': 'application/json' }],
  ] as const)('refuses %s', async ([, headers]) => {
    const answer = await send(httpPort, path1('/api/v1'), headers, WORKFLOW);
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('Host not allowed') });
    expect((await send(httpPort, '/api/v1/namespaces', headers)).status).toBe(403);
    expect(await workflows()).toBe(0);
  });
});

describe('the Web UI of the embedded Temporal', () => {
  test('rejects other origins: such a page cannot read the token that a post needs', async () => {
    const headers = { origin: 'https://evil.example', 'content-type': 'text/plain' };
    const page = await send(uiPort, '/api/v1/namespaces', headers);
    expect(page.cookie).toMatch(/^_csrf=/);
    expect((await send(uiPort, path1('/api/v1'), headers, WORKFLOW)).status).toBe(400);
    expect((await send(uiPort, path1('/api/v1'), { ...headers, cookie: page.cookie }, WORKFLOW)).status).toBe(400);
    expect(await workflows()).toBe(0);
  });
});
