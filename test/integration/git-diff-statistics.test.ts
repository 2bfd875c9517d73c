import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDiff } from '@docent/client';
import { afterAll, expect, test } from 'vitest';
import { diffTrees } from '@docent/git/commit/diff-trees';
import type { BaseFile, BaseTree } from '@docent/base/files/base-tree';
import { git, gitWithInput, makeWorkTree } from '../support/git-fixture.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'docent-diff-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Content = string | Buffer;

let trees = 0;

/** A commit of these files, as git has it and as a tree of ours. */
function commitOf(files: Record<string, Content>): { work: string; tree: BaseTree } {
  const work = path.join(folder, `tree-${(trees += 1)}`);
  makeWorkTree(work, files);
  const all: BaseFile[] = git(work, 'ls-tree', '-r', '-z', 'HEAD')
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const [, blobId = '', name = ''] = /^\d+ blob ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
      const content = files[name] ?? '';
      return { path: name, blobId, size: content.length, kind: typeof content === 'string' ? 'text' : 'binary' };
    });
  const byPath = new Map(all.map((file) => [file.path, file]));
  return {
    work,
    tree: {
      commit: git(work, 'rev-parse', 'HEAD').trim(),
      files: () => all,
      file: (name) => byPath.get(name),
      readText: (name) => (typeof files[name] === 'string' ? files[name] : null),
      readLarge: (name) => (typeof files[name] === 'string' ? files[name] : null),
    },
  };
}

/** The tree that git has after it applied the diff to the first commit, and that of the second. */
function applied(before: Record<string, Content>, after: Record<string, Content>) {
  const [from, to] = [commitOf(before), commitOf(after)];
  const diff = diffTrees(from.tree, to.tree);
  gitWithInput(from.work, diff, 'apply', '--index', '--whitespace=nowarn');
  return {
    diff,
    files: readDiff(diff).files.map(({ hunks: _hunks, notes: _notes, ...change }) => change),
    trees: [git(from.work, 'write-tree').trim(), git(to.work, 'rev-parse', 'HEAD^{tree}').trim()],
  };
}

const logo = Buffer.from([0x89, 0x50, 0, 1, 2, 255]);
const icon = Buffer.from([0, 0, 1, 0, 7]);

test('reads what a diff that git applies does to each file', () => {
  const page = '---\ntitle: A\n---\n\nText.\n';
  const { files, trees: [got, wanted] = [] } = applied(
    {
      'a.mdx': page,
      'b.mdx': 'one\ntwo\nthree\n',
      'old name.mdx': 'as it is\n',
      'gone.mdx': '-- a/line\n++ b/line\n',
      'img/logo.png': logo,
      'img/icon.ico': icon,
      'last.mdx': 'no newline',
      'wïrd "x".mdx': 'q\n',
    },
    {
      'a.mdx': page,
      'b.mdx': 'one\n2\nthree\nfour\n',
      'new/name.mdx': 'as it is\n',
      'assets/logo.png': logo,
      'last.mdx': 'no newline\nbut another line',
      'wïrd "x".mdx': 'r\n',
      'fresh.mdx': 'diff --git a/x b/x\n@@ -1 +1 @@\n',
    },
  );
  expect(got).toBe(wanted);
  const told = Object.fromEntries(files.map(({ path: name, ...change }) => [name, change]));
  const plain = { oldPath: null, binary: false };
  expect(told).toEqual({
    'b.mdx': { ...plain, status: 'modified', additions: 2, deletions: 1 },
    'fresh.mdx': { ...plain, status: 'added', additions: 2, deletions: 0 },
    'gone.mdx': { ...plain, status: 'deleted', additions: 0, deletions: 2 },
    'img/icon.ico': { oldPath: null, binary: true, status: 'deleted', additions: 0, deletions: 0 },
    'assets/logo.png': { oldPath: 'img/logo.png', binary: true, status: 'renamed', additions: 0, deletions: 0 },
    'new/name.mdx': { ...plain, oldPath: 'old name.mdx', status: 'renamed', additions: 0, deletions: 0 },
    'last.mdx': { ...plain, status: 'modified', additions: 2, deletions: 1 },
    'wïrd "x".mdx': { ...plain, status: 'modified', additions: 1, deletions: 1 },
  });
});

test('an incomplete diff reports that, and a page with the same text does not', () => {
  const long = Array.from({ length: 400 }, (_, i) => `line ${i}`).join('\n');
  const [from, to] = [commitOf({ 'a.mdx': 'a\n' }), commitOf({ 'a.mdx': `${long}\n`, 'b.mdx': `${long}\n` })];
  expect(readDiff(diffTrees(from.tree, to.tree, 2_000)).isCut).toBe(true);
  expect(readDiff(diffTrees(from.tree, to.tree)).isCut).toBe(false);
  const quoting = commitOf({
    'a.mdx': '... the diff is cut here: 1 more changed file\n... 2 changed parts, too long to show\n',
  });
  expect(readDiff(diffTrees(from.tree, quoting.tree)).isCut).toBe(false);
});
