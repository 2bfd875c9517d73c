import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  hasBrowser,
  launchBrowser,
  leaveBrowser,
  picture,
  settled,
  Visitor,
} from '../support/browser/browser.ts';
import { FILES, giveLargeChange, LINES } from '../support/browser/large-change.ts';
import { HOSTILE_MD, HOSTILE_MDX } from '../support/browser/hostile-pages.ts';
import { Installation } from '../support/installation.ts';
import { SITE } from '../support/repository.ts';

/** The goal is 1,500 ms for opening and 100 ms for an answer, on a quiet machine. */
const LARGE_OPEN_MS = 15_000;
const LARGE_ANSWER_MS = 2_000;
/** Under load, the best of this many loads counts. */
const LOADS = 3;

const HELP = (page: string) => `Append a section "Help" with the text "Ask us." to the page ${page}`;

describe.skipIf(!hasBrowser)('the changes of a job', () => {
  let browser: Browser;
  let docent: Installation;
  let visitor: Visitor;

  beforeAll(async () => {
    const files = { ...SITE, 'hostile.mdx': HOSTILE_MDX, 'hostile.md': HOSTILE_MD };
    [browser, docent] = await Promise.all([launchBrowser(), Installation.started({ files })]);
    visitor = await Visitor.create(browser, docent.apiUrl, { token: docent.operatorToken });
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await docent?.stop();
  });

  const opened = (jobId: string, query = ''): Promise<Page> =>
    visitor.open(`/projects/${docent.projectId}/jobs/${jobId}/changes${query}`);

  async function posted(prompt: string): Promise<string> {
    const id = await docent.post(prompt);
    await docent.settled(id);
    return id;
  }

  test('are merged after a question, and stay merged when the page is loaded again', async () => {
    const id = await posted(HELP('index.mdx'));
    const page = await opened(id);
    await page.getByText('Ask us.').waitFor();
    await page.getByRole('button', { name: 'Merge' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('are merged into the base branch').waitFor();
    expect(await docent.git('show', 'main:index.mdx')).not.toContain('Ask us.');
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await page.locator('.changes-head .badge', { hasText: 'Merged' }).waitFor();
    expect(await docent.git('show', 'main:index.mdx')).toContain('Ask us.');
    await page.reload();
    await settled(page);
    await page.locator('.changes-head .badge', { hasText: 'Merged' }).waitFor();
    await page.getByText('Ask us.').waitFor();
    expect(await page.getByRole('button', { name: 'Merge' }).count()).toBe(0);
    expect(visitor.wrong).toEqual([]);
    visitor.leave(page);
  });

  test('that the checks find wrong are merged only after a warning', async () => {
    const id = await posted('Append a section "Lost" with the text "See [it](/nowhere)." to the page index.mdx');
    const page = await opened(id);
    const review = page.getByRole('region', { name: 'Before you merge' });
    await review.getByText('The docs checks still find 1 error.').waitFor();
    await review.getByText('missing-page').waitFor();
    await picture(page, 'changes-with-problems');
    await review.getByRole('button', { name: 'Merge' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The docs checks still find 1 error.').waitFor();
    await picture(page, 'changes-merge-anyway');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await docent.git('show', 'main:index.mdx')).not.toContain('/nowhere');
    // A page that could not read the checks' findings asks, too, and does not load everything else again for that.
    await page.route(/\/review$/, (route) => route.abort('connectionreset'));
    let loads = 0;
    await page.route(/\/citations$/, async (route) => {
      loads += 1;
      await sleep(1_000);
      await route.continue().catch(() => {
        // The page has canceled it.
      });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Merge' }).click();
    await dialog.getByText('The check results could not be loaded.').waitFor();
    await dialog.getByRole('button', { name: 'Merge anyway' }).click();
    // It also asks every 15 s.
    expect(loads).toBeLessThan(4);
    await page.locator('.changes-head .badge', { hasText: 'Merged' }).waitFor();
    expect(await docent.git('show', 'main:index.mdx')).toContain('/nowhere');
    visitor.leave(page);
  });

  test('are closed after a question', async () => {
    const id = await posted(HELP('index.mdx').replace('Help', 'Aid'));
    const page = await opened(id);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').locator('footer').getByRole('button', { name: 'Close' }).click();
    await page.locator('.changes-head .badge', { hasText: 'Closed' }).waitFor();
    expect(visitor.wrong).toEqual([]);
    visitor.leave(page);
  });

  test('a comment on a line is kept through a reload, sent with its place, and what the job changes next appears', async () => {
    const id = await posted(HELP('index.mdx').replace('Help', 'Support'));
    const page = await opened(id);
    await page.locator('.diff-lines').focus();
    await page.keyboard.press('ArrowDown');
    const line = page.locator('.line.add', { hasText: 'Ask us.' });
    await line.hover();
    await line.getByRole('button').click();
    await page.getByRole('textbox', { name: /Comment on line/ }).fill('Say where.');
    await page.reload();
    await settled(page);
    await page.getByText('1 comment to send').waitFor();
    await page.getByRole('button', { name: 'Send to the job' }).click();
    await page.getByText('1 comment to send').waitFor({ state: 'detached' });
    const { data } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/messages', {
      params: { path: { projectId: docent.projectId, id } },
    });
    expect(JSON.stringify(data)).toMatch(/In index\.mdx, line \d+:\\n> Ask us\.\\n\\nSay where\./);
    // `builtin` does not understand comments on lines, only complete sentences.
    await docent.settled(id);
    await docent.say(id, 'Append a section "Mail" with the text "Write to us." to the page index.mdx');
    await page.locator('.line.add', { hasText: 'Write to us.' }).waitFor();
    expect(visitor.wrong).toEqual([]);
    visitor.leave(page);
  });

  test.each(['hostile.mdx', 'hostile.md'])('hostile text in %s is text, in the lines and in the page', async (file) => {
    const id = await posted(HELP(file));
    for (const query of ['', '?view=preview']) {
      const page = await opened(id, query);
      if (query) await page.locator('.page-text').first().waitFor();
      else await page.locator('.diff-lines').waitFor();
      await page.locator('.changes').getByText('Ask us.').first().waitFor();
      const found = await page.locator('.changed-files').evaluate((root) => ({
        elements: root.querySelectorAll('script, style, iframe, object, embed, form, img, link, meta, base, math')
          .length,
        handlers: [...root.querySelectorAll('*')].flatMap((element) =>
          [...element.attributes].filter(({ name }) => name.startsWith('on') || name === 'srcdoc'),
        ).length,
        links: [...root.querySelectorAll('[href], [src], [action]')].map((element) => element.getAttribute('href')),
      }));
      expect(found.elements).toBe(0);
      expect(found.handlers).toBe(0);
      expect(found.links.filter((link) => !/^https?:/.test(link ?? ''))).toEqual([]);
      if (query && file.endsWith('x')) {
        await page.getByText('U+202E').first().waitFor();
        await page.getByText('U+200B').first().waitFor();
      }
      expect(visitor.wrong).toEqual([]);
      expect(await accessibilityProblems(page)).toEqual([]);
      visitor.leave(page);
    }
  });

  test('the page is shown before and after, with what changed marked', async () => {
    const id = await posted(HELP('index.mdx').replace('Help', 'Contact'));
    const page = await opened(id);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.locator('.page-view.after .changed-block', { hasText: 'Contact' }).waitFor();
    await expect.poll(() => page.locator('.page-view.before').count()).toBe(1);
    expect(await page.locator('.page-view.before .changed-block').count()).toBe(0);
    await page.reload();
    await settled(page);
    await page.locator('.page-view.before').waitFor();
    expect(visitor.wrong).toEqual([]);
    visitor.leave(page);
  });

  test('a merged pull request shows the readers of its pages before and after', async () => {
    const id = await posted(HELP('index.mdx'));
    const { error } = await docent.client.POST('/v2/agent/{projectId}/job/{id}/pull-request/merge', {
      params: { path: { projectId: docent.projectId, id } },
    });
    expect(error).toBeUndefined();
    const page = await opened(id);
    await page.getByText('Readers before and after the merge', { exact: true }).click();
    const table = page.getByRole('table', { name: 'Readers before and after the merge' });
    await table.getByText('0 → 0').first().waitFor();
    await picture(page, 'changes-effect');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(visitor.wrong).toEqual([]);
    visitor.leave(page);
  });

  test('a change of 500 files and 20,000 lines is opened, searched and turned without waiting', async () => {
    const page = await visitor.context.newPage();
    const id = await posted(HELP('index.mdx'));
    await giveLargeChange(docent, id);
    const times: Record<string, number> = { open: Infinity };
    for (let load = 0; load < LOADS && times.open! > LARGE_OPEN_MS; load++) {
      const start = performance.now();
      await page.goto(`${docent.apiUrl}/projects/${docent.projectId}/jobs/${id}/changes`);
      await page.locator('.line.add').first().waitFor();
      times.open = performance.now() - start;
    }
    await page.getByText(`${FILES} changed files +${(FILES * LINES) / 2} −${(FILES * LINES) / 2}`).waitFor();
    const search = page.locator('.file-tree input');
    times.search = await timeOf(search, 'page-49');
    await expect.poll(() => page.locator('.file-tree li:visible').count()).toBe(11);
    times.clear = await timeOf(search, '');
    await expect.poll(() => page.locator('.file-tree li:visible').count()).toBe(FILES);
    times.split = await timeOf(page.getByRole('button', { name: 'Side by side' }));
    await page.locator('.pair').first().waitFor();
    times.unified = await timeOf(page.getByRole('button', { name: 'Unified' }));
    times.comment = await timeOf(page.locator('.file-block button.comment-at').first());
    const last = page.locator('.file-tree li button').last();
    const path = (await last.getAttribute('title')) ?? '';
    times.goTo = await timeOf(last);
    await page.getByRole('region', { name: path, exact: true }).locator('.line.add').first().waitFor();
    const rounded = Object.entries(times).map(([what, ms]) => `${what} ${Math.round(ms)}`);
    process.stdout.write(`A change of 500 files and 20,000 lines, ms: ${rounded.join(', ')}\n`);
    const { open, ...answers } = times;
    expect(open).toBeLessThan(LARGE_OPEN_MS);
    for (const [what, ms] of Object.entries(answers)) expect(ms, what).toBeLessThan(LARGE_ANSWER_MS);
    expect(visitor.wrong).toEqual([]);
    visitor.leave(page);
  });
});

/** From an input, or a click, until its result is painted. */
async function timeOf(element: Locator, text?: string): Promise<number> {
  return element.evaluate(async (target: HTMLElement, value) => {
    const start = performance.now();
    if (value === undefined) target.click();
    else {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(target, value);
      target.dispatchEvent(new Event('input', { bubbles: true }));
    }
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - start;
  }, text);
}
