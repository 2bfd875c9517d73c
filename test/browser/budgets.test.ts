import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser, settled } from '../support/browser/browser.ts';
import { operatorIn } from '../support/browser/signed-in.ts';
import { furnish, type Furnished } from '../support/browser/furnish.ts';
import { Installation } from '../support/installation.ts';

const FIRST_LOAD_BYTES = 100_000;
const MOST_SHIFT = 0.02;
/** Of what a page does in one piece: a busy machine is no failure. */
const MOST_BLOCKED_MS = 3_000;

/** Pages, and whether they are held to the budget of the first load. `mostShift`: moves more than it should, and must not get worse. */
const PAGES: Record<string, { address: (of: Furnished) => string; isFirst?: boolean; mostShift?: number }> = {
  'Home of a project': { address: ({ projectId }) => `/projects/${projectId}`, isFirst: true, mostShift: 0.1 },
  'API keys': { address: () => '/keys', isFirst: true, mostShift: 0.1 },
  Jobs: { address: ({ projectId }) => `/projects/${projectId}/jobs`, isFirst: true },
  'A job': { address: ({ projectId, jobId }) => `/projects/${projectId}/jobs/${jobId}`, mostShift: 0.1 },
  'Its changes': { address: ({ projectId, jobId }) => `/projects/${projectId}/jobs/${jobId}/changes`, mostShift: 0.1 },
  'New job': { address: ({ projectId }) => `/projects/${projectId}/jobs/new` },
  Analytics: { address: ({ projectId }) => `/projects/${projectId}/analytics` },
  Automations: { address: ({ projectId }) => `/projects/${projectId}/automations` },
  Webhooks: { address: ({ projectId }) => `/projects/${projectId}/webhooks` },
  Settings: { address: ({ projectId }) => `/projects/${projectId}/settings`, mostShift: 0.3 },
  Projects: { address: () => '/projects' },
  Health: { address: () => '/health' },
};

interface Measured {
  bytes: number;
  shift: number;
  longTasks: number;
  longestMs: number;
  shownMs: number;
}

describe.skipIf(!hasBrowser)('what a page costs', () => {
  let browser: Browser;
  let docent: Installation;
  let furnished: Furnished;
  const table: string[] = [];

  beforeAll(async () => {
    [browser, docent] = await Promise.all([launchBrowser(), Installation.started()]);
    furnished = await furnish(docent);
  });
  afterAll(async () => {
    await browser?.close();
    await docent?.stop();
    const head =
      '| Page | First load, compressed | Layout shift | Long tasks | Longest | Shown after |\n|---|---|---|---|---|---|';
    // oxlint-disable-next-line no-console -- the table goes into docs/reference/performance.mdx
    if (table.length > 0) console.log(`${head}\n${table.join('\n')}`);
  });

  test.each(Object.entries(PAGES))(
    '%s: few bytes, and nothing jumps',
    async (name, { address, isFirst, mostShift = MOST_SHIFT }) => {
      const { visitor, page: before } = await operatorIn(browser, docent);
      await before.close();
      const page = await visitor.context.newPage();
      const cost = await measured(page, docent.apiUrl + address(furnished));
      table.push(
        `| ${name} | ${(cost.bytes / 1_000).toFixed(1)} kB | ${cost.shift.toFixed(3)} | ${cost.longTasks} | ${Math.round(cost.longestMs)} ms | ${Math.round(cost.shownMs)} ms |`,
      );
      expect(cost.bytes).toBeGreaterThan(1_000);
      if (isFirst) expect(cost.bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
      expect(cost.shift).toBeLessThanOrEqual(mostShift);
      expect(cost.longestMs).toBeLessThan(MOST_BLOCKED_MS);
      await visitor.close();
    },
  );
});

/** Loads a page in a browser that has nothing of it. Bytes are those of its code and style as they are sent, without what the API answers. */
async function measured(page: Page, address: string): Promise<Measured> {
  await page.addInitScript(() => {
    const seen = { shift: 0, longTasks: 0, longestMs: 0 };
    Object.assign(globalThis, { docentTestSeen: seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) seen.shift += entry.value;
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
