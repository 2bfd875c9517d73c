import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analytics } from '../../src/analytics/analytics.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { createLogger } from '../../src/platform/log.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

interface WorkerModule {
  default: { fetch(request: Request, env: Record<string, string>, context: object): Promise<Response> };
}

let api: TestApi;
let folder: string;
let site: Server;
let analytics: Analytics;
let database: Database;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-edge-api-'));
  api = await startTestApi({
    deps: async ({ url }) => {
      database = openDatabase(url);
      const log = createLogger({ level: 'fatal', name: 'analytics' });
      analytics = await Analytics.open({ database, folder: new AnalyticsFolder(folder), log, sealAfterMs: 200 });
      return { analytics };
    },
  });
  site = createServer((request, response) => response.writeHead(request.url === '/gone' ? 404 : 200).end('page'));
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  site.close();
  await analytics.close();
  await database.close();
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

test('the Worker of the docs counts people and agents with a key that can do nothing else', async () => {
  const page = await readFile(path.resolve(import.meta.dirname, '../../docs/analytics/cloudflare-worker.mdx'), 'utf8');
  const file = path.join(folder, 'docent-worker.mjs');
  await writeFile(file, /```js docent-worker\.js\n([\s\S]*?)```/.exec(page)![1]!);
  const worker = ((await import(pathToFileURL(file).href)) as WorkerModule).default;

  const project = await api.addProject();
  const key = await api.addKey({ projectIds: [project], scopes: ['events'] });
  const env = { DOCENT_URL: api.url, DOCENT_PROJECT: project, DOCENT_KEY: key };
  const visit = async (pathname: string, ip: string, userAgent: string) => {
    const waiting: Promise<unknown>[] = [];
    const request = new Request(`http://127.0.0.1:${(site.address() as AddressInfo).port}${pathname}`);
    Object.defineProperty(request, 'headers', {
      value: new Headers({ 'CF-Connecting-IP': ip, 'User-Agent': userAgent }),
    });
    await worker.fetch(request, env, { waitUntil: (work: Promise<unknown>) => waiting.push(work) });
    await Promise.all(waiting);
  };
  const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
  await visit('/guide', '203.0.113.7', browser);
  await visit('/guide/?again', '203.0.113.7', browser);
  await visit('/guide.md', '203.0.113.8', 'Claude-User (claude-code/2.1.83)');
  await visit('/gone', '203.0.113.7', browser);
  await visit('/app.js', '203.0.113.9', browser);
  await analytics.ingestor.flush();

  const visitors = await api.call(`/v1/analytics/${project}/visitors`);
  expect(visitors.json).toMatchObject({
    totals: { human: 1, ai: 1, total: 2 },
    visitors: [{ path: '/guide', human: 1, ai: 1, total: 2 }],
    hasMore: false,
  });
  const views = await api.call(`/v1/analytics/${project}/views`);
  expect(views.json).toMatchObject({ totals: { human: 2, ai: 1, total: 3 } });
  const missing = await api.call(`/v1/analytics/${project}/not-found`);
  expect(missing.text).toContain('/gone');
});
