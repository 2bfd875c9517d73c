import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, leaveBrowser, settled, type Visitor } from '../support/browser/browser.ts';
import { operatorIn } from '../support/browser/signed-in.ts';
import { Installation } from '../support/installation.ts';

const TOKEN = 'a-token-that-opens-a-code-host';

describe.skipIf(!hasBrowser)('text typed into a form', () => {
  let browser: Browser;
  let docent: Installation;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    const env = { DOCENT_SECRET_KEY: randomBytes(32).toString('base64') };
    [browser, docent] = await Promise.all([launchBrowser(), Installation.started({ env })]);
    ({ visitor, page } = await operatorIn(browser, docent));
  });
  afterEach(() => page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear())));
  afterAll(async () => {
    await leaveBrowser(browser);
    await docent?.stop();
  });

  const dialog = (page: Page) => page.getByRole('dialog');
  const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true });
  const begin = async (page: Page, name: string) => {
    await settled(page);
    await page.getByRole('main').getByRole('button', { name }).first().click();
  };
  const stored = (page: Page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  /** Away and back: by a reload, or because the session ended. */
  async function endSession(page: Page): Promise<void> {
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel('Operator token').fill(docent.operatorToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
  }

  test('of a new key is there again after a reload and another sign-in, until the key is made', async () => {
    await page.goto(`${docent.apiUrl}/keys`);
    await begin(page, 'Create key');
    await field(page, 'Name').fill('Half a na');
    await field(page, 'Read analytics').check();
    await field(page, 'Create jobs and send messages').uncheck();
    await field(page, 'Expires').selectOption('30');
    await dialog(page).getByLabel('Allowed IP addresses').fill('203.0.113.0/24');
    await page.reload();
    await begin(page, 'Create key');
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Half a na');
    await field(page, 'Name').fill('Half a name');
    await endSession(page);
    await begin(page, 'Create key');
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Half a name');
    await expect.poll(() => field(page, 'Read analytics').isChecked()).toBe(true);
    expect(await field(page, 'Create jobs and send messages').isChecked()).toBe(false);
    await expect.poll(() => field(page, 'Expires').inputValue()).toBe('30');
    await dialog(page).getByRole('button', { name: 'Create key' }).click();
    await page.getByText('You cannot see it again').waitFor();
    const { data } = await docent.client.GET('/v1/keys');
    const [made] = data?.keys ?? [];
    expect(made).toMatchObject({ name: 'Half a name', scopes: ['analytics'], allowedAddresses: ['203.0.113.0/24'] });
    expect(await stored(page)).not.toContain(made?.hint.slice(0, 11) ?? 'no key');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await begin(page, 'Create key');
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('');
    expect(visitor.wrong).toEqual([]);
  });

  test('is under the sign-in where the session ends as it is sent, and is sent once', async () => {
    await page.goto(`${docent.apiUrl}/keys`);
    await begin(page, 'Create key');
    await field(page, 'Name').fill('Sent twice');
    await page.context().clearCookies();
    await dialog(page).getByRole('button', { name: 'Create key' }).click();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Operator token').fill(docent.operatorToken);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Sent twice');
    await dialog(page).getByRole('button', { name: 'Create key' }).click();
    await page.getByText('You cannot see it again').waitFor();
    const { data } = await docent.client.GET('/v1/keys');
    expect(data?.keys.filter(({ name }) => name === 'Sent twice')).toHaveLength(1);
  });

  test('of a webhook is there again, but no address that holds a token', async () => {
    await page.goto(`${docent.apiUrl}/projects/${docent.projectId}/webhooks`);
    await begin(page, 'New webhook');
    await field(page, 'URL').fill('https://hooks.example.com/docent');
    await dialog(page).getByLabel('Description').fill('For the team');
    await field(page, 'job.failed').uncheck();
    await page.reload();
    await begin(page, 'New webhook');
    await expect.poll(() => field(page, 'URL').inputValue()).toBe('https://hooks.example.com/docent');
    await expect.poll(() => dialog(page).getByLabel('Description').inputValue()).toBe('For the team');
    expect(await field(page, 'job.failed').isChecked()).toBe(false);
    await field(page, 'URL').fill(`https://hooks.example.com/docent?token=${TOKEN}`);
    await expect.poll(() => field(page, 'URL').inputValue()).toContain(TOKEN);
    expect(await stored(page)).not.toContain(TOKEN);
    await dialog(page).getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('You cannot see it again').waitFor();
    const secret = await dialog(page).locator('code').innerText();
    expect(await stored(page)).not.toContain(secret);
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await begin(page, 'New webhook');
    await expect.poll(() => field(page, 'URL').inputValue()).toBe('');
    await expect.poll(() => field(page, 'job.failed').isChecked()).toBe(true);
    expect(visitor.wrong).toEqual([]);
  });

  test('of a code host is there again, without its credential', async () => {
    await page.goto(`${docent.apiUrl}/hosts`);
    await begin(page, 'Add code host');
    await dialog(page).getByLabel('Type').selectOption('gitea');
    await dialog(page).getByLabel('URL').fill('https://git.example.com');
    await dialog(page).locator('input[type=password]').fill(TOKEN);
    await page.reload();
    await begin(page, 'Add code host');
    await expect.poll(() => dialog(page).getByLabel('URL').inputValue()).toBe('https://git.example.com');
    await expect.poll(() => dialog(page).locator('input[type=password]').inputValue()).toBe('');
    expect(await stored(page)).not.toContain(TOKEN);
  });

  test('of the settings is there again, and nothing that was not typed', async () => {
    await page.goto(`${docent.apiUrl}/projects/${docent.projectId}/settings`);
    await settled(page);
    await page.getByLabel('Base branch').fill('next');
    await docent.client.PATCH('/v1/projects/{projectId}', {
      params: { path: { projectId: docent.projectId } },
      body: { docsDir: 'guides' },
    });
    await page.reload();
    await settled(page);
    await expect.poll(() => page.getByLabel('Base branch').inputValue()).toBe('next');
    await expect.poll(() => page.getByLabel('Docs folder').inputValue()).toBe('guides');
    await page.getByLabel('Base branch').fill('main');
    await page.reload();
    await settled(page);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await stored(page)).not.toContain('docent-draft');
  });

  test('of a secret is stored under its name, shown nowhere, and deleted', async () => {
    await page.goto(`${docent.apiUrl}/projects/${docent.projectId}/settings`);
    const set = async (name: string, value: string) => {
      await begin(page, 'Set secret');
      await field(page, 'Name').fill(name);
      await field(page, 'Value').fill(value);
      await dialog(page).getByRole('button', { name: 'Set secret' }).click();
    };
    await set('chat', 'too short');
    await dialog(page).getByText('is not well-formed').first().waitFor();
    const value = `whsec_${randomBytes(32).toString('base64')}`;
    await field(page, 'Value').fill(` ${value} `);
    await dialog(page).getByRole('button', { name: 'Set secret' }).click();
    const remove = page.getByRole('button', { name: 'Delete the secret chat' });
    await remove.waitFor();
    // A name that the address could not hold is refused in the form.
    await set('my chat', value);
    expect(await field(page, 'Name').evaluate((input: HTMLInputElement) => input.validity.patternMismatch)).toBe(true);
    await page.keyboard.press('Escape');
    expect((await page.content()) + (await stored(page))).not.toContain(value);
    const at = { params: { path: { projectId: docent.projectId } } };
    const secrets = async () => (await docent.client.GET('/v1/projects/{projectId}/secrets', at)).data?.secrets;
    expect(await secrets()).toMatchObject([{ name: 'chat' }]);
    await remove.click();
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await remove.waitFor({ state: 'detached' });
    expect(await secrets()).toEqual([]);
    expect(visitor.wrong).toEqual([]);
  });

  test('a second project is known at once, everywhere', async () => {
    await page.goto(`${docent.apiUrl}/projects/new`);
    await settled(page);
    // The URL that people copy for a clone.
    await page.getByLabel('Repository').fill('git@github.com:acme/docs.git');
    await page.getByText('Did you mean https://github.com/acme/docs?').waitFor();
    expect(await page.getByText('`').count(), 'backticks are drawn as code').toBe(0);
    await page.getByLabel('Repository').fill(docent.repository);
    await page.getByLabel('Project ID').fill('second');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.waitForURL('**/projects/second');
    const side = page.getByRole('complementary');
    // The address changes a moment before the menu does.
    await expect.poll(() => side.getByRole('combobox').inputValue()).toBe('second');
    await side.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.waitForURL('**/projects/second/jobs');
    expect(await side.getByRole('combobox').inputValue()).toBe('second');
    await side.getByRole('combobox').selectOption(docent.projectId);
    await page.waitForURL(`**/projects/${docent.projectId}`);
    expect(visitor.wrong).toEqual([]);
  });
});
