import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addControlRequest, recordControlResult } from '../../src/store/installation/control-requests.ts';
import { readerFeedback, readerSearches } from '../../src/store/analytics/reader-reports-schema.ts';
import { recordCheckRound } from '../../src/store/jobs/check-rounds.ts';
import { projects } from '../../src/store/schema.ts';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';
import { awsKey } from '../support/fake-secrets.ts';
import { startTestApi } from '../support/api-server.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';

let world: AnalyticsApi;

beforeAll(async () => {
  world = await startAnalyticsApi();
});
afterAll(() => world.close());

const views = (path: string, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, i) => ({
    timestamp: new Date(Date.now() - 60_000 * i - 1_000).toISOString(),
    path,
    ip: `203.0.113.${i}`,
    userAgent: FIREFOX,
    ...more,
  }));

test('suggests missing pages, findings of checks, and popular pages of this project only', async () => {
  const { api, analytics } = world;
  const { db } = api.database;
  const project = await api.addProject();
  const useModel = (model: string) => db.update(projects).set({ model }).where(eq(projects.id, project));
  await useModel('anthropic/claude-sonnet-5');
  await analytics.ingestor.ingest(project, [
    ...views('/guide', 4),
    ...views('/start', 2),
    ...views('/old"page', 3, { notFound: true }),
    ...views('/wp-login.php', 9, { notFound: true }),
  ]);
  await analytics.ingestor.flush();
  const job = await api.call(`/v2/agent/${project}/job`, { body: { prompt: 'Fix it' } });
  const round = { turnNo: 1, stepNo: 1, pages: 9, site: 'x', problems: [], notes: [], secrets: [], told: false };
  await recordCheckRound(db, { jobId: job.json.id, ...round, earlierProblems: 4 });

  const secret = awsKey();
  for (const visitor of [1n, 2n]) {
    const words = { projectId: project, visitor };
    await db.insert(readerSearches).values([
      { ...words, query: 'Rotate keys' },
      { ...words, query: 'found' },
      { ...words, query: 'found', clickedPath: '/guide' },
    ]);
    const comment = visitor === 1n ? `My token ${secret} fails` : null;
    await db
      .insert(readerFeedback)
      .values({ ...words, id: `fb_${visitor}`, path: '/guide', source: 'contextual', helpful: false, comment });
  }

  const at = `/v1/projects/${project}/suggestions`;
  const { status, json } = await api.call(at, { token: await api.addKey({ scopes: ['read'], projectIds: [project] }) });
  expect([status, json.readersKnown]).toEqual([200, true]);
  expect(
    json.suggestions.map(({ kind, evidence }: { kind: string; evidence: object }) => ({ kind, ...evidence })),
  ).toEqual([
    { kind: 'broken-link', path: '/old%22page', count: 3 },
    { kind: 'unanswered-search', path: null, count: 2, quotes: ['rotate keys'] },
    { kind: 'negative-feedback', path: '/guide', count: 2, quotes: [expect.stringMatching(/^My token .+ fails$/)] },
    { kind: 'docs-problems', path: null, count: 4 },
    { kind: 'popular-page', path: '/guide', count: 4 },
    { kind: 'popular-page', path: '/start', count: 2 },
  ]);

  expect(JSON.stringify(json)).not.toContain(secret);

  // A newer look at the repository says more.
  const input = { host: 'local', repository: `/srv/git/${project}`, docsDir: '' };
  const survey = {
    pages: 9,
    pagesWithoutDescription: 5,
    problems: [{ code: 'missing-page', severity: 'error', count: 2 }],
    fixable: { count: 2, path: 'index.mdx', target: '/gide' },
    redirectTargets: ['/guide', '/reference/page'],
  };
  const request = await addControlRequest(db, { kind: 'checkRepository', input, requestedBy: 'operator', lifeMs: 1 });
  await recordControlResult(db, request, { ok: true, repository: `/srv/git/${project}`, survey });
  const kinds = (await api.call(at)).json.suggestions.map(({ title }: { title: string }) => title);
  expect(kinds).toContain('Fix 2 problems that the docs checks see');
  expect(kinds).toContain('Describe 5 pages without a description');

  // The built-in editor is offered what it carries out.
  await useModel('builtin');
  await analytics.ingestor.ingest(project, views('/docs/guide.html', 2, { notFound: true }));
  await analytics.ingestor.flush();
  const own = (await api.call(at)).json;
  expect([own.model, own.suggestions.map(({ prompt }: { prompt: string }) => prompt)]).toEqual([
    'builtin',
    ['Add a redirect from "/docs/guide.html" to "/guide"', 'Fix broken links'],
  ]);

  const other = await api.addProject();
  expect((await api.call(`/v1/projects/${other}/suggestions`)).json).toEqual({
    suggestions: [],
    model: 'builtin',
    readersKnown: true,
  });
  const key = await api.addKey({ scopes: ['read'], projectIds: [other] });
  expect((await api.call(at, { token: key })).json.code).toBe('project_not_found');
  expect((await api.call('/v1/projects/nowhere/suggestions')).json.code).toBe('project_not_found');
});

test('without analytics the rest is suggested anyway', async () => {
  const api = await startTestApi();
  const project = await api.addProject();
  expect((await api.call(`/v1/projects/${project}/suggestions`)).json).toEqual({
    suggestions: [],
    model: 'builtin',
    readersKnown: false,
  });
  await api.close();
});
