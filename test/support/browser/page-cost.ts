import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { settled } from './browser.ts';

/** Answers take at most this long. */
const SLOW_MS = 400;

/** What a page costs its reader. */
export interface PageCost {
  /** Of its code and style as they are sent, without what the API answers. */
  bytes: number;
  /** Share of the window that moved: https://web.dev/articles/cls */
  shift: number;
  longestTaskMs: number;
  /** The shifts: size, time, origin and target. */
  moved: string[];
}

/**
 * Delays each answer of the API by another time, the same in each run, so that each can move what came before
 * it.
 */
export async function slowDown(page: Page): Promise<void> {
  let requests = 0;
  await page.route(/\/v\d\//, async (route) => {
    requests += 1;
    await sleep(((requests * 7) % 10) * (SLOW_MS / 10));
    await route.continue().catch(() => {
      // The page has canceled it.
    });
  });
}

/** Loads an address without the browser's cache, and waits until it shows what it has. */
export async function loadMeasured(page: Page, address: string): Promise<PageCost> {
  await page.addInitScript(observe);
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
  await page.goto(address);
  await settled(page);
  // What comes late moves things, too.
  await page.waitForTimeout(1_000);
  const seen = await page.evaluate(
    () => (globalThis as unknown as { docentTestSeen: Omit<PageCost, 'bytes'> }).docentTestSeen,
  );
  return { ...seen, bytes };
}

/** Runs in the page, before its own scripts. */
function observe(): void {
  const seen = { shift: 0, longestTaskMs: 0, moved: [] as string[] };
  Object.assign(globalThis, { docentTestSeen: seen });
  interface Shift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
  }
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page gets this function alone
  const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ');
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, startTime, sources } of list.getEntries() as Shift[]) {
      if (hadRecentInput) continue;
      seen.shift += value;
      for (const { node, previousRect, currentRect } of sources) {
        const name = `${node?.nodeName} ${(node as Element | null)?.className ?? ''}`;
        const [from, to] = [place(previousRect), place(currentRect)];
        seen.moved.push(`${value.toFixed(3)} at ${Math.round(startTime)} ms: ${name} from ${from} to ${to}`);
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longestTaskMs = Math.max(seen.longestTaskMs, duration);
  }).observe({ type: 'longtask', buffered: true });
}
