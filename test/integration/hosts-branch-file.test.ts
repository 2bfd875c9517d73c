import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { branchInFiles } from '../../src/code-hosts/local/branch-file.ts';
import { commitFiles, git, makeBare, makeWorkTree, temporaryFolder } from '../support/git-fixture.ts';

let folder: ReturnType<typeof temporaryFolder>;
let work: string;
let bare: string;

beforeEach(() => {
  folder = temporaryFolder();
  work = path.join(folder.path, 'work');
  bare = path.join(folder.path, 'docs.git');
  makeWorkTree(work, { 'index.mdx': 'one\n' });
  makeBare(work, bare);
});
afterEach(() => folder.remove());

test("returns git's answer for a branch that is packed, loose, or both", async () => {
  for (const repository of [work, bare]) {
    const tip = () => git(repository, 'rev-parse', 'refs/heads/docs/täglich');
    git(repository, 'branch', 'docs/täglich', 'main');
    expect(await branchInFiles(repository, 'docs/täglich')).toBe(tip());
    git(repository, 'pack-refs', '--all');
    expect(await branchInFiles(repository, 'docs/täglich')).toBe(tip());
    const next = commitFiles(work, { 'index.mdx': `${repository}\n` });
    git(work, 'push', '-q', '-f', bare, 'main');
    git(repository, 'branch', '-f', 'docs/täglich', next);
    expect(await branchInFiles(repository, 'docs/täglich')).toBe(next);
    git(repository, 'branch', '-D', 'docs/täglich');
    expect(await branchInFiles(repository, 'docs/täglich')).toBeNull();
  }
});

test('leaves symbolic and damaged branches, linked work trees and other folders to git', async () => {
  const tip = git(work, 'rev-parse', 'main');
  git(work, 'branch', 'there', 'main');
  git(work, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/there');
  writeFileSync(path.join(work, '.git', 'refs', 'heads', 'damaged'), tip.slice(0, 20));
  git(work, 'worktree', 'add', '-q', path.join(folder.path, 'linked'), 'there');
  expect(await branchInFiles(work, 'there')).toBe(tip);
  expect(await branchInFiles(work, 'alias')).toBeNull();
  expect(await branchInFiles(work, 'damaged')).toBeNull();
  expect(await branchInFiles(path.join(folder.path, 'linked'), 'there')).toBeNull();
  expect(await branchInFiles(folder.path, 'there')).toBeNull();
  renameSync(work, `${work}-moved`);
  expect(await branchInFiles(work, 'there')).toBeNull();
  for (const name of ['../../HEAD', '..', '', 'a//b', 'a\0b', '.hidden']) {
    expect(await branchInFiles(bare, name)).toBeNull();
  }
});
