import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, leaveBrowser, settled, type Visitor } from '../support/browser/browser.ts';
import { operatorIn } from '../support/browser/signed-in.ts';
import { furnish } from '../support/browser/furnish.ts';
import { Installation } from '../support/installation.ts';

describe.skipIf(!hasBrowser)('with the keyboard alone', () => {
  let browser: Browser;
  let docent: Installation;
  let visitor: Visitor;
  let tab: Page;

  beforeAll(async () => {
    const env = { DOCENT_SECRET_KEY: randomBytes(32).toString('base64') };
    [browser, docent] = await Promise.all([launchBrowser(), Installation.started({ env })]);
    await furnish(docent);
    ({ visitor, page: tab } = await operatorIn(browser, docent));
  });
  afterEach(() => expect(visitor.wrong.splice(0)).toEqual([]));
  afterAll(async () => {
    await leaveBrowser(browser);
    await docent?.stop();
  });

  async function start(): Promise<Page> {
    await tab.goto(docent.apiUrl);
    await settled(tab);
    return tab;
  }
  /** The name or text of the focused element. */
  const focused = (page: Page) =>
    page.evaluate(() => {
      const it = document.activeElement as HTMLElement;
      return `${it.tagName.toLowerCase()} ${(it.ariaLabel ?? it.innerText).trim()}`.trim();
    });
  const at = (page: Page) => new URL(page.url()).pathname;

  test('each page is reached, and announces itself', async () => {
    const page = await start();
    const { projectId } = docent;
    for (const [keys, path] of [
      ['g k', '/keys'],
      ['g h', `/projects/${projectId}`],
      ['g j', `/projects/${projectId}/jobs`],
      ['g a', `/projects/${projectId}/analytics`],
      ['g s', `/projects/${projectId}/settings`],
      ['g p', '/projects'],
      ['n', `/projects/${projectId}/jobs/new`],
    ] as const) {
      const before = await page.title();
      for (const key of keys.split(' ')) await page.keyboard.press(key);
      await page.waitForURL(`**${path}`);
      await settled(page);
      // A screen reader hears the heading, which has the focus; the window's title says the same. A page of
      // typing has its box.
      await expect.poll(() => page.title()).not.toBe(before);
      const heading = () => page.locator('h1').first().innerText();
      await expect
        .poll(async () => (await page.title()) === `${await heading()} · Docent`, { message: keys })
        .toBe(true);
      const focus = keys === 'n' ? /^(?:h1|textarea)/ : new RegExp(`^h1 ${await heading()}`);
      await expect.poll(() => focused(page), { message: keys }).toMatch(focus);
      if (keys === 'n') await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    }
  });

  test('? lists the keys, Escape closes the list, and the focus is where it was', async () => {
    const page = await start();
    await page.getByRole('link', { name: 'API keys' }).focus();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.waitFor();
    await expect.poll(() => list.locator('kbd').count()).toBeGreaterThan(6);
    // Shortcuts do nothing behind it.
    await page.keyboard.press('n');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('a API keys');
    expect(at(page)).toBe(`/projects/${docent.projectId}`);
  });

  test('k finds pages, projects and jobs by a part of their name, and starts one', async () => {
    const page = await start();
    const { projectId } = docent;
    const palette = page.getByRole('dialog', { name: 'Go to a page or a job' });
    const options = palette.getByRole('option');
    await page.keyboard.press('k');
    await palette.waitFor();
    await expect.poll(() => focused(page)).toContain('input');
    await page.keyboard.type('web');
    await expect.poll(() => options.first().innerText()).toContain('Webhooks');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/projects/${projectId}/webhooks`);

    await page.goto(`${docent.apiUrl}/projects/${projectId}`);
    await settled(page);
    // Also where letters are typed.
    await page.getByLabel('What should Docent do?').focus();
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.type('zz Fix it');
    await expect.poll(() => options.allInnerTexts()).toEqual([expect.stringContaining('New job: zz Fix it')]);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    expect(at(page)).toBe(`/projects/${projectId}`);
    await page.keyboard.press('Control+k');
    await expect.poll(() => options.count()).toBeGreaterThan(10);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => options.nth(1).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => options.last().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.type('zz Fix it');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/jobs/new?prompt=zz%20Fix%20it');
  });

  test('keys are letters in text fields', async () => {
    const page = await start();
    await page.getByLabel('What should Docent do?').focus();
    await page.keyboard.type('go n / ?');
    await expect.poll(() => page.getByLabel('What should Docent do?').inputValue()).toBe('go n / ?');
    expect(at(page)).toBe(`/projects/${docent.projectId}`);
  });

  test.each(['jobs', 'analytics'])('/ goes to the search of %s, and there it is a letter', async (name) => {
    const page = await start();
    await page.goto(`${docent.apiUrl}/projects/${docent.projectId}/${name}`);
    await settled(page);
    const search = page.locator('main input[type=search]');
    await expect.poll(() => search.count()).toBe(1);
    expect(await search.evaluate((field) => field === document.activeElement)).toBe(false);
    await page.keyboard.press('/');
    await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
    await expect.poll(() => search.inputValue()).toBe('');
    await page.keyboard.type('/');
    await expect.poll(() => search.inputValue()).toBe('/');
  });

  test('/ is left to the browser on a page that has nothing to search, and the keys continue working', async () => {
    const page = await start();
    await page.goto(`${docent.apiUrl}/keys`);
    await settled(page);
    expect(await page.locator('main input[type=search]').count()).toBe(0);
    const before = await focused(page);
    // There before the key is.
    const seen = await page.evaluateHandle(() => {
      const prevented: boolean[] = [];
      addEventListener('keydown', (event) => setTimeout(() => prevented.push(event.defaultPrevented)), { once: true });
      return prevented;
    });
    await page.keyboard.press('/');
    await expect.poll(() => seen.jsonValue()).toEqual([false]);
    expect([await focused(page), at(page)]).toEqual([before, '/keys']);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });

  test('the first Tab leads past the menu', async () => {
    const page = await start();
    await page.reload();
    await settled(page);
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('a Skip to content');
    await expect.poll(() => page.getByText('Skip to content').isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
    expect(page.url()).not.toContain('#main');
  });

  test('a menu and its dialogs are opened, used and left', async () => {
    const page = await start();
    await page.goto(`${docent.apiUrl}/keys`);
    await settled(page);
    const button = 'Actions for “Website”';
    await page.getByRole('button', { name: button }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('button Rotate secret');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('button Revoke');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('button Rotate secret');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe(`button ${button}`);

    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Revoke “Website”?' }).waitFor();
    // The focus stays in.
    const seen = new Set<boolean>();
    for (let i = 0; i < 6; i += 1) {
      seen.add(
        await page.evaluate(
          () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
        ),
      );
      await page.keyboard.press('Tab');
    }
    expect([...seen]).toEqual([true]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe(`button ${button}`);
  });

  test('a dialog begins at its first field', async () => {
    const page = await start();
    await page.goto(`${docent.apiUrl}/keys`);
    await settled(page);
    await page.getByRole('button', { name: 'Create key' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Typed at once');
    await expect.poll(() => page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Typed at once');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('button Create key');
  });

  test('shows no animations to readers who prefer reduced motion', async () => {
    const page = await start();
    await page.keyboard.press('?');
    const longest = await page.evaluate(() =>
      Math.max(
        ...[...document.querySelectorAll('*')].flatMap((each) => {
          const { animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(each);
          const times = `${animationDuration},${transitionDuration}`.split(',').map((time) => Number.parseFloat(time));
          return [...times, scrollBehavior === 'smooth' ? 1 : 0];
        }),
      ),
    );
    expect(longest).toBeLessThan(0.001);
  });
});
