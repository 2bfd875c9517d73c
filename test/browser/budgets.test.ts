import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, settled, type Look } from '../support/browser/browser.ts';
import { operatorIn } from '../support/browser/signed-in.ts';
import { furnish, type Furnished } from '../support/browser/furnish.ts';
import { FILES, giveLargeChange, LINES } from '../support/browser/large-change.ts';
import { Installation } from '../support/installation.ts';

const FIRST_LOAD_BYTES = 107_000;
/** Of the window, as browsers count it: https://web.dev/articles/cls */
const MOST_SHIFT = 0.02;
/** Of what a page does in one piece: a busy machine is no failure. */
const MOST_BLOCKED_MS = 3_000;
/** What a busy machine tears apart, a quiet one draws in one piece: the best of so many loads counts. */
const LOADS = 3;
/** How long answers are on their way at most: what comes late is what moves things. */
const SLOW_MS = 400;

/** The goal is 1,500 ms for opening and 100 ms for an answer, on a quiet machine. */
const LARGE_OPEN_MS = 15_000;
const LARGE_ANSWER_MS = 2_000;

const PHONE: Look = { theme: 'light', width: 390 };

const PAGES: Record<string, (of: Furnished) => string> = {
  'Home of a project': ({ projectId }) => `/projects/${projectId}`,
  'API keys': () => '/keys',
  Jobs: ({ projectId }) => `/projects/${projectId}/jobs`,
  'A job': ({ projectId, jobId }) => `/projects/${projectId}/jobs/${jobId}`,
  'A preview': ({ projectId, jobs }) => `/projects/${projectId}/jobs/${jobs.previewId}`,
  'Its changes': ({ projectId, jobId }) => `/projects/${projectId}/jobs/${jobId}/changes`,
  'Its changed pages': ({ projectId, jobId }) => `/projects/${projectId}/jobs/${jobId}/changes?view=preview`,
  'New job': ({ projectId }) => `/projects/${projectId}/jobs/new`,
  Analytics: ({ projectId }) => `/projects/${projectId}/analytics`,
  Automations: ({ projectId }) => `/projects/${projectId}/automations`,
  Webhooks: ({ projectId }) => `/projects/${projectId}/webhooks`,
  'A webhook': ({ projectId, webhookId }) => `/projects/${projectId}/webhooks/${webhookId}`,
  Settings: ({ projectId }) => `/projects/${projectId}/settings`,
  Projects: () => '/projects',
  'New project': () => '/projects/new',
  'Code hosts': () => '/hosts',
  Model: () => '/model',
  People: () => '/people',
  'Audit log': () => '/audit',
  Health: () => '/health',
  'Your account': () => '/account',
};

interface Measured {
  bytes: number;
  shift: number;
  longTasks: number;
  longestMs: number;
  shownMs: number;
  /** What moved: how much, when, and from where to where. */
  moved: string[];
}

