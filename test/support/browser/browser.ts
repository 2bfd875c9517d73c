import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { patienceMs } from '../patience.ts';

/**
 * Debian's by default: the same engine without its own window takes half the processor time.
 */
const WITHOUT_WINDOW = '/usr/bin/chromium-headless-shell';
const CHROMIUM =
  process.env.DOCENT_TEST_CHROMIUM ?? (existsSync(WITHOUT_WINDOW) ? WITHOUT_WINDOW : '/usr/bin/chromium');
/** The folder for pictures of pages. */
const PICTURES = path.join(import.meta.dirname, '../../../coverage/pictures');

/** Whether there is a browser. In CI its absence is a failure: `.ci/run` installs it. */
export const hasBrowser = existsSync(CHROMIUM) || process.env.CI !== undefined;

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Look {
  theme: 'light' | 'dark';
  width: number;
}

/** The views in which each page is loaded. For the dark theme, see {@link darkProblems}. */
export const LOOKS = {
  light: { theme: 'light', width: 1280 },
  phone: { theme: 'light', width: 320 },
} satisfies Record<string, Look>;

let launched: Promise<Browser> | undefined;

/** The browser of all files of this process: a launch takes as much processor time as two pages. */
export function launchBrowser(): Promise<Browser> {
  launched ??= chromium
    .launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
      // It ends with this process, whose signals others handle.
      handleSIGTERM: false,
    })
    .then((browser) => browser.on('disconnected', () => (launched = undefined)));
  return launched;
}

/** Closes what a file has left open in the browser. */
export async function leaveBrowser(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

/**
 * A browser of one person: own cookies and storage. Watches for everything that must never happen on a page.
 */
export class Visitor {
  readonly context: BrowserContext;
  /** Violations of the content security policy, errors of scripts, and requests to other servers. */
  readonly wrong: string[] = [];
  readonly #origin: string;
  readonly #left: Page[] = [];

  private constructor(context: BrowserContext, origin: string) {
    this.context = context;
    this.#origin = origin;
  }

  /** @param token sent with every request of the pages, for tests that are not about signing in */
  static async create(
    browser: Browser,
    origin: string,
    {
      look = LOOKS.light,
      token,
      locale = 'en-GB',
      javaScriptEnabled = true,
    }: { look?: Look; token?: string; locale?: string; javaScriptEnabled?: boolean } = {},
  ): Promise<Visitor> {
    const context = await browser.newContext({
      baseURL: origin,
      colorScheme: look.theme,
      viewport: { width: look.width, height: look.width < 600 ? 720 : 800 },
      locale,
      javaScriptEnabled,
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...(token ? { extraHTTPHeaders: { Authorization: `Bearer ${token}` } } : {}),
    });
    context.setDefaultTimeout(patienceMs());
    const visitor = new Visitor(context, origin);
    await context.exposeFunction('docentTestNoteWrong', (text: string) => void visitor.wrong.push(text));
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        const note = (globalThis as unknown as { docentTestNoteWrong: (text: string) => void }).docentTestNoteWrong;
        note(`CSP ${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
      });
    });
    context.on('weberror', (error) => visitor.wrong.push(`error: ${error.error().message}`));
    context.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) visitor.wrong.push(`request to ${url}`);
    });
    context.on('dialog', (dialog) => {
      visitor.wrong.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return visitor;
  }

  /** Opens an address in a tab that was left or in a new one, and waits until it shows what it has. */
  async open(address: string): Promise<Page> {
    const page = this.#left.pop() ?? (await this.context.newPage());
    await page.goto(new URL(address, this.#origin).href);
    await settled(page);
    return page;
  }

  /** Leaves a tab to the next address: a new tab takes twice the processor time of a page. */
  leave(...pages: Page[]): void {
    this.#left.push(...pages);
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

/** Until nothing is being loaded. Asked at each frame, as usual, it would take a tenth of a processor. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('h1') !== null && document.querySelector('.waiting, [aria-busy=true]') === null,
    undefined,
    { polling: 50 },
  );
}

/** What axe finds on a page, a line for each. */
export function accessibilityProblems(page: Page): Promise<string[]> {
  return problemsOn(page, {});
}

/**
 * What axe finds in the colors of a page once the system turns dark. Pages follow it without another load, and
 * nothing but colors changes: loading each page again for this theme took a third of the time of these tests.
 */
export async function darkProblems(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  // Swagger UI's buttons fade into their new colors, even where people asked for less motion.
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    for (const fading of document.getAnimations()) if (fading instanceof CSSTransition) fading.finish();
  });
  return problemsOn(page, { runOnly: ['color-contrast', 'link-in-text-block'] });
}

/** @param options of axe */
async function problemsOn(page: Page, options: { runOnly?: string[] }): Promise<string[]> {
  // Half a megabyte: compiling it takes as long as a small page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axeSource);
  const found = await page.evaluate(async (given) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; help: string; nodes: { target: unknown; failureSummary?: string }[] }[];
        }>;
      };
    };
    // The details of correct elements cost time, and the tests do not read them.
    return (await axe.run({ ...given, resultTypes: ['violations'] })).violations;
  }, options);
  return found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes
        .map(({ target }) => String(target))
        .slice(0, 4)
        .join('; ')}) ${nodes[0]?.failureSummary ?? ''}`,
  );
}

/** Whether something is wider than the window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** What moves without end, although visitors ask for less motion. */
export async function endlessAnimations(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document.getAnimations().flatMap(({ effect }) => {
      const target = effect instanceof KeyframeEffect ? effect.target : null;
      return effect?.getTiming().iterations === Infinity ? [target?.outerHTML.slice(0, 100) ?? '?'] : [];
    }),
  );
}

/** A picture of the whole page, for people who ask for them: `coverage/pictures/<name>.png`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.DOCENT_TEST_PICTURES === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });
}
