import { createServer, request, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { hasBrowser, launchBrowser, leaveBrowser, settled, Visitor } from '../support/browser/browser.ts';
import { signInLink } from '../support/browser/signed-in.ts';
import { freePort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';

const PREFIX = '/docent';

describe.skipIf(!hasBrowser)('behind a proxy that adds a path in front', () => {
  let browser: Browser;
  let docent: Installation;
  let proxy: Server;
  let origin: string;

  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    [browser, docent] = await Promise.all([
      launchBrowser(),
      Installation.started({ env: { DOCENT_PUBLIC_URL: origin + PREFIX } }),
    ]);
    proxy = createServer((incoming, answer) => {
      const { method, headers, url = '/' } = incoming;
      if (url !== PREFIX && !url.startsWith(`${PREFIX}/`)) return answer.writeHead(404).end('Not here.');
      const path = url.slice(PREFIX.length) || '/';
      const onward = request(docent.apiUrl + path, { method, headers }, (from) => {
        answer.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(answer);
      });
      onward.on('error', () => answer.writeHead(502).end('<h1>Bad Gateway</h1>'));
      incoming.pipe(onward);
    });
    await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    proxy?.closeAllConnections();
    proxy?.close();
    await docent?.stop();
  });

  test('a link signs in, pages lead to pages, and each can be loaded again', async () => {
    const visitor = await Visitor.create(browser, origin);
    const page = await visitor.context.newPage();
    const outside: string[] = [];
    page.on('request', (each) => {
      if (!new URL(each.url()).pathname.startsWith(PREFIX)) outside.push(each.url());
    });
    const link = await signInLink(docent);
    expect(link).toContain(`${origin}${PREFIX}/sign-in#link=`);
    await page.goto(link);
    await page.waitForURL(`${origin}${PREFIX}/projects/${docent.projectId}`);
    await settled(page);
    for (const [name, path, heading] of [
      ['Jobs', `/projects/${docent.projectId}/jobs`, 'Jobs'],
      ['Settings', `/projects/${docent.projectId}/settings`, 'Settings'],
      ['API keys', '/keys', 'API keys'],
      ['All projects', '/projects', 'Projects'],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.waitForURL(origin + PREFIX + path);
      // The previous page is shown until this one's code is loaded.
      await expect.poll(() => page.locator('h1').innerText()).toBe(heading);
      await page.reload();
      await settled(page);
      await expect.poll(() => page.locator('h1').innerText()).toBe(heading);
      expect(page.url()).toBe(origin + PREFIX + path);
    }
    await page.goBack();
    await page.waitForURL(`${origin}${PREFIX}/keys`);
    for (const start of [PREFIX, `${PREFIX}/`]) {
      await page.goto(origin + start);
      await page.waitForURL(`${origin}${PREFIX}/projects/${docent.projectId}`);
    }
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${origin}${PREFIX}/sign-in`);
    await page.goto(`${origin}${PREFIX}/keys?all=true`);
    await page.getByLabel('Operator token').fill(docent.operatorToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${origin}${PREFIX}/keys?all=true`);
    expect(outside).toEqual([]);
    expect(visitor.wrong).toEqual([]);
    await visitor.close();
  });

  test('treats a proxy’s answer for an unavailable server as a lost connection, not as an error of the page', async () => {
    const visitor = await Visitor.create(browser, origin);
    const page = await visitor.context.newPage();
    await page.goto(await signInLink(docent));
    await page.waitForURL(`**/projects/${docent.projectId}`);
    await settled(page);
    await page.getByLabel('What should Docent do?').fill('Half a sentence');
    const isAway = (url: URL) => url.pathname.startsWith(`${PREFIX}/v`) || url.pathname.endsWith('/healthz');
    await page.route(isAway, (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }));
    await page.getByRole('button', { name: 'Start job' }).click();
    const banner = page.getByText('Connection lost');
    await banner.waitFor();
    await page.unroute(isAway);
    await banner.waitFor({ state: 'detached', timeout: 60_000 });
    await expect.poll(() => page.getByLabel('What should Docent do?').inputValue()).toBe('Half a sentence');
    expect(visitor.wrong).toEqual([]);
    await visitor.close();
  });
});
