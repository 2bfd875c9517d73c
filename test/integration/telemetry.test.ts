import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { eventsTaken, requestAnswered } from '../../src/platform/telemetry/instruments.ts';
import { namesCollector } from '../../src/platform/telemetry/collector.ts';
import { startTelemetry } from '../../src/platform/telemetry/telemetry.ts';

const log = createLogger({ level: 'silent', name: 'test' });
const options = { name: 'docent api', host: '127.0.0.1', port: undefined, pushes: false, log };
const servers: Server[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serverWith(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('off, nothing is measured or served', async () => {
  const telemetry = await startTelemetry(options);
  requestAnswered('getJob', 'GET', 200, 5);
  telemetry.observe([{ name: 'x', description: 'x' }], () => Promise.reject(new Error('never asked')));
  expect(telemetry.url).toBeNull();
  await telemetry.stop();
});

test('a gauge that cannot be read is left out, and the rest is answered', async () => {
  const telemetry = await startTelemetry({ ...options, port: 0 });
  requestAnswered('getJob', 'BREW', 200, 5);
  telemetry.observe([{ name: 'docent.jobs', description: 'x' }], () => Promise.reject(new Error('no database')));
  const text = await (await fetch(telemetry.url!)).text();
  expect(text).toContain('http_server_request_duration_seconds_count{http_request_method="_OTHER"');
  expect(text).not.toMatch(/^docent_jobs/m);
  await telemetry.stop();
  await expect(fetch(telemetry.url!)).rejects.toThrow('fetch failed');
});

test('a port that is taken is refused', async () => {
  const address = await serverWith((_, response) => response.end());
  const port = Number(address.split(':')[1]);
  await expect(startTelemetry({ ...options, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a collector gets the measurements, at the end at the latest', async () => {
  const bodies: string[] = [];
  const address = await serverWith((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(`${request.url} ${Buffer.concat(parts).toString()}`);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://${address}`);
  expect(namesCollector(process.env, 'METRICS')).toBe(true);
  const telemetry = await startTelemetry({ ...options, pushes: true });
  eventsTaken({ accepted: 3, duplicates: 1, rejected: [] });
  await telemetry.stop();
  expect(bodies.join('\n')).toMatch(/^\/v1\/metrics .*docent\.events.*docent-api|docent-api.*docent\.events/s);
});
