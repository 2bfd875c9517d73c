/**
 * Takes pictures of a conversation on a real Gitea, for the docs: `npm run record-gitea`. Starts a real Gitea
 * and Docent in temporary folders, has the conversation of `npm run try-gitea` by webhook, and opens its
 * pages in Chromium. DOCENT_TEST_GITEA is the path of a Gitea binary with SQLite and built pages; see
 * docs-internal/testing.md. Ends with an error if a step fails, or a picture is above 150 kB.
 */
import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { RealGitea } from '../../test/support/real-gitea.ts';
import { talkOn } from '../try/gitea-stack.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const IMAGES = path.join(ROOT, 'docs/images/gitea');
const MOST_BYTES = 150_000;
const VIEWPORT = { width: 1000, height: 720 };
const REPOSITORY = '/acme/talk-webhook';

/** Name, page, and the text at the top of the picture. */
const PICTURES: [name: string, page: string, top: string | null][] = [
  ['issue', '/issues/1', null],
  ['pull-request', '/pulls/2', null],
  ['thread', '/pulls/2', 'reviewed'],
  ['review', '/pulls/3', 'reviewed'],
];

const binary = process.env.DOCENT_TEST_GITEA;
if (!binary) throw new Error('Set DOCENT_TEST_GITEA to the path of a Gitea binary.');
const gitea = await RealGitea.start(binary, process.env.DOCENT_TEST_GITEA_STATIC);
try {
  const [ada, eve] = [gitea.addPerson('ada'), gitea.addPerson('eve')];
  await talkOn(gitea, {
    way: 'webhook',
    ada,
    eve,
    async step(what, work) {
      process.stderr.write(`${what}: ${await work()}\n`);
    },
  });
  await takePictures(gitea.url);
} finally {
  await gitea.stop();
}

async function takePictures(baseURL: string): Promise<void> {
  await mkdir(IMAGES, { recursive: true });
  const found = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file));
  const executablePath = process.env.DOCENT_TEST_CHROMIUM ?? found;
  if (executablePath === undefined) throw new Error('Install Chromium, or set DOCENT_TEST_CHROMIUM to its path.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const context = await browser.newContext({ baseURL, viewport: VIEWPORT, locale: 'en-US', reducedMotion: 'reduce' });
    for (const [name, address, top] of PICTURES) {
      const page = await context.newPage();
      await page.goto(REPOSITORY + address);
      await page.waitForLoadState('networkidle');
      if (top !== null) await scrollTo(page, top);
      const file = path.join(IMAGES, `${name}.png`);
      await page.screenshot({ path: file, animations: 'disabled' });
      await page.close();
      const { size } = await stat(file);
      process.stdout.write(`${path.relative(ROOT, file)}  ${(size / 1_000).toFixed(0)} kB\n`);
      if (size > MOST_BYTES) throw new Error(`${file} is above ${MOST_BYTES / 1_000} kB.`);
    }
  } finally {
    await browser.close();
  }
}

async function scrollTo(page: Page, text: string): Promise<void> {
  await page
    .getByText(text)
    .first()
    .evaluate((element) => window.scrollTo(0, element.getBoundingClientRect().top + window.scrollY - 120));
}
