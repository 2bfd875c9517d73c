import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api-server.ts';

const CHROMIUM = '/usr/bin/chromium';
/** Where pictures of the pages are left for people to look at. */
const PICTURES = path.join(import.meta.dirname, '../../coverage/pictures');

let api: TestApi;
let browser: Browser;
let axe: string;
const contexts: BrowserContext[] = [];

describe.skipIf(!existsSync(CHROMIUM) && !process.env.CI)('the docs in a browser', () => {
  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    api = await startTestApi();
    await api.addProject('handbook');
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    });
    await mkdir(PICTURES, { recursive: true });
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await api?.close();
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
  ] as const)('everybody can read and use them: %s, %i pixels wide', async (theme, width) => {
    const { page, wrong } = await open(theme, width);
    for (const address of [
      '/docs',
      '/docs/guides/code-hosts',
      '/docs/reference/cli',
      '/docs/operate/troubleshooting',
    ]) {
      await page.goto(address);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBeLessThanOrEqual(width);
      await picture(page, `docs${address.replaceAll('/', '-')}-${theme}-${width}`);
      expect(await problemsOf(page), address).toEqual([]);
    }
    expect(wrong).toEqual([]);
  });

  test('/ finds a page by its words, with the keyboard alone', async () => {
    const { page, wrong } = await open('light', 1280);
    await page.goto('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('restore backup');
    await page.locator('#found a').first().waitFor();
    await picture(page, 'docs-search');
    expect(await problemsOf(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/operate\/backups-and-upgrades/);
    expect(wrong).toEqual([]);
  });

  test('code is copied as it stands, tabs and the menu of a phone work by keyboard, and a link opens what is folded', async () => {
    const { page, wrong } = await open('light', 320);
    await page.goto('/docs/guides/projects');
    await page.getByRole('tab', { name: 'CLI' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { name: 'curl' }).getAttribute('aria-selected')).toBe('true');
    const panel = page.getByRole('tabpanel');
    await panel.getByRole('button', { name: 'Copy' }).click();
    await panel.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -X POST .*\n.*-d '\{[^\n]*\}'$/s);

    await page.getByRole('button', { name: 'Pages' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).waitFor();
    await picture(page, 'docs-menu-phone');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);

    await page.goto('/docs/operate/troubleshooting#the-port-is-taken');
    await page.getByText('or the setting DOCENT_PORT').waitFor();
    expect(wrong).toEqual([]);
  });

  test('without JavaScript all of a page is there', async () => {
    const { page } = await open('light', 1280, { javaScriptEnabled: false });
    await page.goto('/docs/guides/projects');
    expect(await page.locator('.tab').count()).toBeGreaterThan(1);
    for (const tab of await page.locator('.tab').all()) expect(await tab.isVisible()).toBe(true);
    expect(await page.locator('button:visible').count()).toBe(0);
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
  ] as const)(
    'the reference loads from this server alone, and tries what it shows: %s, %i pixels wide',
    async (theme, width) => {
      const { page, wrong } = await open(theme, width);
      await page.goto('/docs/api');
      await page.locator('.opblock').first().waitFor({ timeout: 60_000 });
      await picture(page, `reference-${theme}-${width}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

      await page
        .getByRole('button', { name: /authorize/i })
        .first()
        .click();
      // Each scheme keeps its form when the one before it was filled in.
      const schemes = page.locator('.auth-container');
      for (let i = 0; i < (await schemes.count()); i++) {
        await schemes.nth(i).locator('input').first().fill(api.operatorToken);
        await schemes.nth(i).locator('button[type=submit]').click();
      }
      await page.locator('.close-modal').click();
      const operation = page.locator('.opblock-get', { has: page.locator('[data-path="/v1/projects"]') }).first();
      await operation.locator('.opblock-summary-control').click();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      const answer = operation
        .locator('.live-responses-table .highlight-code, .live-responses-table .microlight')
        .first();
      await answer.waitFor();
      expect(await answer.innerText()).toContain('handbook');
      await picture(page, `reference-tried-${theme}-${width}`);
      expect(wrong).toEqual([]);
      expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).toBe('[{},{}]');
      expect(await problemsOf(page)).toEqual([]);
    },
  );
});

/** A page of a new reader, with all that must never happen on it: violations of the security policy, errors, requests to elsewhere. */
async function open(
  theme: 'light' | 'dark',
  width: number,
  options: { javaScriptEnabled?: boolean } = {},
): Promise<{ page: Page; wrong: string[] }> {
  const context = await browser.newContext({
    baseURL: api.url,
    colorScheme: theme,
    viewport: { width, height: 800 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  contexts.push(context);
  const wrong: string[] = [];
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${api.url}/`) && !/^(?:data|blob):/.test(url)) wrong.push(`request to ${url}`);
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text());
  });
  return { page, wrong };
}

async function problemsOf(page: Page): Promise<string[]> {
  // Not as an element of the page: that would be refused, as it should be.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    const { violations } = await checker.run();
    return violations.map(
      ({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`,
    );
  });
}

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
}
