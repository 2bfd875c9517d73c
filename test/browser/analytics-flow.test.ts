import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BARE_ENV } from '../support/bare-env.ts';
import { hasBrowser, launchBrowser, leaveBrowser, settled, type Visitor } from '../support/browser/browser.ts';
import { copied } from '../support/browser/clipboard.ts';
import { operatorIn } from '../support/browser/signed-in.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { CLI } from '../support/processes.ts';

const run = promisify(execFile);
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
const CHATGPT = 'Mozilla/5.0; compatible; ChatGPT-User/1.0; +https://openai.com/bot';

const dayAgo = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** A line of a combined access log. */
function line(ip: string, page: string, ago: number, { agent = FIREFOX, status = 200, from = '-' } = {}): string {
  const [year, month, date] = dayAgo(ago).split('-');
  const name = new Date(Date.UTC(2026, Number(month) - 1, 1)).toLocaleString('en', { month: 'short', timeZone: 'UTC' });
  return `${ip} - - [${date}/${name}/${year}:00:00:01 +0000] "GET ${page} HTTP/1.1" ${status} 512 "${from}" "${agent}"`;
}

const LOG = [
  ...Array.from({ length: 9 }, (_, i) => line(`203.0.113.${i}`, i % 2 ? '/guides/start' : '/', 1 + (i % 5))),
  ...Array.from({ length: 4 }, (_, i) => line(`104.208.184.${200 + i}`, '/guides/start', 2, { agent: CHATGPT })),
  // The week before, and one reader of both weeks.
  ...Array.from({ length: 5 }, (_, i) => line(`203.0.113.${i + 7}`, '/guides/start', 8 + i, { agent: FIREFOX })),
  line('203.0.113.77', '/guides/instal', 1, { status: 404, from: 'https://blog.example.org/a-post', agent: SAFARI }),
  line('203.0.113.78', '/guides/instal', 1, { status: 404, from: 'https://blog.example.org/a-post' }),
];

/**
 * One story, from an unread project to a job about its readers' problems. Each test continues the previous
 * one.
 */
