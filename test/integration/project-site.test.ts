import { rmSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createControlActivities } from '../../src/activities/requests/carry-out-request.ts';
import { createAgentPool } from '../../src/agent/agent-pool.ts';
import { createShortWorkflows } from '../../src/temporal/short-workflows.ts';
import { createGitStore } from '../../src/git/git-store.ts';
import { createLocalHost } from '../../src/code-hosts/local/local.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLogger } from '../../src/platform/log.ts';
import { workflowBundle } from '../support/caches.ts';
import { installationId } from '../../src/store/installation/installation.ts';
import { taskQueueOf, type ShortWorkflows } from '../../src/workflows/contract.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { modelsAt } from '../support/models.ts';
import { git as runGit, makeWorkTree, temporaryFolder } from '../support/git-fixture.ts';
import { services } from '../support/run-services.ts';
import { NativeConnection, Worker } from '../support/temporal-worker.ts';

const folder = temporaryFolder();
const repository = path.join(folder.path, 'library');
let api: TestApi;
let workflows: ShortWorkflows;
let close: () => Promise<void>;

/** End to end: the API asks a worker through a workflow, and the worker reads the repository. */
beforeAll(async () => {
  makeWorkTree(repository, {
    'website/docusaurus.config.js': `module.exports = { presets: [['classic', { docs: { path: '../docs' } }]] };`,
    'docs/intro.md': '# Intro\n',
    'docs/more.md': '# More\n',
    'handbook/mkdocs.yml': 'site_name: H\n',
    'handbook/docs/index.md': '# H\n',
    'notes/a.md': '# Note\n',
  });
  const address = services.temporalAddress;
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  let installation = '';
  api = await startTestApi({
    deps: async ({ db }) => {
      installation = await installationId(db);
      workflows = createShortWorkflows(new Client({ connection }), db, installation);
      return { workflows };
    },
  });
  const { db } = api.database;
  const log = createLogger({ level: 'warn', name: 'worker' });
  const git = createGitStore({ cacheDir: path.join(folder.path, 'git'), log });
  const agents = createAgentPool({ cacheDir: path.join(folder.path, 'pages'), log });
  const local = createLocalHost({ db, publicUrl: () => api.url });
  const worker = await Worker.create({
    connection: native,
    taskQueue: taskQueueOf(installation),
    workflowBundle: await workflowBundle(),
    activities: createControlActivities({
      db,
      git,
      agents,
      hosts: {
        get: async (id) => (id === 'local' ? local : Promise.reject(new TypeError('the inner reason'))),
        connect: async () => local,
        hookSecret: async () => null,
      },
      models: modelsAt('http://127.0.0.1:9'),
      webhooks: { send: () => Promise.reject(new TypeError('There is none.')) },
      log,
      settings: loadConfig({}),
    }),
  });
  const running = worker.run();
  close = async () => {
    worker.shutdown();
    await running;
    await Promise.all([git.close(), agents.close(), native.close(), connection.close()]);
    await api.close();
    folder.remove();
  };
}, 300_000);

afterAll(() => close());

test('a new project reports the generator of its docs, and its configuration file', async () => {
  const made = await api.call('/v1/projects', { body: { id: 'library', repository, docsDir: 'docs' } });
  expect([made.status, made.json.settings?.site]).toEqual([201, null]);
  expect(made.json.site).toEqual({
    kind: 'docusaurus',
    config: 'website/docusaurus.config.js',
    folder: 'docs',
    pages: 2,
    unsure: null,
    candidates: ['handbook/mkdocs.yml'],
  });
  expect((await api.call('/v1/projects/library')).json).not.toHaveProperty('site');
});

