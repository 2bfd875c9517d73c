import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createDocentClient } from '@docent/client';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
let projectId: string;

beforeAll(async () => {
  api = await startTestApi();
  projectId = await api.addProject();
});
afterAll(() => api.close());

describe('from Node', () => {
  test('runs a job, with types for all of it', async () => {
    const docent = createDocentClient({ baseUrl: `${api.url}/`, apiKey: await api.addKey() });
    const created = await docent.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId }, header: { 'Idempotency-Key': 'k' } },
      body: { prompt: 'Fix broken links' },
    });
    const id: string = created.data?.id ?? '';
    expect(created.response.status).toBe(201);
    const path = { projectId, id };
    const got = await docent.GET('/v2/agent/{projectId}/job/{id}', { params: { path } });
    expect(got.data).toEqual(created.data);
    const events = await docent.GET('/v2/agent/{projectId}/job/{id}/events', { params: { path, query: { after: 0 } } });
    expect(events.data?.events.map((event) => event.type)).toEqual(['created']);
    const listed = await docent.GET('/v2/agent/{projectId}/jobs', { params: { path, query: { status: 'active' } } });
    expect(listed.data?.jobs).toHaveLength(1);
  });

  test('returns an error unchanged, and does not throw', async () => {
    const docent = createDocentClient({ baseUrl: api.url, apiKey: api.operatorToken });
    const { data, error, response } = await docent.GET('/v2/agent/{projectId}/job/{id}', {
      params: { path: { projectId, id: '../../v1/projects' } },
    });
    expect(data).toBeUndefined();
    expect(error).toEqual({
      error: expect.any(String),
      code: 'job_not_found',
      requestId: expect.any(String),
      param: null,
      errors: [],
      docs: '/docs/reference/errors#job_not_found',
    });
    expect(response.status).toBe(404);
  });

  test('defaults may be left out of a body', async () => {
    const docent = createDocentClient({ baseUrl: api.url, apiKey: api.operatorToken });
    const { data } = await docent.POST('/v1/keys', { body: { name: 'x', projectIds: null } });
    expect(data?.scopes).toEqual(['read']);
  });

  test('without a key, someone in between adds it; options reach fetch', async () => {
    const seen: Request[] = [];
    const docent = createDocentClient({
      baseUrl: 'https://docs.example.com/docent',
      credentials: 'include',
      headers: { 'X-Request-Id': 'trace-0123456789' },
      fetch: async (request) => {
        seen.push(request);
        return Response.json({ status: 'ok' });
      },
    });
    await docent.GET('/healthz');
    expect(seen[0]?.url).toBe('https://docs.example.com/docent/healthz');
    expect(seen[0]?.credentials).toBe('include');
    expect(seen[0]?.headers.has('authorization')).toBe(false);
    expect(seen[0]?.headers.get('x-request-id')).toBe('trace-0123456789');
  });
});

describe('in a browser', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-client-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('the bundle is small, needs nothing of Node or of the server, and works', async () => {
    const entry = join(folder, 'page.ts');
    const source = resolve('packages/client/src/index.ts');
    await writeFile(
      entry,
      `import { createDocentClient } from ${JSON.stringify(source)};
       export const run = (baseUrl: string, apiKey: string) => createDocentClient({ baseUrl, apiKey }).GET('/v1/projects');`,
    );
    const bundle = await rolldown({ input: entry, platform: 'browser', external: [] });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    await bundle.close();
    expect(output).toHaveLength(1);
    const [chunk] = output;
    expect(chunk.imports).toEqual([]);
    expect(chunk.dynamicImports).toEqual([]);
    expect(chunk.moduleIds.filter((id) => id.includes('/src/') && !id.includes('/client/src/'))).toEqual([]);
    expect(chunk.code).not.toMatch(/node:|require\(|process\.env/);
    expect(chunk.code.length).toBeLessThan(20_000);

    const file = join(folder, 'page.mjs');
    await writeFile(file, chunk.code);
    const { run } = await import(file);
    const { data } = await run(api.url, api.operatorToken);
    expect(data.projects.map((project: { id: string }) => project.id)).toContain(projectId);
  });

  test('the package only depends on its fetch and event libraries', async () => {
    const manifest = JSON.parse(await readFile('packages/client/package.json', 'utf8'));
    expect(Object.keys(manifest.dependencies)).toEqual(['eventsource-parser', 'openapi-fetch']);
  });
});