describe.skipIf(!hasBrowser)('from no views to a job', () => {
  let browser: Browser;
  let docent: Installation;
  let folder: string;
  let site: Server;
  let visitor: Visitor;
  let page: Page;
  let key: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'docent-readers-'));
    const env = { DOCENT_ANALYTICS_DIR: path.join(folder, 'analytics') };
    [browser, docent] = await Promise.all([launchBrowser(), Installation.started({ env })]);
    const { data } = await docent.client.POST('/v1/keys', {
      body: { name: 'Website', projectIds: [docent.projectId], scopes: ['events'] },
    });
    key = data?.key ?? '';
    ({ visitor, page } = await operatorIn(browser, docent));
  });
  afterAll(async () => {
    site?.close();
    await leaveBrowser(browser);
    await docent?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const env = () => ({
    ...BARE_ENV,
    HOME: docent.folder,
    KEY: key,
    DATABASE_URL: docent.database.url,
    DOCENT_ANALYTICS_DIR: path.join(folder, 'analytics'),
  });
  /** As pasted into a terminal that has the command. */
  const paste = (command: string) =>
    run('bash', ['-c', `docent() { '${process.execPath}' '${CLI}' "$@"; }\n${command}`], { env: env() });
  const tile = async (name: string) => {
    const text = await page
      .locator('.tiles > div', { has: page.getByText(name, { exact: true }) })
      .locator('.large')
      .first()
      .innerText();
    return Number(text.replaceAll(/\D/g, ''));
  };
  const inProject = { path: { projectId: 'acme' } };
  async function visitors(dateFrom: string, dateTo: string) {
    const { data } = await docent.client.GET('/v1/analytics/{projectId}/visitors', {
      params: { ...inProject, query: { dateFrom, dateTo, limit: 250 } },
    });
    if (!data) throw new Error('no visitors');
    return data;
  }

  test('the empty page says how to send views, and they show without a reload', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Analytics', exact: true }).click();
    await page.getByRole('heading', { name: 'No views yet' }).waitFor();
    const [script, curl] = [await copied(page, 'HTML'), await copied(page, 'With curl')];
    await page.getByText('To count localhost and preview sites, add them in the settings.').waitFor();
    const { stdout } = await paste(curl);
    expect(JSON.parse(stdout)).toMatchObject({ accepted: 1 });
    await page.getByRole('heading', { name: /^Visitors by/ }).waitFor();
    expect(await tile('Visitors')).toBe(1);

    // A site with the copied script, and a reader.
    site = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><title>Docs</title>${script}`);
    });
    await once(site.listen(0, '127.0.0.1'), 'listening');
    const { port } = site.address() as AddressInfo;
    // As the page says of sites on this machine.
    await docent.client.PATCH('/v1/projects/{projectId}', {
      params: inProject,
      body: { settings: { analyticsOrigins: [`127.0.0.1:${port}`] } },
    });
    const reader = await browser.newContext({ userAgent: FIREFOX });
    const read = await reader.newPage();
    const sent = read.waitForResponse((response) => response.request().method() === 'POST');
    await read.goto(`http://127.0.0.1:${port}/guides/start`);
    expect((await sent).ok()).toBe(true);
    await reader.close();
    await until('it is counted', async () => (await visitors(dayAgo(0), dayAgo(-1))).totals.total === 2);
    await page.getByText('2 in the last 5 minutes').waitFor();
  });

  test('an imported log shows as the API counts it: tiles, days, pages, comparison', async () => {
    const file = path.join(folder, 'access.log');
    await writeFile(file, `${LOG.join('\n')}\n`);
    const { stdout } = await paste(`docent analytics import --project acme '${file}*'`);
    expect(stdout).toContain(String(LOG.length));
    const range = [dayAgo(29), dayAgo(-1)] as const;
    await until('all are counted', async () => (await visitors(...range)).totals.total >= 15);
    await page.reload();
    await settled(page);
    const { totals, visitors: rows } = await visitors(...range);
    expect(await tile('Visitors')).toBe(totals.total);
    expect(await tile('Humans')).toBe(totals.human);
    expect(await tile('AI')).toBe(totals.ai);

    await page.getByText('Show as table').click();
    const shown = async () => {
      const lines = await page.getByRole('table', { name: 'Over time' }).locator('tbody tr').allInnerTexts();
      return lines.map((row) => row.split('\t').slice(1, 4).map(Number));
    };
    const { data: series } = await docent.client.GET('/v1/analytics/{projectId}/timeseries', {
      params: { ...inProject, query: { dateFrom: range[0], dateTo: range[1] } },
    });
    // The API begins with the first day that has any; the page has all days of the range.
    const counted = series?.days.toReversed().map(({ visitors: { human, ai, total } }) => [human, ai, total]) ?? [];
    const none = Array.from({ length: 30 - counted.length }, () => [0, 0, 0]);
    await expect.poll(shown).toEqual([...counted, ...none]);
    const pages = await page.locator('#pages tbody tr').allInnerTexts();
    expect(pages.map((row) => row.split(/\s*\t\s*/).slice(0, 4))).toEqual(
      rows.map((row) => [row.path, String(row.human), String(row.ai), String(row.total)]),
    );
  });

  test('another range is another question, also to the API, and is compared with the days before', async () => {
    await page.getByLabel('Date range').selectOption({ label: 'Last 7 days' });
    const [now, before] = [await visitors(dayAgo(6), dayAgo(-1)), await visitors(dayAgo(13), dayAgo(6))];
    expect(before.totals.total).toBeGreaterThan(0);
    await expect.poll(() => tile('Visitors')).toBe(now.totals.total);
    await page.getByText(`${before.totals.total} in `, { exact: false }).first().waitFor({ state: 'attached' });
    await page.getByLabel('Compare with').selectOption({ label: 'nothing' });
    await expect.poll(() => page.locator('.tiles .change').count()).toBe(0);
    await page.getByLabel('Compare with').selectOption({ label: 'previous period' });
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    const { data } = await docent.client.GET('/v1/analytics/{projectId}/views', {
      params: { ...inProject, query: { dateFrom: dayAgo(6), dateTo: dayAgo(-1), limit: 250 } },
    });
    await page.getByRole('heading', { name: /^Views by/ }).waitFor();
    expect(await tile('Views')).toBe(data?.totals.total);
    await page.getByRole('button', { name: 'Visitors', exact: true }).click();
    await page.getByRole('heading', { name: /^Visitors by/ }).waitFor();
  });

  test('a page opens with its own numbers, and the CSV is the API’s', async () => {
    const { visitors: rows } = await visitors(dayAgo(6), dayAgo(-1));
    const start = rows.find((row) => row.path === '/guides/start');
    await page.locator('#pages').getByRole('button', { name: '/guides/start', exact: true }).click();
    const tiles = () => Promise.all(['Humans', 'AI', 'Visitors'].map(tile));
    await expect.poll(tiles).toEqual([start?.human, start?.ai, start?.total]);
    await page.getByRole('button', { name: 'Remove the filter Page: /guides/start' }).click();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV: Pages' }).click(),
    ]);
    const answer = await fetch(
      `${docent.apiUrl}/v1/analytics/acme/visitors?dateFrom=${dayAgo(6)}&dateTo=${dayAgo(-1)}&all=true`,
      { headers: { Accept: 'text/csv', Authorization: `Bearer ${docent.operatorToken}` } },
    );
    expect(await readFile(await download.path(), 'utf8')).toBe(await answer.text());
  });

  test('a broken link that readers met becomes a job', async () => {
    const row = page.locator('#broken-links tbody tr', { hasText: '/guides/instal' });
    await row.getByRole('link', { name: 'Create job' }).click();
    await page.getByRole('heading', { name: 'New job' }).waitFor();
    // The built-in editor gets a form, which writes the prompt once it is filled in.
    expect(await page.getByLabel('Old address').inputValue()).toBe('/guides/instal');
    await page.getByLabel('To the page').fill('guides/start');
    expect(await page.getByLabel('Prompt').inputValue()).toBe('Add a redirect from "/guides/instal" to "guides/start"');
    expect(await page.getByRole('link', { name: 'Set up a model' }).getAttribute('href')).toContain('/agent/models#');
    await page.getByRole('button', { name: 'Start job' }).click();
    await page.getByRole('heading', { name: /^Add a redirect from/ }).waitFor();
    await page.locator('.page-head .badge:not(.busy)').waitFor();
    // Back leads to what was looked at.
    await page.goBack();
    await page.goBack();
    await page.getByRole('heading', { name: 'Analytics' }).waitFor();
    await expect.poll(() => page.getByLabel('Date range').inputValue()).toBe('7d');
    expect(visitor.wrong).toEqual([]);
  });
});
