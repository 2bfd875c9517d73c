import { describe, expect, test } from 'vitest';
import { diffTrees } from '@docent/git/commit/diff-trees';
import { memoryBaseTree } from '@docent/base/files/memory-base-tree';

describe('diffs', () => {
  test('are cut at a file, with a note; a single file that is too long is left out', () => {
    const before = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`f${i}.md`, 'x\n']));
    const after = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`f${i}.md`, `${'y'.repeat(1_000)}\n`]));
    const cut = diffTrees(memoryBaseTree(before), memoryBaseTree(after), 3_500);
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(3_500);
    expect(cut.match(/^diff --git/gm)).toHaveLength(2);
    expect(cut).toMatch(/the diff is cut here: 3 more changed files\n$/);

    const large = Object.fromEntries([['a.md', 'a\n'], ['b.md', 'line\n'.repeat(110_000)], ['c.md', 'c\n']]); // oxfmt-ignore
    const whole = diffTrees(memoryBaseTree({}), memoryBaseTree({ ...large, 'd.md': 'line\n'.repeat(110_000) }));
    expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(1_048_576);
    expect(whole).toContain('+++ b/c.md');
  });

  test('quote paths that would break a line', () => {
    const diff = diffTrees(memoryBaseTree({}), memoryBaseTree({ 'a\n+++ b/.git/config': 'x\n', 'q"uote': 'y\n' }));
    expect(diff).toContain('+++ "b/a\\n+++ b/.git/config"');
    expect(diff).toContain('+++ "b/q\\"uote"');
  });
});
