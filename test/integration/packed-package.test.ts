import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Installation } from '../support/installation.ts';
import { packedPackage } from '../support/packed-package.ts';

/** Types are compiled, the dashboard and the workflows are bundled. */
const BUILD_MS = 600_000;

let packed: Awaited<ReturnType<typeof packedPackage>>;
let docent: Installation;

beforeAll(async () => {
  [packed, docent] = await Promise.all([packedPackage(), Installation.create()]);
  await docent.startApi({}, path.join(packed.folder, 'dist', 'main', 'cli.js'));
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

test.each([
  ['/', '<base href="/"'],
  ['/docs', '<h1>What Docent is</h1>'],
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
