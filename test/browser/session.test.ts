import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, leaveBrowser, settled } from '../support/browser/browser.ts';
import { operatorIn, personIn } from '../support/browser/signed-in.ts';
import { Installation } from '../support/installation.ts';
import type { RoleProcess } from '../support/role-process.ts';

const PROMPT = 'Append a section "Support" with the text "Write to us." to the page index.mdx';
/** The page checks its session every 15 seconds. */
const NOTICED = { timeout: 180_000 };

describe.skipIf(!hasBrowser)('a session', () => {
  let browser: Browser;
  let docent: Installation;
  let role: RoleProcess;

  beforeAll(async () => {
    browser = await launchBrowser();
    docent = await Installation.create();
    [role] = await Promise.all([docent.startApi(), docent.startWorker()]);
    await docent.createProject();
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await docent?.stop();
  });

  const home = () => `${docent.apiUrl}/projects/${docent.projectId}`;
  const ended = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });
  const box = (page: Page) => page.getByLabel('What should Docent do?');

  test('that ends in the middle of a prompt loses nothing of it', async () => {
    const [here, elsewhere] = await Promise.all([operatorIn(browser, docent), operatorIn(browser, docent)]);
    const { page } = here;
    await box(page).pressSequentially(PROMPT.slice(0, 20));
    await elsewhere.page.goto(`${docent.apiUrl}/account`);
    await elsewhere.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await elsewhere.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await elsewhere.page.waitForURL('**/sign-in');

    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe(`/projects/${docent.projectId}`);
    await signInWithToken(page);
    await expect.poll(() => box(page).inputValue()).toBe(PROMPT.slice(0, 20));
    await box(page).fill(PROMPT);

    await elsewhere.page.goto(docent.apiUrl);
    await signInWithToken(elsewhere.page);
    await elsewhere.page.goto(`${docent.apiUrl}/account`);
    await elsewhere.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await elsewhere.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await elsewhere.page.waitForURL('**/sign-in');
    await page.getByRole('button', { name: 'Start job' }).click();
    await ended(page).waitFor();
    // Escape does not close it, and nothing behind it can be used.
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('Escape');
    await expect.poll(() => ended(page).isVisible()).toBe(true);
    await ended(page).getByLabel('Operator token').fill(docent.operatorToken);
    await ended(page).getByRole('button', { name: 'Sign in' }).click();
    await ended(page).waitFor({ state: 'detached' });
    await expect.poll(() => box(page).inputValue()).toBe(PROMPT);
    expect(await page.getByRole('alert').count(), 'what the ended session was answered is over').toBe(0);
    await page.getByRole('button', { name: 'Start job' }).click();
    await page.waitForURL('**/jobs/*');
    const { data } = await docent.client.GET('/v2/agent/{projectId}/jobs', {
      params: { path: { projectId: docent.projectId } },
    });
    expect(data?.jobs.filter(({ title }) => title.includes('Support'))).toHaveLength(1);
    // The box is empty after sending.
    await page.goto(home());
    await expect.poll(() => box(page).inputValue()).toBe('');
    expect([...here.visitor.wrong, ...elsewhere.visitor.wrong]).toEqual([]);
    await Promise.all([here.visitor.close(), elsewhere.visitor.close()]);
  });

  test('that ends is noticed by a page on which nothing is done', async () => {
    const { visitor, page } = await operatorIn(browser, docent);
    await page.goto(`${docent.apiUrl}/keys`);
    await settled(page);
    await visitor.context.clearCookies();
    await ended(page).waitFor(NOTICED);
    await visitor.close();
  });

  test('is one for all tabs: signed out in one, the other asks to sign in again, and the first one’s sign-in lets it continue', async () => {
    const { visitor, page: first } = await operatorIn(browser, docent);
    const second = await visitor.open(`/projects/${docent.projectId}`);
    await box(second).fill('Half a sen');
    await first.getByRole('button', { name: 'Your account' }).click();
    await first.getByRole('button', { name: 'Sign out' }).click();
    await first.waitForURL('**/sign-in');
    await ended(second).waitFor({ timeout: 60_000 });

    await signInWithToken(first);
    await second.bringToFront();
    await ended(second).waitFor({ state: 'detached', timeout: 60_000 });
    await expect.poll(() => box(second).inputValue()).toBe('Half a sen');
    expect(visitor.wrong).toEqual([]);
    await visitor.close();
  });

  test('an unavailable server is reported, and the page recovers automatically when it is back', async () => {
    const { visitor, page } = await operatorIn(browser, docent);
    await box(page).fill('Half a sen');
    const banner = page.getByText('Connection lost');
    await role.kill('SIGTERM');
    // From here on: the page may ask before this test knows that the server is back.
    const asked: string[] = [];
    page.on('response', (answer) => {
      if (answer.ok() && answer.url().includes('/pull-requests')) asked.push(answer.url());
    });
    try {
      await banner.waitFor(NOTICED);
      await box(page).pressSequentially('tence');
      await page.getByRole('button', { name: 'Start job' }).click();
      await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
      await expect.poll(() => box(page).inputValue()).toBe('Half a sentence');
    } finally {
      role = await docent.startApi();
    }
    await banner.waitFor({ state: 'detached', timeout: 60_000 });
    await expect.poll(() => box(page).inputValue()).toBe('Half a sentence');
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Start job' }).click();
    await page.waitForURL('**/jobs/*');
    expect(visitor.wrong.filter((line) => !line.startsWith('request'))).toEqual([]);
    await visitor.close();
  });

  test('a page opened offline offers a retry, and loads automatically once there is a connection', async () => {
    const { visitor, page } = await operatorIn(browser, docent);
    await settled(page);
    await visitor.context.setOffline(true);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    const note = page.getByRole('alert').getByText('The server cannot be reached');
    await note.waitFor();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.click();
    await note.waitFor();
    await visitor.context.setOffline(false);
    await page.getByLabel('Branch prefix').waitFor(NOTICED);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(visitor.wrong).toEqual([]);
    await visitor.close();
  });

  test('of a viewer has no button that writes, and the server takes no write from it', async () => {
    const { projectId, client } = docent;
    const path = { projectId };
    const jobId = await docent.post(PROMPT.replace('Support', 'Help'));
    const hook = await client.POST('/v1/projects/{projectId}/webhooks', {
      params: { path },
      body: { url: 'https://hooks.example.com/docent', events: ['job.completed'] },
    });
    const webhookId = hook.data?.id ?? '';
    await client.POST('/v1/projects/{projectId}/automations', {
      params: { path },
      body: { name: 'After a release', prompt: 'Fix broken links' },
    });
    await docent.settled(jobId);
    const visitor = await personIn(browser, docent, { role: 'viewer' });
    const page = await visitor.open(`/projects/${projectId}`);
    const offered: Record<string, string[]> = {};
    for (const address of [
      `/projects/${projectId}`,
      '/projects',
      '/projects/new',
      `/projects/${projectId}/jobs`,
      `/projects/${projectId}/jobs/new`,
      `/projects/${projectId}/jobs/${jobId}`,
      `/projects/${projectId}/jobs/${jobId}/changes`,
      `/projects/${projectId}/analytics`,
      `/projects/${projectId}/automations`,
      `/projects/${projectId}/webhooks`,
      `/projects/${projectId}/webhooks/${webhookId}`,
      `/projects/${projectId}/settings`,
      '/keys',
      '/hosts',
      '/model',
      '/people',
      '/audit',
      '/health',
    ]) {
      await page.goto(docent.apiUrl + address);
      await settled(page);
      offered[address] = await page.evaluate((writes) => {
        const words = new RegExp(writes, 'i');
        return [
          ...document.querySelectorAll<HTMLElement>('main button, main a.button, main textarea, main [type=submit]'),
        ]
          .filter((each) => each.matches('textarea, [type=submit]') || words.test(each.ariaLabel ?? each.innerText))
          .filter((each) => !each.matches(':disabled, [readonly]'))
          .map((each) => each.ariaLabel ?? (each.innerText || each.outerHTML.slice(0, 80)));
      }, '^(new|create|start|save|delete|revoke|merge|close|send|cancel|archive|publish|discard|add|use|turn|run|test|what can be done|make)');
    }
    expect(Object.fromEntries(Object.entries(offered).filter(([, buttons]) => buttons.length > 0))).toEqual({});
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);

    const answers = await page.evaluate(
      async ({ project, job }) => {
        const post = (path: string, body: object, method: 'POST' | 'PATCH' = 'POST') =>
          // oxlint-disable-next-line unicorn/no-invalid-fetch-options -- never GET
          fetch(path, { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
        const all = await Promise.all([
          post(`v2/agent/${project}/job`, { prompt: 'Fix broken links' }),
          post(`v2/agent/${project}/job/${job}/cancel`, {}),
          post('v1/keys', { name: 'Mine', scopes: ['write'] }),
          post(`v1/projects/${project}`, { docsDir: 'docs' }, 'PATCH'),
          post(`v1/projects/${project}/automations`, { name: 'Mine', prompt: 'Fix broken links' }),
        ]);
        return all.map(({ status }) => status);
      },
      { project: projectId, job: jobId },
    );
    expect(answers).toEqual([403, 403, 403, 403, 403]);
    expect(visitor.wrong).toEqual([]);
    await visitor.close();
  });

  test('of someone else, begun in another tab, shows nothing of the previous one', async () => {
    const { visitor, page } = await operatorIn(browser, docent);
    await box(page).fill('Only for my eyes');
    const ann = await personIn(browser, docent, { role: 'viewer', name: 'Ann Other' });
    await visitor.context.clearCookies();
    await ended(page).waitFor(NOTICED);
    await visitor.context.addCookies(await ann.context.cookies());
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByText('Ann Other').waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Only for my eyes');
    expect(visitor.wrong).toEqual([]);
    await Promise.all([visitor.close(), ann.close()]);
  });

  async function signInWithToken(page: Page): Promise<void> {
    await page.getByLabel('Operator token').fill(docent.operatorToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
    await settled(page);
  }
});
