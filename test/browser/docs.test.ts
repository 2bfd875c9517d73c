import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import {
  accessibilityProblems,
  darkProblems,
  hasBrowser,
  launchBrowser,
  leaveBrowser,
  LOOKS,
  overflow,
  picture,
  Visitor,
} from '../support/browser/browser.ts';

/** Rendering is slow under load: the reference has all operations at once. */
const SLOWLY = { timeout: 180_000 };

let api: TestApi;
let browser: Browser;
let visitor: Visitor;

const come = async (look: keyof typeof LOOKS = 'light', options: { javaScriptEnabled?: boolean } = {}) =>
  (visitor = await Visitor.create(browser, api.url, { look: LOOKS[look], ...options }));

describe.skipIf(!hasBrowser)('the docs in a browser', () => {
  beforeAll(async () => {
    [browser, api] = await Promise.all([launchBrowser(), startTestApi()]);
    await api.addProject('handbook');
  });
  afterEach(async () => {
    await visitor.close();
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await api?.close();
  });

  test.each(Object.keys(LOOKS) as (keyof typeof LOOKS)[])('everybody can read and use them: %s', async (look) => {
    await come(look);
    for (const address of [
      '/docs',
      '/docs/guides/code-hosts',
      '/docs/reference/cli',
      '/docs/operate/troubleshooting',
    ]) {
      const page = await visitor.open(address);
      expect(await overflow(page), address).toBeLessThanOrEqual(0);
      await picture(page, `docs${address.replaceAll('/', '-')}-${look}`);
      expect(await accessibilityProblems(page), address).toEqual([]);
      if (look === 'light') {
        expect(await darkProblems(page), `${address} in the dark`).toEqual([]);
        await picture(page, `docs${address.replaceAll('/', '-')}-dark`);
        await page.emulateMedia({ colorScheme: look });
      }
      visitor.leave(page);
    }
    expect(visitor.wrong).toEqual([]);
  });

  test('/ finds a page by its words, with the keyboard alone', async () => {
    await come();
    const page = await visitor.open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('restore backup');
    await page.locator('.found a').first().waitFor();
    await picture(page, 'docs-search');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/operate\/backups/);
    expect(visitor.wrong).toEqual([]);
  });

  test('copies code verbatim, has tabs and a mobile menu for keyboards, and opens collapsed targets of links', async () => {
    await come('phone');
    const page = await visitor.open('/docs/guides/projects');
    await page.getByRole('tab', { name: 'CLI' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.getByRole('tab', { name: 'curl' }).getAttribute('aria-selected')).toBe('true');
    const panel = page.getByRole('tabpanel');
    await panel.getByRole('button', { name: 'Copy' }).click();
    await panel.getByRole('button', { name: 'Copied' }).waitFor();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^curl -X POST .*\n.*-d '\{[^\n]*\}'$/s);

    await page.getByRole('button', { name: 'Pages' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).waitFor();
    await picture(page, 'docs-menu-phone');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);

    await page.goto('/docs/operate/troubleshooting#the-port-is-in-use');
    await page.getByText('or the setting DOCENT_PORT').waitFor();
    expect(visitor.wrong).toEqual([]);
  });

  test('without JavaScript all of a page is there', async () => {
    await come('light', { javaScriptEnabled: false });
    const page = await visitor.context.newPage();
    await page.goto(`${api.url}/docs/guides/projects`);
    await expect.poll(() => page.locator('.tab').count()).toBeGreaterThan(1);
    for (const tab of await page.locator('.tab').all()) await expect.poll(() => tab.isVisible()).toBe(true);
    expect(await page.locator('button:visible').count()).toBe(0);
  });

  test('the reference loads from this server alone', SLOWLY, async () => {
    await come();
    const page = await reference();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await picture(page, 'reference-light');
    expect(await referenceProblems(page)).toEqual([]);
    expect(await darkProblems(page), 'in the dark').toEqual([]);
    await picture(page, 'reference-dark');
    expect(visitor.wrong).toEqual([]);
  });

  test('the reference on a phone tries what it shows, with a token', SLOWLY, async () => {
    await come('phone');
    const page = await reference();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await picture(page, 'reference-phone');
    expect(await tryProjects(page)).toContain('unauthorized');
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    // A key, and the operator token. The cookie is not among them: no script could send it.
    const schemes = page.locator('.auth-container');
    await expect.poll(() => schemes.count()).toBe(2);
    await schemes.last().locator('input').fill(api.operatorToken);
    await schemes.last().locator('button[type=submit]').click();
    await picture(page, 'reference-authorize');
    await page.locator('.close-modal').click();
    expect(await tryProjects(page)).toContain('handbook');
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await picture(page, 'reference-tried');
    expect(await referenceProblems(page)).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).toBe('[{},{}]');
    expect(visitor.wrong).toEqual([]);
  });

  test('signed-in users try the reference without a key, and a link to an operation opens it', SLOWLY, async () => {
    await come();
    const answer = await visitor.context.request.post('/v1/sign-in', {
      data: { operatorToken: api.operatorToken },
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(answer.status()).toBe(200);
    const page = await reference('#/Projects/listProjects');
    await page.locator('.opblock-get.is-open', { has: page.locator('[data-path="/v1/projects"]') }).waitFor(SLOWLY);
    expect(await tryProjects(page)).toContain('handbook');
    expect(visitor.wrong).toEqual([]);
  });
});

async function reference(hash = ''): Promise<Page> {
  const page = await visitor.open(`/docs/api${hash}`);
  await page.locator('.opblock').first().waitFor(SLOWLY);
  return page;
}

/**
 * Swagger UI draws a `main` within that of the page, without an alternative: three rules report these two
 * elements. Its heading of webhooks skips levels.
 */
const OF_SWAGGER = [
  /^heading-order: .*h4\) /,
  /^landmark-main-is-top-level: [^(]*\(#operations\) /,
  /^landmark-no-duplicate-main: [^(]*\(#docs\\.content\) /,
  /^landmark-unique: .*\(#docs\\.content\) /,
];

async function referenceProblems(page: Page): Promise<string[]> {
  const problems = await accessibilityProblems(page);
  return problems.filter((problem) => !OF_SWAGGER.some((known) => known.test(problem)));
}

/** Opens "List projects" if needed, and sends it. @returns the answer that the reference shows */
async function tryProjects(page: Page): Promise<string> {
  const operation = page.locator('.opblock-get', { has: page.locator('[data-path="/v1/projects"]') });
  // The reference draws only operations near the view.
  await page.getByPlaceholder('Filter by tag').fill('Projects');
  await operation.scrollIntoViewIfNeeded(SLOWLY);
  const opener = operation.locator('.opblock-summary-control');
  if ((await opener.getAttribute('aria-expanded')) !== 'true') await opener.click();
  const start = operation.getByRole('button', { name: 'Try it out' });
  await start
    .or(operation.getByRole('button', { name: 'Execute' }))
    .first()
    .waitFor(SLOWLY);
  if (await start.isVisible()) await start.click();
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/projects', SLOWLY);
  await operation.getByRole('button', { name: 'Execute' }).click();
  const { status } = await answered.then((response) => ({ status: response.status() }));
  await operation.locator('.live-responses-table .response-col_status', { hasText: String(status) }).waitFor(SLOWLY);
  return operation.locator('.live-responses-table .highlight-code').first().innerText(SLOWLY);
}
