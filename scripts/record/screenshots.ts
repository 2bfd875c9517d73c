/**
 * Takes the screenshots of the docs: `npm run record-screenshots`. Starts Docent in a temporary folder with a
 * sample site, jobs and two months of readers (only the language model is imitated), opens each page in
 * Chromium in light and dark, and writes `docs/images/dashboard/`. Takes about two minutes. `npm run
 * record-screenshots -- home job` takes only these.
 * DOCENT_TEST_CHROMIUM names another Chromium than /usr/bin/chromium. Ends with an error if a picture is
 * above 150 kB.
 */
import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { createDocentClient, type DocentClient } from '@docent/client';
import { sampleReaders } from './screenshots/sample-readers.ts';
import { ScriptedModels } from '../../test/support/scripted-models.ts';
import { startSample } from './sample-docent.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const IMAGES = path.join(ROOT, 'docs/images/dashboard');
const MOST_BYTES = 150_000;
const VIEWPORT = { width: 1200, height: 750 };
const PROJECT = 'acme-docs';
/** Names of pictures to take; without any, all. */
const CHOSEN = process.argv.slice(2);

const MODEL = 'openai-compatible/sample';
const LIMITS = 'Document the request timeout and the number of retries, with sources.';

const models = new ScriptedModels();
models.play(
  LIMITS,
  { say: 'I look up both values.', calls: [['sources_read', { path: 'server:src/config.ts', from: 1, to: 5 }]] },
  {
    say: 'I add them to the page about errors.',
    calls: [
      [
        'write',
        {
          path: 'reference/errors.mdx',
          content: '\nRequests end after 30 seconds. A failed upload is retried 3 times.\n',
          mode: 'append',
        },
      ],
    ],
  },
  {
    say: `Document the request limits

Citations:
- reference/errors.mdx:7 "Requests end after 30 seconds." -> server:src/config.ts#L2
- reference/errors.mdx:7 "A failed upload is retried 3 times." -> server:src/config.ts#L5`,
  },
);
const modelsUrl = await models.mock.start();
const docent = await startSample({ OPENAI_COMPATIBLE_BASE_URL: `${modelsUrl}/v1` });
try {
  const client = createDocentClient({ baseUrl: docent.apiUrl, apiKey: docent.token });
  const furnished = await furnish(client);
  await takePictures(docent.apiUrl, docent.token, furnished);
} finally {
  await docent.stop();
  await models.mock.stop();
}

/** The ids of what the pictures show. */
interface Furnished {
  /** Its pull request is open. */
  jobId: string;
  /** Its pull request is merged. */
  mergedId: string;
  /** Its statements have sources. */
  citedId: string;
  automationId: string;
}