describe.skipIf(!hasBrowser)('what a page costs', () => {
  let browser: Browser;
  let docent: Installation;
  let furnished: Furnished;
  const table: string[] = [];

  beforeAll(async () => {
    const env = { DOCENT_SECRET_KEY: randomBytes(32).toString('base64') };
    [browser, docent] = await Promise.all([launchBrowser(), Installation.started({ env })]);
    furnished = await furnish(docent);
  });
  afterAll(async () => {
    await browser?.close();
    await docent?.stop();
    const head =
      '| Page | First load, compressed | Layout shift | Long tasks | Longest | Shown after |\n|---|---|---|---|---|---|';
    // oxlint-disable-next-line no-console -- the table goes into docs-internal/performance.md
    if (table.length > 0) console.log(`${head}\n${table.join('\n')}`);
  });

  test.each(Object.entries(PAGES))('%s: few bytes, and nothing jumps', async (name, address) => {
    let best: Measured | undefined;
    for (let load = 0; load < LOADS && !(best && best.shift <= MOST_SHIFT); load++) {
      const cost = await firstLoad(address(furnished));
      if (!best || cost.shift < best.shift) best = cost;
    }
    const cost = best as Measured;
    table.push(
      `| ${name} | ${(cost.bytes / 1_000).toFixed(1)} kB | ${cost.shift.toFixed(3)} | ${cost.longTasks} | ${Math.round(cost.longestMs)} ms | ${Math.round(cost.shownMs)} ms |`,
    );
    expect(cost.bytes).toBeGreaterThan(1_000);
    expect(cost.bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
    expect(cost.shift, cost.moved.join('\n')).toBeLessThanOrEqual(MOST_SHIFT);
    expect(cost.longestMs).toBeLessThan(MOST_BLOCKED_MS);
  });

  test.each(Object.entries(PAGES))('%s: nothing jumps on a telephone with a slow network', async (_name, address) => {
    let least: Measured | undefined;
    for (let load = 0; load < LOADS && !(least && least.shift <= MOST_SHIFT); load++) {
      const cost = await firstLoad(address(furnished), { isSlow: true });
      if (!least || cost.shift < least.shift) least = cost;
    }
    expect(least?.shift, least?.moved.join('\n')).toBeLessThanOrEqual(MOST_SHIFT);
  });

  async function firstLoad(address: string, { isSlow = false } = {}): Promise<Measured> {
    const { visitor, page: before } = await operatorIn(browser, docent, isSlow ? { look: PHONE } : {});
    await before.close();
    const page = await visitor.context.newPage();
    if (isSlow) await slowDown(page);
    try {
      return await measured(page, docent.apiUrl + address);
    } finally {
      await visitor.close();
    }
  }

  test('a change of 500 files and 20,000 lines is opened, searched and turned without waiting', async () => {
    const { visitor, page } = await operatorIn(browser, docent);
    const id = await docent.post('Append a section "Large" with the text "Large." to the page index.mdx');
    await docent.settled(id);
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
    await visitor.close();
  });
});

/** Answers of the API come late, each at another time, so that each can move what came before it. */
async function slowDown(page: Page): Promise<void> {
  let asked = 0;
  await page.route(/\/v\d\//, async (route) => {
    asked += 1;
    // Spread over the time, the same in each run.
    await sleep(((asked * 7) % 10) * (SLOW_MS / 10));
    await route.continue().catch(() => {
      // The page has let go of it.
    });
  });
}

/** From an input, or a click, until the page is painted with what came of it. */
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

/** Loads a page in a browser that has nothing of it. Bytes are those of its code and style as they are sent, without what the API answers. */
async function measured(page: Page, address: string): Promise<Measured> {
  await page.addInitScript(() => {
    const seen = { shift: 0, longTasks: 0, longestMs: 0, moved: [] as string[] };
    Object.assign(globalThis, { docentTestSeen: seen });
    interface Shift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    }
    const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, startTime, sources } of list.getEntries() as Shift[]) {
        if (hadRecentInput) continue;
        seen.shift += value;
        for (const { node, previousRect, currentRect } of sources) {
          const name = `${node?.nodeName} ${(node as Element | null)?.className ?? ''}`;
          seen.moved.push(
            `${value.toFixed(3)} at ${Math.round(startTime)} ms: ${name} from ${place(previousRect)} to ${place(currentRect)}`,
          );
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        seen.longTasks += 1;
        seen.longestMs = Math.max(seen.longestMs, duration);
      }
    }).observe({ type: 'longtask', buffered: true });
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const own = new Set<string>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (!/\/v\d\//.test(new URL(response.url).pathname)) own.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (own.has(requestId)) bytes += encodedDataLength;
  });
  const start = performance.now();
  await page.goto(address);
  await settled(page);
  const shownMs = performance.now() - start;
  // What comes late moves things, too.
  await page.waitForTimeout(1_000);
  const seen = await page.evaluate(
    () => (globalThis as unknown as { docentTestSeen: Omit<Measured, 'bytes' | 'shownMs'> }).docentTestSeen,
  );
  return { ...seen, bytes, shownMs };
}
