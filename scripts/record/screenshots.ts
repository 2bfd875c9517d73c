/**
 * Takes the screenshots of the docs: `npm run record-screenshots`. Starts Docent in a temporary folder with a
 * sample site, jobs and two months of readers, opens each page in Chromium in light and dark, and writes
 * `docs/images/dashboard/`. Takes about two minutes. DOCENT_TEST_CHROMIUM names another Chromium than
 * /usr/bin/chromium. Ends with an error if a picture is above 150 kB.
 */
import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { createDocentClient, type DocentClient } from '@docent/client';
import { sampleReaders } from './screenshots/sample-readers.ts';
import { startSample } from './sample-docent.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const IMAGES = path.join(ROOT, 'docs/images/dashboard');
const MOST_BYTES = 150_000;
const VIEWPORT = { width: 1200, height: 750 };
const PROJECT = 'acme-docs';

const docent = await startSample();
try {
  const client = createDocentClient({ baseUrl: docent.apiUrl, apiKey: docent.token });
  const jobId = await furnish(client);
  await takePictures(docent.apiUrl, docent.token, jobId);
} finally {
  await docent.stop();
}

/** @returns the job whose pull request is open */
async function furnish(client: DocentClient): Promise<string> {
  must(await client.POST('/v1/projects', { body: { id: PROJECT, repository: docent.repository } }));
  const params = { path: { projectId: PROJECT } };
  const events = sampleReaders();
  for (let i = 0; i < events.length; i += 1_000) {
    must(
      await client.POST('/v1/analytics/{projectId}/events', { params, body: { events: events.slice(i, i + 1_000) } }),
    );
  }
  must(
    await client.POST('/v1/projects/{projectId}/automations', {
      params,
      body: { name: 'Fix links every week', prompt: 'Fix broken links' },
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
  await runJob(client, 'Replace "api key" with "API key"');
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
  return jobId;
}

async function runJob(client: DocentClient, prompt: string): Promise<string> {
  const job = must(
    await client.POST('/v2/agent/{projectId}/job', { params: { path: { projectId: PROJECT } }, body: { prompt } }),
  );
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

async function takePictures(apiUrl: string, token: string, jobId: string): Promise<void> {
  const project = `/projects/${PROJECT}`;
  const job = `${project}/jobs/${jobId}`;
  /** Name, address, and what to do before the picture. */
  const pictures: [string, string, ((page: Page) => Promise<void>)?][] = [
    ['home', project],
    ['new-job', `${project}/jobs/new`],
    ['jobs', `${project}/jobs`],
    ['job', job],
    ['changes', `${job}/changes`],
    ['pull-requests', `${project}/pull-requests`],
    ['analytics', `${project}/analytics`],
    ['analytics-agents', `${project}/analytics`, (page) => scrollTo(page, 'AI agents')],
    ['automations', `${project}/automations`],
    ['webhooks', `${project}/webhooks`],
    ['settings', `${project}/settings`],
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
        const page = await context.newPage();
        await page.goto(address);
        await page.waitForLoadState('networkidle').catch(() => {});
        await sleep(700);
        await prepare?.(page);
        await sleep(300);
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
