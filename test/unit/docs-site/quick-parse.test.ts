import * as fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { mdxjs } from 'micromark-extension-mdxjs';
import { expect, test } from 'vitest';
import { parseMarkdown } from '@docent/docs-check/read/markdown-tree';
import type { PageFormat } from '@docent/docs-check/read/page-format';
import { times } from '../../support/how-often.ts';

const GFM = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));

/** As the parser comes, without any short way. */
function slowly(text: string, format: PageFormat): unknown {
  return fromMarkdown(text, {
    extensions: [frontmatter(['yaml', 'toml']), gfm(), ...(format === 'mdx' ? [mdxjs()] : [])],
    mdastExtensions: [
      frontmatterFromMarkdown(['yaml', 'toml']),
      ...GFM,
      ...(format === 'mdx' ? [mdxFromMarkdown()] : []),
    ],
  });
}

/**
 * Without the positions of destinations, which is an addition of ours, and without the trees of code, which
 * are the same parser's.
 */
function plain(tree: unknown): string {
  return JSON.stringify(tree, (key, value: unknown) => (key === 'data' ? undefined : value));
}

const PIECES = [
  'word',
  'words and more',
  'What? (This), that: "it".',
  'é',
  '🎉',
  '\u00a0',
  ' ',
  '  ',
  '\t',
  '    ',
  '\n',
  '\n',
  '\n',
  '\n\n',
  '\n\n',
  '\r\n',
  '\r',
  '\0',
  '- ',
  '* ',
  '1. ',
  '> ',
  '# ',
  '## ',
  '[ ] ',
  '[x] ',
  '| a | b |\n| - | - |\n| c | d |\n',
  '|',
  ' | ',
  '-|-',
  ':-',
  '---',
  '===',
  '```',
  '```js\n',
  '~~~\n',
  'a@b.co',
  'x_y.z@ex.org',
  '@',
  'www.x.yz',
  'WWW.x.yz/a?b',
  'http://x.yz',
  'https://a.b/c_d',
  'xhttp://y.z',
  '://',
  '[a](b)',
  '[a](<b c> "t\nu")',
  '![i](j)',
  '[a][b]',
  '[b]: /c\n',
  '[b]: /c\n"t"\n',
  '[^1]',
  '[^1]: n\n',
  '[',
  ']',
  '*',
  '**',
  '_',
  '~~',
  '`',
  '`c\nd`',
  '\\',
  '&amp;',
  '<b>',
  '</b>',
  '<!-- c -->',
  '<',
  '+',
  '.',
  '---\na: b\n---\n',
];
const MDX_PIECES = [
  '<A b="c">',
  '</A>',
  '<A\n  b="c\n d"\n/>',
  '{1 + 1}',
  '{\n1}',
  'import a from "b"\n',
  'export const a = 1\n',
];

test.each(['markdown', 'mdx'] as const)(
  'no short way of reading %s changes what is found',
  (format) => {
    const pieces = format === 'mdx' ? [...PIECES, ...MDX_PIECES] : PIECES;
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        let expected: unknown;
        try {
          expected = slowly(text, format);
        } catch {
          expect(parseMarkdown(text, format).problem).not.toBeNull();
          return;
        }
        const { root, problem } = parseMarkdown(text, format);
        expect(problem).toBeNull();
        expect(plain(root)).toBe(plain(expected));
      }),
      { numRuns: times(250) },
    );
  },
  120_000,
);
