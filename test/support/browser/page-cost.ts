import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
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

/** A tab without the browser's cache that measures the pages which it loads. */
export class MeasuringTab {
  readonly page: Page;
  #bytes = 0;
  #requests = 0;

  private constructor(page: Page) {
    this.page = page;
  }

  /** @param isSlow whether answers of the API come late */
  static async in(context: BrowserContext, { isSlow }: { isSlow: boolean }): Promise<MeasuringTab> {
    const tab = new MeasuringTab(await context.newPage());
    await tab.page.addInitScript(observe);
    await tab.#countBytes();
    if (isSlow) await tab.#slowDown();
    return tab;
  }

  /** Loads an address, and waits until it shows what it has. */
  async load(address: string): Promise<PageCost> {
    await this.page.goto('about:blank');
    this.#bytes = 0;
    this.#requests = 0;
    await this.page.goto(address);
    await settled(this.page);
    // What comes late moves things, too.
    await this.page.waitForTimeout(1_000);
    const seen = await this.page.evaluate(
      () => (globalThis as unknown as { docentTestSeen: Omit<PageCost, 'bytes'> }).docentTestSeen,
    );
    return { ...seen, bytes: this.#bytes };
  }

  async #countBytes(): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const own = new Set<string>();
    session.on('Network.responseReceived', ({ requestId, response }) => {
      if (!/\/v\d\//.test(new URL(response.url).pathname)) own.add(requestId);
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (own.has(requestId)) this.#bytes += encodedDataLength;
    });
  }

  /**
   * Delays each answer of the API by another time, the same in each run, so that each can move what came
   * before it.
   */
  async #slowDown(): Promise<void> {
    await this.page.route(/\/v\d\//, async (route) => {
      this.#requests += 1;
      await sleep(((this.#requests * 7) % 10) * (SLOW_MS / 10));
      await route.continue().catch(() => {
        // The page has canceled it.
      });
    });
  }
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
