import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, leaveBrowser, settled, type Visitor } from '../support/browser/browser.ts';
import { furnishHostile, hostileSite } from '../support/browser/furnish-hostile.ts';
import { HOSTILE_TEXTS } from '../support/browser/hostile-texts.ts';
import { operatorIn } from '../support/browser/signed-in.ts';
import { Installation } from '../support/installation.ts';

type Made = Awaited<ReturnType<typeof furnishHostile>>;

/** Every page that shows texts of others. */
const PAGES: Record<string, (project: string, made: Made) => string[]> = {
  keys: () => ['/keys'],
  home: (project) => [project],
  automations: (project) => [`${project}/automations`],
  webhooks: (project, { webhookId }) => [`${project}/webhooks`, `${project}/webhooks/${webhookId}`],
  settings: (project) => [`${project}/settings`],
  jobs: (project, { jobIds }) => [`${project}/jobs`, ...jobIds.map((id) => `${project}/jobs/${id}`)],
  changes: (project, { jobIds }) => jobIds.slice(0, 1).map((id) => `${project}/jobs/${id}/changes`),
  analytics: (project) => [`${project}/analytics`],
  'the rest': () => ['/projects', '/hosts', '/model', '/people', '/audit', '/health', '/account'],
  'addresses that are made up': (project) =>
    HOSTILE_TEXTS.slice(0, 6).flatMap((text) => {
      const typed = encodeURIComponent(text);
      return [
        `/projects/${typed}`,
        `${project}/jobs/${typed}`,
        `${project}/jobs?text=${typed}`,
        `/sign-in?next=${typed}&error=${typed}`,
      ];
    }),
};

describe.skipIf(!hasBrowser)('hostile text is shown as text', () => {
  let browser: Browser;
  let docent: Installation;
  let visitor: Visitor;
  let page: Page;
  let made: Made;

  beforeAll(async () => {
    const env = { DOCENT_PRIVATE_HOSTS: '127.0.0.1', DOCENT_SECRET_KEY: randomBytes(32).toString('base64') };
    [browser, docent] = await Promise.all([launchBrowser(), Installation.started({ files: hostileSite(), env })]);
    made = await furnishHostile(docent);
    ({ visitor, page } = await operatorIn(browser, docent));
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await docent?.stop();
  });

  test.each(Object.entries(PAGES))('%s', async (_name, addressesOf) => {
    for (const address of addressesOf(`/projects/${docent.projectId}`, made)) {
      await page.goto(docent.apiUrl + address);
      await settled(page);
      // Collapsed content is shown, too.
      for (const folded of await page.locator('main details:not([open]) > summary:visible').all())
        await folded.click({ timeout: 2_000 }).catch(() => {});
      await page.waitForTimeout(200);
      expect(await injected(page), address).toEqual([]);
      expect(visitor.wrong, address).toEqual([]);
    }
  });

  test('also in a key’s name in its menu, its dialogs and its lists', async () => {
    await page.goto(`${docent.apiUrl}/keys`);
    await settled(page);
    const shown = await page.locator('main table').innerText();
    expect(shown).toContain('<img src=x onerror=alert(1)>');
    const button = page.getByRole('button', { name: '<script>alert(1)</script>' }).first();
    await button.click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('dialog').getByText('<script>alert(1)</script>').waitFor();
    expect(await injected(page)).toEqual([]);
    expect(visitor.wrong).toEqual([]);
  });
});

/** Elements and attributes that none of our pages has. */
async function injected(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = [...document.querySelectorAll('*')].filter(
      (each) =>
        each.matches(
          'body script:not([src]), iframe, object, embed, body style, body base, body meta, body link, animate, math, body > form[action]',
        ) ||
        [...each.attributes].some(
          ({ name, value }) =>
            name.startsWith('on') ||
            (/^(?:xlink:)?href$|^src$|^action$|^srcdoc$/.test(name) &&
              /^\s*(?:javascript|data:text|vbscript):?/i.test(value)),
        ) ||
        (each.matches('img') && !each.src.startsWith(location.origin)),
    );
    return found.map((each) => each.outerHTML.slice(0, 200));
  });
}
