import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffView } from '../../../src/api/pages/diff-view.ts';
import { markup } from '../../../src/api/pages/html.ts';
import { STYLE } from '../../../src/api/pages/style.ts';
import { renderMarkdown } from '../../../src/api/pages/markdown.ts';
import { parseUnifiedDiff } from '../../../src/api/pages/unified-diff.ts';
import { processorMs } from '../../support/processor-time.ts';

const shown = (content: Parameters<typeof markup>[1]) => markup`${content}`.text;

describe('markup', () => {
  test('escapes everything that it did not build itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(markup`<p title="${text}">${text}</p>`.text.replaceAll(/<p title="|">|<\/p>/g, '')).not.toMatch(
          /[<>"']/,
        );
      }),
    );
    expect(markup`<p>${markup`<b>${'<i>'}</b>`}${[1, null, false, undefined]}</p>`.text).toBe(
      '<p><b>&lt;i&gt;</b>1</p>',
    );
  });
});

describe('descriptions', () => {
  test('show headings, lists, code, bold and links', () => {
    const text = [
      '# One',
      '',
      'A **b** `c` [d](https://e.example/f) https://g.example',
      'h',
      '',
      '- i',
      '  j',
      '* k',
      '```sh',
      '**l**',
      '',
      '```',
      'm',
    ].join('\n');
    expect(shown(renderMarkdown(text))).toBe(
      '<h3>One</h3>' +
        '<p class="plain">A <strong>b</strong> <code>c</code> <a href="https://e.example/f" rel="noreferrer nofollow">d</a> ' +
        '<a href="https://g.example" rel="noreferrer nofollow">https://g.example</a>\nh</p>' +
        '<ul><li class="plain">i\nj</li><li class="plain">k</li></ul>' +
        '<pre><code>**l**\n</code></pre><p class="plain">m</p>',
    );
  });

  test('show what a person asked for as a quotation, and rules between parts', () => {
    expect(shown(renderMarkdown('> a **b**\n>\n>   > c\nd\n\n---\n***\ne\n---'))).toBe(
      '<blockquote class="plain">a <strong>b</strong>\n\n  &gt; c</blockquote><p class="plain">d</p><hr><hr><p class="plain">e\n---</p>',
    );
  });

  test('leave out comments and show an unclosed block', () => {
    expect(shown(renderMarkdown('<!-- docent:start -->\na\n<!-- docent:end -->'))).toBe('<p class="plain">a</p>');
    expect(shown(renderMarkdown('~~~\ncode'))).toBe('<pre><code>code</code></pre>');
    expect(shown(renderMarkdown('<!-- a --> <b>'))).toContain('&lt;b&gt;');
  });

  test('contain no element and no address but those', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '`',
      '**',
      '[',
      ']',
      '(',
      ')',
      'javascript:x',
      'https://a.b/c',
      '\n',
      '# ',
      '- ',
      '```',
      '> ',
      '---',
      'data:',
      ' ',
      'x',
      '<!--',
      '-->',
      '&',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = shown(renderMarkdown(parts.join('')));
        const tags = text.match(/<[^>]*>/g) ?? [];
        for (const tag of tags) {
          expect(tag).toMatch(
            /^<(?:\/?(?:h3|ul|pre|code|strong|p|li|a|blockquote|hr)|(?:p|li|blockquote) class="plain"|a href="https?:\/\/[^"<>\s]*" rel="noreferrer nofollow")>$/,
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['many openings', '['.repeat(90_000)],
    ['many stars', '**'.repeat(45_000)],
    ['many links', '[a](https://'.repeat(8_000)],
    ['many comments', '<!--'.repeat(22_000)],
    ['many quotes', '>'.repeat(90_000)],
    ['one long line', 'x'.repeat(3_000_000)],
  ])('take seconds at most over %s', (_what, text) => {
    expect(processorMs(() => renderMarkdown(text))).toBeLessThan(5_000);
  });
});

describe('diffs', () => {
  const DIFF = `diff --git a/docs/old name.mdx b/docs/new name.mdx
similarity index 90%
rename from docs/old name.mdx
rename to docs/new name.mdx
index 111..222 100644
--- a/docs/old name.mdx
+++ b/docs/new name.mdx
@@ -1,3 +1,4 @@ heading
 one
--- two
+++ two
+three

\\ No newline at end of file
diff --git a/new.mdx b/new.mdx
new file mode 100644
index 000..333
--- /dev/null
+++ b/new.mdx
@@ -0,0 +1 @@
+x
diff --git a/gone.mdx b/gone.mdx
deleted file mode 100644
--- a/gone.mdx
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/logo.png b/logo.png
index 1..2 100644
Binary files a/logo.png and b/logo.png differ
The diff was cut here.
`;

  test('are read file by file, with counts and line numbers', () => {
    const { files } = parseUnifiedDiff(DIFF);
    expect(
      files.map(({ path, from, change, additions, deletions }) => ({ path, from, change, additions, deletions })),
    ).toEqual([
      { path: 'docs/new name.mdx', from: 'docs/old name.mdx', change: 'moved', additions: 2, deletions: 1 },
      { path: 'new.mdx', from: null, change: 'added', additions: 1, deletions: 0 },
      { path: 'gone.mdx', from: null, change: 'deleted', additions: 0, deletions: 1 },
      { path: 'logo.png', from: null, change: 'changed', additions: 0, deletions: 0 },
    ]);
    expect(files[0]?.hunks[0]?.lines).toEqual([
      { kind: 'same', text: 'one', old: 1, now: 1 },
      { kind: 'del', text: '-- two', old: 2, now: null },
      { kind: 'add', text: '++ two', old: null, now: 2 },
      { kind: 'add', text: 'three', old: null, now: 3 },
      { kind: 'same', text: '', old: 3, now: 4 },
      { kind: 'note', text: 'No newline at end of file', old: null, now: null },
    ]);
    expect(files[3]?.notes).toEqual(['A binary file.', 'The diff was cut here.']);
  });

  test('no text breaks the reader or the view', () => {
    const lines = fc.constantFrom(
      'diff --git a/x b/x',
      'diff --git ',
      '@@ -1 +1 @@',
      '@@ -1,9 +1,9 @@',
      '@@',
      '+',
      '-',
      ' ',
      '',
      '\\ x',
      '--- a/x',
      '+++ /dev/null',
      'rename to ',
      '<b>',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(lines, fc.string({ unit: 'binary' }))), (parts) => {
        const { files } = parseUnifiedDiff(parts.join('\n'));
        expect(diffView(files).text).not.toContain('<b>');
      }),
    );
  });

  test('a diff of a million lines is shown in part, and says so', () => {
    const body = '+x\n'.repeat(30_000);
    const { files } = parseUnifiedDiff(`diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1,30000 @@\n${body}`);
    const view = diffView(files).text;
    expect(view).toContain('25000 more lines are not shown here.');
    expect(view.match(/<tr class="add">/g)).toHaveLength(5_000);
    expect(view).not.toContain(' open>');
  });
});

