import { expect, test } from 'vitest';
import { gist } from '../../../packages/dashboard/src/parts/gist.ts';

test.each([
  [
    'Changed nothing\n\nNo recipe matches “x”.\nThe editor only follows [recipes](http://docs/agent/builtin). Add `a.mdx`.',
    'Changed nothing: No recipe matches “x”. The editor only follows recipes. Add a.mdx.',
  ],
  ['See [the page](https://en.wikipedia.org/wiki/X_(y)), **now**.', 'See the page, now.'],
  ['2 * 3 * 4 and an array a[0](1)', '2 * 3 * 4 and an array a0'],
  ['[not a link] (x) and `one', '[not a link] (x) and `one'],
  ['', ''],
])('a summary is readable in one line: %j', (markdown, line) => {
  expect(gist(markdown)).toBe(line);
});