async function furnish(client: DocentClient): Promise<Furnished> {
  must(await client.POST('/v1/projects', { body: { id: PROJECT, repository: docent.repository } }));
  must(
    await client.PATCH('/v1/projects/{projectId}', {
      params: { path: { projectId: PROJECT } },
      body: {
        settings: { analyticsReport: 'week', analyticsAlerts: true, analyticsRecipients: ['docs@acme.example'] },
      },
    }),
  );
  const params = { path: { projectId: PROJECT } };
  const events = sampleReaders();
  for (let i = 0; i < events.length; i += 1_000) {
    must(
      await client.POST('/v1/analytics/{projectId}/events', { params, body: { events: events.slice(i, i + 1_000) } }),
    );
  }
  const automation = must(
    await client.POST('/v1/projects/{projectId}/automations', {
      params,
      body: {
        name: 'Fix links every week',
        prompt: 'Fix broken links',
        trigger: { type: 'schedule', cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
      },
    }),
  );
  must(
    await client.POST('/v1/projects/{projectId}/sources', {
      params,
      body: { name: 'server', repository: docent.source, paths: ['src'] },
    }),
  );
  must(
    await client.POST('/v1/projects/{projectId}/share-links', {
      params,
      body: { name: 'Documentation team', expiresInDays: 30 },
    }),
  );
  must(
    await client.POST('/v1/projects/{projectId}/webhooks', {
      params,
      body: {
        url: 'https://hooks.example.com/docent',
        description: 'Team chat',
        events: ['job.completed', 'job.failed'],
      },
    }),
  );
  await runJob(
    client,
    'Add a page titled "Rate limits" at reference/rate-limits with the text "100 requests per minute."',
  );
  await runJob(client, 'Make the docs better');
  const mergedId = await runJob(client, 'Replace "api key" with "API key"');
  const path = { projectId: PROJECT, id: mergedId };
  must(await client.POST('/v2/agent/{projectId}/job/{id}/pull-request/merge', { params: { path } }));
  const run = must(
    await client.POST('/v1/projects/{projectId}/automations/{automationId}/trigger', {
      params: { path: { projectId: PROJECT, automationId: automation.id } },
    }),
  );
  await untilSettled(client, run.id);
  const citedId = await runJob(client, LIMITS, MODEL);
  const jobId = await runJob(client, 'Rename guides/install to guides/installation');
  must(
    await client.POST('/v2/agent/{projectId}/job/{id}/message', {
      params: { path: { projectId: PROJECT, id: jobId } },
      body: {
        prompt: 'Append a section "Next steps" with the text "Deploy your first site." to the page quickstart.mdx',
      },
    }),
  );
  await untilSettled(client, jobId);
  return { jobId, mergedId, citedId, automationId: automation.id };
}

async function runJob(client: DocentClient, prompt: string, model = 'builtin'): Promise<string> {
  const params = { path: { projectId: PROJECT } };
  const job = must(await client.POST('/v2/agent/{projectId}/job', { params, body: { prompt, model } }));
  await untilSettled(client, job.id);
  return job.id;
}

async function untilSettled(client: DocentClient, id: string): Promise<void> {
  const params = { path: { projectId: PROJECT, id } };
  for (let waited = 0; waited < 120; waited += 1) {
    const job = must(await client.GET('/v2/agent/{projectId}/job/{id}', { params }));
    if (job.status !== 'active') return;
    await sleep(500);
  }
  throw new Error(`Job ${id} did not end within a minute.`);
}

async function takePictures(apiUrl: string, token: string, ids: Furnished): Promise<void> {
  const project = `/projects/${PROJECT}`;
  const changesOf = (jobId: string) => `${project}/jobs/${jobId}/changes`;
  /** Name, address, and what to do before the picture. */
  const pictures: [string, string, ((page: Page) => Promise<void>)?][] = [
    ['home', project],
    ['new-job', `${project}/jobs/new`],
    ['jobs', `${project}/jobs`],
    ['job', `${project}/jobs/${ids.jobId}`],
    ['changes', changesOf(ids.jobId)],
    ['citations', changesOf(ids.citedId), (page) => openFold(page, 'statements with a source')],
    ['effect', changesOf(ids.mergedId), (page) => openFold(page, 'Readers before and after')],
    ['pull-requests', `${project}/pull-requests`],
    ['analytics', `${project}/analytics`],
    ['analytics-agents', `${project}/analytics`, (page) => scrollTo(page, 'AI agents')],
    ['automations', `${project}/automations`],
    ['automation-runs', `${project}/automations/${ids.automationId}`],
    ['webhooks', `${project}/webhooks`],
    ['settings', `${project}/settings`],
    ['reports', `${project}/settings`, (page) => page.getByText('Reader report').first().scrollIntoViewIfNeeded()],
    ['share-links', `${project}/settings`, (page) => scrollTo(page, 'Share links')],
    ['keys', '/keys'],
    ['health', '/health'],
    ['command-palette', project, (page) => page.keyboard.press('Control+k')],
  ];
  await mkdir(IMAGES, { recursive: true });
  const executablePath = process.env.DOCENT_TEST_CHROMIUM ?? chromiumPath();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    for (const theme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        baseURL: apiUrl,
        colorScheme: theme,
        viewport: VIEWPORT,
        locale: 'en-US',
        reducedMotion: 'reduce',
        extraHTTPHeaders: { Authorization: `Bearer ${token}` },
      });
      for (const [name, address, prepare] of pictures) {
        if (CHOSEN.length > 0 && !CHOSEN.includes(name)) continue;
        const page = await context.newPage();
        await page.goto(address);
        await untilDrawn(page);
        await prepare?.(page);
        await untilDrawn(page);
        const file = path.join(IMAGES, `${name}-${theme}.png`);
        await page.screenshot({ path: file, animations: 'disabled' });
        await page.close();
        const { size } = await stat(file);
        process.stdout.write(`${path.relative(ROOT, file)}  ${(size / 1_000).toFixed(0)} kB\n`);
        if (size > MOST_BYTES) throw new Error(`${file} is above ${MOST_BYTES / 1_000} kB.`);
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

async function openFold(page: Page, summary: string): Promise<void> {
  await page.locator('summary', { hasText: summary }).first().click();
}

/** Nothing is loading, and charts are drawn. A machine under load may take a minute. */
async function untilDrawn(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.waitForFunction(
    () =>
      document.querySelector('h1, h2') !== null &&
      document.querySelector('.waiting') === null &&
      [...document.querySelectorAll('.plot')].every((plot) => plot.querySelector('canvas') !== null),
    undefined,
    { timeout: 120_000 },
  );
  await sleep(500);
}

async function scrollTo(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { name: heading }).first().scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 500);
}

function chromiumPath(): string {
  const found = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file));
  if (found === undefined) throw new Error('Install Chromium, or set DOCENT_TEST_CHROMIUM to its path.');
  return found;
}

function must<Data>({ data, error }: { data?: Data; error?: { error: string } }): Data {
  if (error) throw new Error(error.error);
  return data as Data;
}