/** WCAG 2.2: relative luminance. */
const light = (hex: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const colours = (css: string) =>
  new Map([...css.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, a = '', b = '']) => [a, b]));

/** WCAG 2.2, 1.4.3: the contrast of two colours. */
function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [light(one), light(other)].toSorted((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

test('everything can be read, by day and by night: contrast is 4.5 to 1 or more', () => {
  const [day = '', night = ''] = STYLE.split('@media (prefers-color-scheme: dark)');
  const byDay = colours(day);
  const byNight = new Map([...byDay, ...colours(night)]);
  expect([byDay.size, colours(night).size > 10]).toEqual([byDay.size, true]);
  const white = '#ffffff';
  for (const at of [byDay, byNight]) {
    const of = (name: string) => at.get(name) ?? name;
    const pairs = [
      ...['badge-open', 'badge-merged', 'badge-closed'].map((back) => [white, of(back)]),
      ...['text', 'soft', 'link', 'open', 'closed', 'mark'].flatMap((ink) => [
        [of(ink), of('bg')],
        [of(ink), of('panel')],
      ]),
      ...['add', 'del', 'hunk', 'ok', 'bad'].map((back) => [of('text'), of(back)]),
      ...['add-no', 'del-no', 'hunk', 'ok', 'bad'].map((back) => [of('soft'), of(back)]),
      ...['add', 'del'].map((back) => [of('mark'), of(back)]),
    ] as [string, string][];
    for (const [ink, back] of pairs) expect(contrast(ink, back), `${ink} on ${back}`).toBeGreaterThanOrEqual(4.5);
  }
});
