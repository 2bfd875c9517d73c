import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryFiles } from '../../src/operations/backup/repository-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-archive-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('of a repository, refs come before objects, and unfinished files of a push are left out', async () => {
  const root = path.join(folder, 'repository');
  execFileSync('git', ['init', '--quiet', root]);
  await writeFile(path.join(root, 'page.md'), '# Page\n');
  execFileSync('git', ['-C', root, 'add', '--all']);
  await writeFile(path.join(root, '.git/index.lock'), '');
  const names = (await Array.fromAsync(repositoryFiles(root))).map(({ name }) => name);
  const last = names.findLastIndex((name) => !name.startsWith('.git/objects/'));
  expect(names.findIndex((name) => name.startsWith('.git/objects/'))).toBe(last + 1);
  expect(names).toContain('.git/refs/heads');
  expect(names).toContain('page.md');
  expect(names).not.toContain('.git/index.lock');
});
