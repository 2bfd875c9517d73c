import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEvent } from '../../src/store/jobs/job-events.ts';
import { hasBrowser, launchBrowser, leaveBrowser, picture, settled, Visitor } from '../support/browser/browser.ts';
import { HOSTILE } from '../support/browser/furnish-jobs.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { ScriptedModels } from '../support/scripted-models.ts';

const SLOW = 'openai-compatible/qwen3';
const WORDS = 'A long account of what was found and what was not found. '.repeat(15);
const CHANGE = { path: 'guides/start.mdx', oldText: 'Install Acme', newText: 'Set Acme up' };

const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

describe.skipIf(!hasBrowser)('a job in the browser', () => {
  const models = new ScriptedModels();
  let browser: Browser;
  let docent: Installation;
  let api: RoleProcess;
  let visitor: Visitor;
  let env: Record<string, string>;

  beforeAll(async () => {
    env = { OPENAI_COMPATIBLE_BASE_URL: `${await models.mock.start()}/v1` };
    [browser, docent] = await Promise.all([launchBrowser(), Installation.create({ env })]);
    [api] = await Promise.all([docent.startApi(), docent.startWorker()]);
    await docent.createProject();
    visitor = await Visitor.create(browser, docent.apiUrl, { token: docent.operatorToken });
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await docent?.stop();
    await models.mock.stop();
  });

  const jobsPath = () => `/projects/${docent.projectId}/jobs`;
  async function jobs() {
    const { data } = await docent.client.GET('/v2/agent/{projectId}/jobs', {
      params: { path: { projectId: docent.projectId }, query: { limit: 100 } },
    });
    return data?.jobs ?? [];
  }
  async function events(id: string) {
    const { data } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/events', {
      params: { path: { projectId: docent.projectId, id }, query: { limit: 500 } },
    });
    return data?.events ?? [];
  }
  async function postSlow(prompt: string): Promise<string> {
    const { data, error } = await docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId: docent.projectId } },
      body: { prompt, model: SLOW },
    });
    if (!data) throw new Error(error.error);
    return data.id;
  }

  test('is written, is seen as it works to its pull request, and gets a follow-up message', async () => {
    models.play(
      'Word-live.',
      { say: WORDS, calls: [['edit', CHANGE]], slowly: true },
      { say: 'Renamed the first step. See [the page](https://docs.example.com/start) and `guides/start.mdx`.' },
      { say: 'Once more.', calls: [['edit', { ...CHANGE, oldText: 'Set Acme up', newText: 'Get Acme' }]] },
      { say: 'Shorter now.' },
    );
    const page = await visitor.open(`${jobsPath()}/new`);
    await page.getByLabel('Prompt').fill('Improve the start page. Word-live.');
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Model').fill(SLOW);
    await page.getByLabel('Metadata').fill('ticket=DOC-17');
    await page.getByLabel('Prompt').press('Control+Enter');
    await page.waitForURL(/\/jobs\/(?!new)[\w-]+$/);
    await page.getByText('Docent is writing…').waitFor();
    await page.getByText('A long account of what was found').first().waitFor();
    await picture(page, 'jobs-live');
    await page.getByRole('heading', { name: 'Pull request' }).waitFor();
    await page.locator('.said').getByText('Renamed the first step.').waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: 'the page', exact: true }).getAttribute('href'))
      .toBe('https://docs.example.com/start');
    await expect.poll(() => page.getByText('DOC-17').isVisible()).toBe(true);
    const first = await docent.settled(idOf(page));
    expect(first).toMatchObject({ status: 'completed', outcome: 'changed', metadata: { ticket: 'DOC-17' } });

    await page.getByLabel('Follow-up').fill('Make it shorter.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.said').getByText('Shorter now.').waitFor();
    await expect.poll(() => page.getByLabel('Follow-up').inputValue()).toBe('');
    await page.getByText('Turn 2', { exact: true }).click();
    await page.getByText('edit guides/start.mdx').waitFor();
    const again = await docent.settled(idOf(page));
    expect(again.prLink).toBe(first.prLink);
    expect(await docent.commits(again.source.ref ?? '')).toHaveLength(2);
    await picture(page, 'jobs-told-more');
    visitor.leave(page);
  });

  test('keeps what was typed through a reload, and is posted once however often it is sent', async () => {
    const prompt = 'Append a section "Once" with the text "Once." to the page index.mdx';
    const page = await visitor.open(`${jobsPath()}/new`);
    await page.getByLabel('Prompt').fill(prompt);
    await page.reload();
    await settled(page);
    await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe(prompt);

    // The server has accepted it, and the answer is lost, twice.
    let lost = 0;
    await page.route(/\/v2\/agent\/[^/]+\/job$/, async (route) => {
      const response = await route.fetch();
      if (lost++ < 2) await route.abort('connectionreset');
      else await route.fulfill({ response });
    });
    const button = page.getByRole('button', { name: 'Start job' });
    await button.click();
    await page.getByRole('alert').waitFor();
    await page.reload();
    await settled(page);
    await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe(prompt);
    await button.click();
    await page.getByRole('alert').waitFor();
    await button.dblclick();
    await page.waitForURL(/\/jobs\/(?!new)[\w-]+$/);
    expect(lost).toBe(3);
    expect((await jobs()).filter(({ title }) => title === prompt)).toHaveLength(1);
    await page.goBack();
    await settled(page);
    await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('');
    visitor.leave(page);
  });

  test('takes files, and shows them with the prompt', async () => {
    const page = await visitor.open(`${jobsPath()}/new`);
    await page.getByLabel('Prompt').fill('What does the attached file say?');
    await page.getByLabel('Add files').setInputFiles([
      { name: 'notes & more.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes\n') },
      { name: 'program.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2, 255, 254]) },
    ]);
    await page.getByRole('listitem').filter({ hasText: 'program.bin' }).locator('.wrong').waitFor();
    await page.getByRole('button', { name: 'Remove program.bin' }).click();
    // Pending requests do not arrive once the page is closed.
    await page.locator('button:enabled', { hasText: 'Start job' }).waitFor();
    await page.reload();
    await settled(page);
    await page.getByRole('listitem').filter({ hasText: 'notes & more.md' }).waitFor();
    await page.getByRole('button', { name: 'Start job' }).click();
    await page.waitForURL(/\/jobs\/(?!new)[\w-]+$/);
    const link = page.getByRole('link', { name: 'notes & more.md' });
    await link.waitFor();
    const content = await page.request.get((await link.getAttribute('href')) ?? '');
    expect(await content.text()).toBe('# Notes\n');
    visitor.leave(page);
  });

  test('resumes after a restart of the server, and two tabs show the same', async () => {
    models.playByResults(
      'Word-restart.',
      {
        say: WORDS,
        calls: [['edit', { ...CHANGE, path: 'index.mdx', oldText: 'Acme', newText: 'ACME' }]],
        slowly: true,
      },
      { say: 'Restarted, and done.' },
    );
    const id = await postSlow('Improve it. Word-restart.');
    const page = await visitor.open(`${jobsPath()}/${id}`);
    const other = await visitor.open(`${jobsPath()}/${id}`);
    await Promise.all([page, other].map((tab) => tab.getByText('Docent is writing…').waitFor()));
    await page.getByLabel('Follow-up').fill('Half a thought');
    await api.kill('SIGKILL');
    await page.getByText('Connection lost').waitFor();
    api = await docent.startApi();
    await docent.settled(id);
    const count = (await events(id)).filter(({ turn, type }) => turn === 1 && !['created', 'message'].includes(type));
    for (const tab of [page, other]) {
      await tab.getByText('Restarted, and done.').waitFor();
      await tab.getByText('Turn 1', { exact: true }).waitFor();
      if (!(await tab.locator('.turn[open]').count())) await tab.getByText('Turn 1', { exact: true }).click();
      // An answer is in the conversation, and results are at their calls.
      const lines = count.filter(({ type }) => type !== 'answer' && type !== 'tools');
      await until('each event is shown once', async () => (await tab.locator('.steps > li').count()) === lines.length);
    }
    await expect.poll(() => page.getByLabel('Follow-up').inputValue()).toBe('Half a thought');
    const conversation = (tab: Page) => tab.locator('.conversation').innerText();
    await expect.poll(async () => (await conversation(page)) === (await conversation(other))).toBe(true);
    visitor.leave(page, other);
  });

  test('is cancelled, archived and taken back', async () => {
    models.playByResults('Word-cancel.', { say: WORDS.repeat(20), slowly: true });
    const id = await postSlow('Go on for long. Word-cancel.');
    const page = await visitor.open(`${jobsPath()}/${id}`);
    await page.getByText('Docent is writing…').waitFor();
    await page.getByRole('button', { name: 'Cancel job' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
    await page.locator('.badge').getByText('Canceled').waitFor();
    expect((await docent.settled(id)).prLink).toBeNull();
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('This job is archived').waitFor();
    await page.getByRole('button', { name: 'Unarchive' }).click();
    await page.getByLabel('Follow-up').waitFor();
    expect((await docent.job(id)).status).toBe('completed');
    visitor.leave(page);
  });

  test('of a thousand steps appears immediately, and renders only the visible steps', async () => {
    const id = await docent.post('Append a section "Many" with the text "Many." to the page index.mdx');
    await docent.settled(id);
    for (let step = 1; step <= 1_000; step++) {
      const calls = [{ id: `c${step}`, name: 'read', summary: `read ${step}` }];
      const data = { step, words: `Words of step ${step}.`, calls };
      await addEvent(docent.database.db, { jobId: id, type: 'step', turnNo: 2, text: `Step ${step}.`, data });
    }
    const start = performance.now();
    const page = await visitor.open(`${jobsPath()}/${id}`);
    await page.getByText('Words of step 1000.').waitFor();
    expect(performance.now() - start).toBeLessThan(10_000);
    await expect.poll(() => page.locator('.steps > li').count()).toBe(61);
    await page.getByRole('button', { name: 'Show 600 earlier steps' }).click();
    await page.getByText('Words of step 341.').waitFor();
    const typing = await page.getByLabel('Follow-up').evaluate(async (field) => {
      const from = performance.now();
      (field as HTMLTextAreaElement).value = 'x';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now() - from;
    });
    expect(typing).toBeLessThan(1_000);
    // Each further one is shown, even if nothing else on the page changes.
    for (const step of [1_001, 1_002]) {
      const data = { step, words: `Words of step ${step}.`, calls: [] };
      await addEvent(docent.database.db, { jobId: id, type: 'step', turnNo: 2, text: `Step ${step}.`, data });
      await page.getByText(`Words of step ${step}.`).waitFor();
    }
    visitor.leave(page);
  });

  test('of a preview is published on request', async () => {
    const { data } = await docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId: docent.projectId } },
      body: { prompt: 'Append a section "Ready" with the text "Yes." to the page index.mdx', mode: 'preview' },
    });
    const id = data?.id ?? '';
    await docent.settled(id);
    const page = await visitor.open(`${jobsPath()}/${id}`);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByLabel('Pull request title').fill('Say yes');
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { name: 'Pull request' }).waitFor();
    await page.getByText('Say yes').waitFor();
    expect((await docent.settled(id)).prLink).not.toBeNull();
    visitor.leave(page);
  });

  test('shows a hostile prompt, title and answer as text', async () => {
    models.playByResults('Word-hostile.', { say: `${HOSTILE} <img src=x onerror=alert(2)>` });
    const { data } = await docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId: docent.projectId } },
      body: {
        prompt: `Word-hostile. ${HOSTILE}`,
        title: '<img src=x onerror=alert(3)> title',
        model: SLOW,
        metadata: { note: '<script>alert(4)</script>' },
      },
    });
    const id = data?.id ?? '';
    await docent.settled(id);
    const page = await visitor.open(`${jobsPath()}/${id}`);
    await page.getByText('onerror=alert(2)').first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    const links = await page
      .locator('main a')
      .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href));
    expect(links.filter((link) => !/^https?:/.test(link))).toEqual([]);
    await page.goto(new URL(`${jobsPath()}?q=onerror`, docent.apiUrl).href);
    await settled(page);
    await expect.poll(() => page.getByRole('link', { name: /onerror=alert\(3\)/ }).count()).toBe(1);
    visitor.leave(page);
    expect(visitor.wrong).toEqual([]);
  });

  test('is found by what the address filters by', async () => {
    const page = await visitor.open(jobsPath());
    await page.keyboard.press('/');
    await page.keyboard.type('Once');
    await page.waitForURL(/q=Once/);
    await until('one is found', async () => (await page.locator('tbody tr').count()) === 1);
    await page.reload();
    await settled(page);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByLabel('Status').selectOption('Failed');
    await page.getByRole('heading', { name: 'No matching jobs' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await until('all are there', async () => (await page.locator('tbody tr').count()) === (await jobs()).length);
    visitor.leave(page);
    expect(visitor.wrong).toEqual([]);
  });
});
