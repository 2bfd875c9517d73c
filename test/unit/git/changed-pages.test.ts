import { describe, expect, test } from 'vitest';
import { changedPages } from '@docent/git/commit/changed-pages';
import { MAX_READABLE_BYTES, memoryBaseTree, type MemoryFile } from '@docent/base/files/memory-base-tree';

const pagesOf = (before: Record<string, MemoryFile>, after: Record<string, MemoryFile>) =>
  changedPages(memoryBaseTree(before), memoryBaseTree(after));
const paths = (...trees: Parameters<typeof pagesOf>) => pagesOf(...trees).map(({ path }) => path);

const BINARY = Buffer.from([137, 80, 78, 71, 0, 1]);

describe('the pages of a change', () => {
  test('are those that are new, changed, gone and moved, whole, by path', () => {
    const before = { 'b.mdx': 'old\n', 'gone.md': 'gone', 'from.md': 'moved', 'same.md': 'same' };
    const after = { 'b.mdx': 'new\n', 'a/new.MDX': '', 'to.markdown': 'moved', 'same.md': 'same' };
    expect(pagesOf(before, after)).toEqual([
      { path: 'a/new.MDX', before: null, after: '' },
      { path: 'b.mdx', before: 'old\n', after: 'new\n' },
      { path: 'from.md', before: 'moved', after: null },
      { path: 'gone.md', before: 'gone', after: null },
      { path: 'to.markdown', before: null, after: 'moved' },
    ]);
  });

  test('are only pages: no other files, and no changes of mode alone', () => {
    const files = ['a.ts', 'docs.json', 'md', 'a.md.txt', '.md/x', 'logo.png', 'a.mdxx', 'page.md\n'];
    expect(paths({}, Object.fromEntries(files.map((path) => [path, 'x'])))).toEqual([]);
    expect(paths({ 'a.md': 'x' }, { 'a.md': { executable: 'x' } })).toEqual([]);
    expect(paths({ 'a.md': 'x' }, { 'a.md': { executable: 'y' } })).toEqual(['a.md']);
  });

  test.each<[string, MemoryFile]>([
    ['a link', { symlink: '../../etc/passwd' }],
    ['another repository', { submodule: 'a'.repeat(40) }],
    ['binary', BINARY],
    ['no UTF-8', Buffer.from([0x61, 0xff])],
    ['too large to be read', 'x'.repeat(MAX_READABLE_BYTES + 1)],
  ])('leave out one that is %s before or after, which would look as if it were not there', (_what, odd) => {
    const other = { 'other.md': 'x' };
    expect(paths({ 'a.md': odd }, { ...other, 'a.md': 'text' })).toEqual(['other.md']);
    expect(paths({ 'a.md': 'text' }, { ...other, 'a.md': odd })).toEqual(['other.md']);
    expect(paths({ 'a.md': odd }, other)).toEqual(['other.md']);
    expect(paths({}, { ...other, 'a.md': odd })).toEqual(['other.md']);
  });

  test('have 256 K characters at most in either version', () => {
    const [fits, long] = ['x'.repeat(256 * 1024), 'x'.repeat(256 * 1024 + 1)];
    expect(paths({}, { 'a.md': fits })).toEqual(['a.md']);
    expect(paths({}, { 'a.md': long, 'b.md': 'b' })).toEqual(['b.md']);
    expect(paths({ 'a.md': long }, { 'a.md': 'short', 'b.md': 'b' })).toEqual(['b.md']);
    expect(paths({ 'a.md': long }, { 'b.md': 'b' })).toEqual(['b.md']);
  });

  test('have 1 M characters in total, in which a shorter one finds room behind a longer', () => {
    const half = { 'a.md': 'a'.repeat(256 * 1024), 'b.md': 'b'.repeat(256 * 1024) };
    const rest = { 'c.md': 'c'.repeat(256 * 1024), 'd.md': 'd'.repeat(256 * 1024 - 1) };
    expect(paths(half, { ...rest, 'e.md': 'ee', 'f.md': 'f' })).toEqual(['a.md', 'b.md', 'c.md', 'd.md', 'f.md']);
  });

  test('are 200 at most', () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`p${String(i).padStart(3, '0')}.md`, 'x']));
    expect(paths({}, many)).toEqual(Object.keys(many).slice(0, 200));
  });
});
