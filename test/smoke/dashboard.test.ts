import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, leaveBrowser } from '../support/browser/browser.ts';
import { operatorIn } from '../support/browser/signed-in.ts';
import { Installation } from '../support/installation.ts';

describe.skipIf(!hasBrowser)('the dashboard', () => {
  let browser: Browser;
  let docent: Installation;

  beforeAll(async () => {
    [browser, docent] = await Promise.all([launchBrowser(), Installation.started()]);
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await docent?.stop();
  });

  test('signs in with a link, and a job started there opens a pull request', async () => {
    const { visitor, page } = await operatorIn(browser, docent);
    await page.goto(`${docent.apiUrl}/projects/${docent.projectId}/jobs/new`);
    await page.getByLabel('Prompt').fill('Replace "Install" with "Set up" in guides/start');
    await page.getByRole('button', { name: 'Start job' }).click();
    await page.waitForURL(/\/jobs\/(?!new)[\w-]+$/);
    await page.getByText('Pull request open', { exact: true }).first().waitFor();
    await page.getByRole('heading', { name: 'Pull request' }).waitFor();
    const id = page.url().split('/').at(-1) ?? '';
    expect(await docent.git('show', `docent/${id}:guides/start.mdx`)).toContain('Set up Acme');
    expect(visitor.wrong).toEqual([]);
    await visitor.close();
  });
});