test('a repository can be checked before it is a project: site, pages, problems by kind; and nothing is created', async () => {
  const library = path.join(folder.path, 'looked-at');
  makeWorkTree(library, {
    'AGENTS.md': 'Say it plainly.\n',
    'site/mkdocs.yml': 'site_name: H\n',
    'site/docs/index.md':
      '---\ndescription: All of it.\n---\n\n# H\n\n[a](gone.md) [b](lost.md) [c](more.md#nowhere)\n',
    'site/docs/more.md': '# More\n',
  });
  const look = (body: object) => api.call('/v1/repositories/check', { body });
  const found = await look({ repository: library });
  expect([found.status, found.json]).toEqual([
    200,
    expect.objectContaining({
      usable: true,
      problem: null,
      host: 'local',
      ref: 'main',
      suggestedDocsDir: 'site/docs',
      site: expect.objectContaining({ kind: 'mkdocs', config: 'site/mkdocs.yml', pages: 2 }),
      instructions: [expect.objectContaining({ path: 'AGENTS.md', includedCharacters: 15 })],
      notes: [],
    }),
  ]);
  expect(found.json.checks).toEqual({
    pages: 2,
    pagesWithoutDescription: 1,
    problems: [
      {
        code: 'missing-page',
        severity: 'error',
        count: 2,
        example: {
          path: 'site/docs/index.md',
          line: 7,
          message: 'The link "gone.md" is broken: its target does not exist.',
        },
        help: expect.stringMatching(/^http:.*\/docs\/reference\/check-rules#missing-page$/),
      },
      expect.objectContaining({ code: 'missing-anchor', count: 1 }),
    ],
  });
  expect((await look({ repository: library, ref: 'release' })).json).toMatchObject({
    usable: false,
    problem: expect.stringContaining('release'),
    site: null,
  });
  expect((await look({ repository: path.join(folder.path, 'nothing') })).json.usable).toBe(false);
  expect((await look({ repository: 'https://nobody.example/docs' })).json).toMatchObject({ usable: false, host: null });
  expect((await look({ repository: 'https://nobody.example/docs', host: 'nobody' })).json.code).toBe('host_not_found');
  expect((await look({ repository: 7 })).json.code).toBe('bad_request');
  expect((await api.call('/v1/projects')).json.projects.map(({ id }: { id: string }) => id)).not.toContain('looked-at');
  const key = await api.addKey();
  expect((await api.call('/v1/repositories/check', { body: { repository: library }, token: key })).status).toBe(403);
});

const surveyFor = (who: string) =>
  workflows.surveyRepository(
    { host: 'local', repository, repositoryId: null, ref: null, docsDir: '', site: null, branchPrefix: null },
    who,
  );

test('of several checks by one caller the newest runs, on any API; other callers are unaffected', async () => {
  const asked = [];
  for (let i = 0; i < 5; i += 1) {
    asked.push(
      surveyFor('key_1').then(
        ({ ok }) => ok,
        (err: { code: string }) => err.code,
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  const other = await surveyFor('key_2');
  const outcomes = await Promise.all(asked);
  expect(other.ok).toBe(true);
  expect(outcomes).toContain(true);
  expect(outcomes.filter((outcome) => outcome !== true && outcome !== 'superseded')).toEqual([]);
  expect(outcomes).toContain('superseded');
});

test('if the site is uncertain, candidates are listed; the setting chooses one, and must exist', async () => {
  const made = await api.call('/v1/projects', { body: { id: 'notes', repository, docsDir: 'notes' } });
  expect(made.json.site).toMatchObject({
    kind: 'plain',
    unsure: expect.stringContaining('No site configuration covers the docs folder'),
    candidates: ['handbook/mkdocs.yml', 'website/docusaurus.config.js'],
  });
  const set = (site: string | null) =>
    api.call('/v1/projects/notes', { method: 'PATCH', body: { settings: { site } } });
  expect((await set('plain')).json).toMatchObject({ settings: { site: 'plain' }, site: { unsure: null } });
  const refused = await set('webseite');
  expect([refused.status, refused.json.code]).toEqual([400, 'repository_refused']);
  expect(refused.json.error).toContain('webseite');
  expect(refused.json.error).toContain('Docusaurus (website/docusaurus.config.js)');
  expect((await api.call('/v1/projects/notes')).json.settings.site).toBe('plain');
  expect((await set(null)).json.settings.site).toBeNull();
  const bad = await set('a\u0000b');
  expect([bad.status, bad.json.code]).toEqual([400, 'bad_request']);
});

test('a changed docs folder must exist, and a renamed default branch is followed', async () => {
  const own = path.join(folder.path, 'renamed');
  makeWorkTree(own, { 'docs/index.md': '# H\n', 'AGENTS.md': 'Say it plainly.\n' });
  expect((await api.call('/v1/projects', { body: { id: 'renamed', repository: own, docsDir: 'docs' } })).status).toBe(
    201,
  );
  runGit(own, 'branch', '-m', 'trunk');
  expect((await api.call('/v1/projects/renamed/instructions')).json).toMatchObject({ ref: 'trunk' });
  const change = (docsDir: string) => api.call('/v1/projects/renamed', { method: 'PATCH', body: { docsDir } });
  expect((await change('dosc')).json.site.docsFolder).toContain('Did you mean docs?');
  const refused = await change('AGENTS.md');
  expect([refused.status, refused.json.code]).toEqual([400, 'repository_refused']);
  expect(refused.json.error).toContain('AGENTS.md is a file');
  expect((await change('')).json).toMatchObject({ docsDir: '' });
});

test('a branch that keeps the project’s branches from being made is named, before a job spends anything', async () => {
  const made = (settings: object) =>
    api.call('/v1/projects', { body: { id: 'prefixed', repository, docsDir: 'docs', settings } });
  for (const branchPrefix of ['main', 'main/docs']) {
    const refused = await made({ branchPrefix });
    expect([refused.status, refused.json.code]).toEqual([400, 'repository_refused']);
    expect(refused.json.error).toContain('has a branch "main"');
    expect(refused.json.error).toContain('--branch-prefix');
  }
  expect((await made({ branchPrefix: 'mainly' })).status).toBe(201);
  const change = (branchPrefix: string | null) =>
    api.call('/v1/projects/prefixed', { method: 'PATCH', body: { settings: { branchPrefix } } });
  expect((await change('main')).status).toBe(400);
  expect((await api.call('/v1/projects/prefixed')).json.settings.branchPrefix).toBe('mainly');
  expect((await change('docs/bot')).status).toBe(200);
  runGit(repository, 'branch', 'docent');
  const installations = await change(null);
  runGit(repository, 'branch', '-D', 'docent');
  expect(installations.json.error).toContain('has a branch "docent"');
});

test('a repository whose files are not all there is refused, and not by its first job', async () => {
  const damaged = path.join(folder.path, 'damaged');
  makeWorkTree(damaged, { 'index.md': '# One\n', 'guide/two.md': '# Two\n' });
  const blob = runGit(damaged, 'rev-parse', 'main:guide/two.md').trim();
  rmSync(path.join(damaged, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  const refused = await api.call('/v1/projects', { body: { id: 'damaged', repository: damaged } });
  expect([refused.status, refused.json.code]).toEqual([400, 'repository_refused']);
  expect(refused.json.error).toContain(blob);
});

test('a failing worker is not reported as a missing one', async () => {
  const asked = workflows.checkHost({ host: 'broken', candidate: null, repository: null, ref: null }, 'operator');
  await expect(asked).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/^The worker failed: .*the inner reason/),
  });
});
