import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchCheck, type Watched } from '@docent/docs-check/cli/watch-check';
import { CheckFolder } from '../support/check-folder.ts';

let folder: CheckFolder;
let stop: AbortController;
let told: Watched[];
let watching: Promise<void>;

beforeEach(() => {
  folder = new CheckFolder();
  stop = new AbortController();
  told = [];
});
afterEach(async () => {
  stop.abort();
  await watching;
  folder.remove();
});

const found = () =>
  (told.at(-1)?.outcome?.problems ?? []).map(({ path: name, line, code }) => `${name}:${line} ${code}`);

async function after(change: () => void, expected: string[]): Promise<void> {
  change();
  await expect.poll(found).toEqual(expected);
}

test('a watched folder is checked again after each change, whatever it is', async () => {
  folder.write({
    'docs/a.md': '# A\n\n[b](b.md#words)\n',
    'docs/b.md': '# B\n\n## Words\n',
    'docs/deep/c.md': '[a](../a.md)\n',
  });
  watching = watchCheck({ folder: folder.path, onProgress: () => undefined }, (one) => told.push(one), stop.signal);
  await expect.poll(() => told.length).toBe(1);
  expect(found()).toEqual([]);
  // Of one page alone.
  await after(() => folder.write({ 'docs/deep/c.md': 'New.\n\n[a](../aa.md)\n' }), ['docs/deep/c.md:3 missing-page']);
  // Of a heading that another page links to.
  await after(
    () => folder.write({ 'docs/b.md': '# B\n\n## Terms\n' }),
    ['docs/a.md:3 missing-anchor', 'docs/deep/c.md:3 missing-page'],
  );
  // A new page, in a folder that no one watched.
  await after(() => folder.write({ 'docs/b.md': '# B\n\n## Words\n', 'docs/aa.md': '# AA\n' }), []);
  await after(() => folder.write({ 'docs/new/d.md': '[x](x.md)\n' }), ['docs/new/d.md:1 missing-page']);
  await after(() => folder.write({ 'docs/new/d.md': '[x](../a.md)\n' }), []);
  // As editors save: a new file in the old one's place.
  await after(() => {
    folder.write({ 'docs/.a.tmp': '# A\n\n[n](none.md)\n' });
    renameSync(path.join(folder.path, 'docs/.a.tmp'), path.join(folder.path, 'docs/a.md'));
  }, ['docs/a.md:3 missing-page']);
  await after(
    () => rmSync(path.join(folder.path, 'docs/aa.md')),
    ['docs/a.md:3 missing-page', 'docs/deep/c.md:3 missing-page'],
  );
  // Settings, right and wrong.
  folder.write({ '.docent.json': '{"rules": {"missing-page": "of"}}' });
  await expect.poll(() => told.at(-1)?.failure).toContain('"rules.missing-page" must be one of');
  await after(() => folder.write({ '.docent.json': '{"rules": {"missing-page": "off"}}' }), []);
});

test('a watched folder compared with a commit reports only new problems, even after a commit', async () => {
  folder.write({ 'docs/a.md': '[x](old.md)\n', 'docs/b.md': '# B\n' });
  folder.git('init', '-q');
  folder.git('add', '.');
  folder.git('commit', '-qm', 'x');
  const options = { folder: folder.path, changedSince: 'HEAD', onProgress: () => undefined };
  watching = watchCheck(options, (one) => told.push(one), stop.signal);
  await expect.poll(() => told.length).toBe(1);
  expect(found()).toEqual([]);
  await after(() => folder.write({ 'docs/b.md': '# B\n\n[y](new.md)\n' }), ['docs/b.md:3 missing-page']);
  await after(
    () => folder.write({ 'docs/a.md': '[z](z.md)\n[x](old.md)\n' }),
    ['docs/a.md:1 missing-page', 'docs/b.md:3 missing-page'],
  );
  await after(() => folder.write({ 'docs/b.md': '# B\n' }), ['docs/a.md:1 missing-page']);
  folder.git('commit', '-qam', 'y');
  await after(() => folder.write({ 'docs/b.md': '[n](n.md)\n' }), ['docs/b.md:1 missing-page']);
});
