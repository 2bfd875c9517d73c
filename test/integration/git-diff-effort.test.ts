import { expect, test } from 'vitest';
import { diffTrees } from '@docent/git/commit/diff-trees';
import { memoryBaseTree } from '@docent/base/files/memory-base-tree';
import { processorMs } from '../support/processor-time.ts';

const lines = (word: string) => Array.from({ length: 20_000 }, (_, i) => `${word} ${i}`).join('\n');
const longFiles = (word: string) => Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`f${i}.md`, lines(word)]));
const page = (first: string) => `${first}\n${'line\n'.repeat(20)}`;

test('diffs of many long texts with nothing in common stop at the limit for effort', () => {
  const [before, after] = [longFiles('old'), longFiles('new')];
  let diff = '';
  const ms = processorMs(() => {
    diff = diffTrees(
      memoryBaseTree({ ...before, 'z.md': page('a') }),
      memoryBaseTree({ ...after, 'z.md': page('b') }),
      10_000_000,
    );
  });
  expect(ms).toBeLessThan(30_000);
  expect(diff.match(/@@ -1,20000 \+1,20000 @@/g)).toHaveLength(4);
  // Three long files use up the effort limit, so the small change is shown as a replaced page.
  expect(diff).toContain('@@ -1,21 +1,21 @@');
});
