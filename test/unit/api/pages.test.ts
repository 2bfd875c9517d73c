import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markup } from '@docent/pages/html';
import { STYLE } from '@docent/pages/style';
import { renderMarkdown } from '@docent/pages/markdown';
import { processorMs } from '../../support/processor-time.ts';
import { anyCharacter } from '../../support/any-character.ts';

const shown = (content: Parameters<typeof markup>[1]) => markup`${content}`.text;

describe('markup', () => {
  test('escapes everything that it did not build itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
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

/** WCAG 2.2: relative luminance. */
const light = (hex: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const colors = (css: string) =>
  new Map([...css.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, a = '', b = '']) => [a, b]));

/** WCAG 2.2, 1.4.3: the contrast of two colors. */
function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [light(one), light(other)].toSorted((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

test('everything can be read, by day and by night: contrast is 4.5 to 1 or more', () => {
  const [day = '', night = ''] = STYLE.split('@media (prefers-color-scheme: dark)');
  const byDay = colors(day);
  const byNight = new Map([...byDay, ...colors(night)]);
  expect([byDay.size, colors(night).size > 10]).toEqual([byDay.size, true]);
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
