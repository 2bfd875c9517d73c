import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { createLogger } from '../../src/platform/log.ts';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';

const CHATGPT = 'Mozilla/5.0; compatible; ChatGPT-User/1.0; +https://openai.com/bot';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const GPTBOT = 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)';

let world: AnalyticsApi;
let duck: Duck;

beforeAll(async () => {
  world = await startAnalyticsApi();
  const temporaryFolder = new AnalyticsFolder(world.folder).temporaryFolder;
  duck = await Duck.open({ memoryMb: 256, threads: 1, connections: 2, temporaryFolder });
});
afterAll(async () => {
  duck.close();
  await world.close();
});

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
const view = (path: string, who: number, seconds: number, more: object = {}) => ({
  timestamp: ago(seconds),
  path,
  ip: `203.0.113.${who}`,
  userAgent: FIREFOX,
  ...more,
});
const live = (project: string, token?: string) =>
  world.api.call(`/v1/analytics/${project}/live`, token === undefined ? {} : { token });

test('returns current readers from any server, merged or not, each event once', async () => {
  const { api, analytics } = world;
  const other = await world.openAnother();
  const project = await api.addProject();
  const twice = view('/guide', 1, 30, { id: 'same' });
  const events = [
    twice,
    view('/guide', 1, 200),
    view('/start', 2, 100),
    view('/start', 3, 10, { userAgent: CHATGPT, ip: '104.208.184.193' }),
    view('/start', 4, 10, { userAgent: GPTBOT }),
    view('/gone', 5, 10, { notFound: true }),
    view('/old', 6, 400),
  ];
  await analytics.ingestor.ingest(project, events);
  await other.ingestor.ingest(project, [twice, view('/start', 7, 5)]);
  await analytics.ingestor.flush();
  await other.ingestor.flush();

  const { status, json, headers } = await live(project);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(json.views).toEqual({ human: 4, ai: 1, total: 5 });
  expect(json.visitors).toEqual({ human: 3, ai: 1, total: 4 });
  expect(json.pages).toEqual([
    { path: '/start', visitors: { human: 2, ai: 1, total: 3 }, views: { human: 2, ai: 1, total: 3 } },
    { path: '/guide', visitors: { human: 1, ai: 0, total: 1 }, views: { human: 2, ai: 0, total: 2 } },
  ]);
  expect(json.agents.map(({ agent, views }: { agent: string; views: number }) => [agent, views])).toEqual([
    ['ChatGPT-User', 1],
    ['GPTBot', 1],
  ]);
  expect(json.minutes).toHaveLength(5);
  const sum = json.minutes.reduce((total: number, { views }: { views: { total: number } }) => total + views.total, 0);
  expect(sum).toBe(5);
  expect(json.minutes.at(-1).views.total).toBe(3);
  expect(Date.now() - Date.parse(json.asOf)).toBeLessThan(10_000);
  // Cached for a moment, so that many readers cost no more than one.
  expect((await live(project)).json.asOf).toBe(json.asOf);

  const log = createLogger({ level: 'fatal', name: 'merge' });
  const folder = new AnalyticsFolder(world.folder);
  expect((await mergeProject({ database: api.database, folder, duck, log }, project))?.events).toBe(8);
  // A late event beside merged ones, and an already merged one.
  await analytics.ingestor.ingest(project, [view('/start', 8, 20)]);
  await other.ingestor.ingest(project, [twice]);
  await analytics.ingestor.flush();
  await other.ingestor.flush();
  const merged = await other.live(project);
  expect([merged.views.total, merged.visitors.total]).toEqual([6, 5]);
});

test('is empty for a project without views, and refused for a missing or foreign one', async () => {
  const project = await world.api.addProject();
  const { json } = await live(project);
  expect(json).toMatchObject({ visitors: { total: 0 }, views: { total: 0 }, pages: [], agents: [] });
  expect((await live('nowhere')).json.code).toBe('project_not_found');
  const counts = await world.api.addKey({ scopes: ['analytics'], projectIds: [project] });
  const sends = await world.api.addKey({ scopes: ['events'], projectIds: [project] });
  expect((await live(project, counts)).status).toBe(200);
  expect((await live(project, sends)).json.code).toBe('forbidden_scope');
});
