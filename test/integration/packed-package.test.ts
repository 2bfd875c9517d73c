import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BARE_ENV } from '../support/bare-env.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { packedPackage } from '../support/packed-package.ts';

/** Types are compiled, the dashboard and the workflows are bundled. */
const BUILD_MS = 600_000;

let packed: Awaited<ReturnType<typeof packedPackage>>;
let docent: Installation;
let cli: string;

beforeAll(async () => {
  [packed, docent] = await Promise.all([packedPackage(), Installation.create()]);
  cli = path.join(packed.folder, 'dist', 'cli', 'main.js');
  const analytics = { DOCENT_ANALYTICS_DIR: path.join(docent.folder, 'analytics') };
  await Promise.all([docent.startApi(analytics, cli), docent.startWorker(analytics, cli)]);
  await docent.createProject();
}, BUILD_MS);
afterAll(async () => {
  await docent?.stop();
  if (packed) await rm(path.dirname(packed.folder), { recursive: true, force: true });
});

test('the published package holds the dashboard, the docs and the reference, and no source', () => {
  expect(packed.files).toEqual(
    expect.arrayContaining([
      'dist/dashboard/index.html',
      'dist/reference/swagger-ui-bundle.js',
      'dist/reference/swagger-ui.css',
      'dist/reference/LICENSE',
      'docs/docs.json',
      'docs/index.mdx',
      'docs/images/mark.svg',
    ]),
  );
  expect(packed.files.filter((file) => /^(?:src\/(?!store\/migrations\/)|test\/|coverage\/)/.test(file))).toEqual([]);
});

test('the published package names the packages whose code is in it, with their licenses', async () => {
  const notice = await readFile(path.join(packed.folder, 'dist', 'THIRD-PARTY.txt'), 'utf8');
  for (const name of ['@temporalio/worker', 'drizzle-orm', 'isomorphic-git', 'koa'])
    expect(notice).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  expect(notice).toContain('Permission is hereby granted, free of charge');
});

test('a worker of the published package carries out a job, in its threads and child processes', async () => {
  const id = await docent.post('Add a page titled "Packed" at guides/packed with the text "Written by a package."');
  const job = await docent.settled(id);
  expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
  const [branch] = (await docent.branches()).filter((name) => name !== 'main');
  expect(await docent.git('show', `${branch}:guides/packed.mdx`)).toContain('Written by a package.');
});

test('the published package counts page views, and shows its docs with colored code', async () => {
  const headers = { authorization: `Bearer ${docent.operatorToken}`, 'content-type': 'application/json' };
  const at = (place: string) => `${docent.apiUrl}/v1/analytics/${docent.projectId}/${place}`;
  const timestamp = new Date().toISOString();
  const events = ['ada', 'ada', 'bob'].map((visitorId, index) => ({
    eventId: `packed-${index}`,
    timestamp,
    path: '/',
    visitorId,
    kind: 'human',
  }));
  const answer = await fetch(at('events'), { method: 'POST', headers, body: JSON.stringify({ events }) });
  expect([answer.status, await answer.text()]).toEqual([202, expect.stringContaining('"accepted":3')]);
  const day = timestamp.slice(0, 10);
  await until('the page views are counted', async () => {
    const counts = await fetch(at(`visitors?dateFrom=${day}`), { headers });
    return counts.ok && JSON.stringify(await counts.json()).includes('"total":2');
  });
  const page = await (await fetch(`${docent.apiUrl}/docs/guides/client`)).text();
  expect(page).toContain('class="hljs-');
});

test('commands of the published package check a folder and write a backup', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-packed-commands-'));
  const run = (words: string[], env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [cli, ...words], { env: { ...BARE_ENV, HOME: folder, ...env } }).then(
      ({ stdout }) => ({ stdout, code: 0 }),
      (err: { stdout: string; code: number }) => ({ stdout: err.stdout, code: err.code }),
    );
  const site = path.join(folder, 'site');
  await mkdir(site);
  // Enough of them to be read in threads.
  for (let page = 0; page < 300; page++) await writeFile(path.join(site, `p${page}.md`), `# Page ${page}\n`);
  await writeFile(path.join(site, 'index.md'), '# Home\n\n[gone](./nowhere.md)\n');
  const checked = await run(['check', site]);
  expect([checked.code, checked.stdout]).toEqual([1, expect.stringContaining('nowhere.md')]);
  const backup = await run(['backup', path.join(folder, 'all.backup'), '--json'], {
    DATABASE_URL: docent.database.url,
    DOCENT_ANALYTICS_DIR: path.join(docent.folder, 'analytics'),
  });
  expect(backup.code, backup.stdout).toBe(0);
  const verified = await run(['backup', '--verify', path.join(folder, 'all.backup')]);
  expect(verified.code, verified.stdout).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ['/', '<base href="/"'],
  ['/docs', '<h1>What is Docent?</h1>'],
  ['/docs/reference/errors', 'id="job_not_found"'],
  ['/docs/quickstart.md', 'title: Quickstart'],
  ['/docs/api', 'id="reference"'],
])('a server of the published package answers %s, with all that the page loads', async (address, part) => {
  const answer = await fetch(docent.apiUrl + address, { headers: { accept: 'text/html, text/markdown' } });
  const page = await answer.text();
  expect([answer.status, page]).toEqual([200, expect.stringContaining(part)]);
  const loaded = [...page.matchAll(/<(?:link|script|img)\b[^>]* (?:href|src)="([^"]+)"/g)].map(([, link]) => link!);
  if (answer.headers.get('content-type')?.startsWith('text/html')) expect(loaded.length).toBeGreaterThan(1);
  for (const link of loaded) {
    const { status } = await fetch(new URL(link, docent.apiUrl + address));
    expect(status, link).toBe(200);
  }
});
