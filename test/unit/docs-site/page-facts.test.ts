import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPageFacts } from '@docent/docs-check/read/read-page-facts';
import { times } from '../../support/how-often.ts';
import { processorMs } from '../../support/processor-time.ts';

const linksOf = (text: string, format: 'markdown' | 'mdx') =>
  readPageFacts(text, format).links.map(({ kind, target, start, end }) => [kind, target, text.slice(start, end)]);

describe('the facts of a page', () => {
  test('are its links, with the exact place of each target', () => {
    const text =
      '\uFEFF# T\r\n\r\n[a](/a "t") [b](<b c.md>) ![i](i%20j.png)\r\n> - [c]\r\n\r\n[c]: ./c.md#x\r\n\r\n<Card href="/d?e=1&amp;f" img={\'/g.png\'} icon="/h.svg" title="/no" />\r\n\r\n<a href={`/i`}>x</a> https://e.x `[n](/n)`\r\n\r\nimport S from "/s.mdx"\r\n';
    expect(linksOf(text, 'mdx')).toEqual([
      ['link', '/a', '/a'],
      ['link', 'b c.md', 'b c.md'],
      ['image', 'i%20j.png', 'i%20j.png'],
      ['link', './c.md#x', './c.md#x'],
      ['link', '/d?e=1&f', '/d?e=1&amp;f'],
      ['image', '/g.png', '/g.png'],
      ['image', '/h.svg', '/h.svg'],
      ['link', '/i', '/i'],
      ['autolink', 'https://e.x', 'https://e.x'],
      ['import', '/s.mdx', '/s.mdx'],
    ]);
  });

  test('include the HTML of Markdown, however sloppy', () => {
    const text =
      '<p><img src=a.png><A HREF=\'b.md\'>x</a>\n\n<!-- <a href="no"> -->\n\nText <a id=here name="old" href="c.md">\n\n<table><td><img src="d.png\n';
    expect(linksOf(text, 'markdown').map(([, target]) => target)).toEqual(['a.png', 'b.md', 'c.md']);
    expect(readPageFacts(text, 'markdown').anchors).toEqual(['here']);
  });

  test('are its headings, with the ids that sites give them', () => {
    const text =
      '# Hello, *World* & `code`\n\n## Twice\n\n## Twice\n\n## Own {#my-id}\n\nSet\n---\n\n### Größe 日本\n\n```\n# no\n```\n';
    const { headings, title } = readPageFacts(text, 'mdx');
    expect(headings.map(({ slug }) => slug)).toEqual([
      'hello-world--code',
      'twice',
      'twice-1',
      'my-id',
      'set',
      'größe-日本',
    ]);
    expect(title).toBe('Hello, World & code');
    expect(headings[3]).toMatchObject({ text: 'Own', line: 7 });
  });

  test('are the ids of components', () => {
    const { anchors } = readPageFacts(
      '<Accordion title="What is it?" />\n\n<ParamField path="user.name" />\n\n<div id="x" />\n',
      'mdx',
    );
    expect(anchors).toEqual(expect.arrayContaining(['what-is-it', 'param-user-name', 'x']));
  });

  test('distinguish code, comments and markup from prose', () => {
    const text =
      '---\ntitle: T\nicon: i\n---\n\nA `b` {/* c */} {d} <E f="g" title="h">i</E>\n\n    j\n\n```k\nl\n```\n';
    const { opaque } = readPageFacts(text, 'mdx');
    const shown = opaque.map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);
    expect(shown).toEqual([
      'markup ---\ntitle: ',
      'markup \nicon: i\n---',
      'code `b`',
      'comment {/* c */}',
      'markup {d}',
      'markup <E f="g" title="',
      'markup ">',
      'markup </E>',
      'code ```k\nl\n```',
    ]);
  });

  test.each([
    ['an open tag', '# a\n\n<Card>\n', 'mdx', 'syntax', 3],
    ['a stray brace', '# a\n\nb {c\n', 'mdx', 'syntax', 3],
    ['an HTML comment', 'a\n\n<!-- b -->\n', 'mdx', 'syntax', 3],
    ['a broken import', 'import x from\n', 'mdx', 'syntax', 2],
    ['front matter that is no YAML', '---\ntitle: a: b\n---\n', 'markdown', 'front-matter', 2],
    ['a key twice', '---\ntitle: a\ntitle: b\n---\n', 'markdown', 'front-matter', 3],
    ['front matter that is a list', '---\n- a\n---\n', 'markdown', 'front-matter', 2],
    ['front matter without an end', '---\ntitle: a\n\n# b\n', 'markdown', 'front-matter', 1],
  ] as const)('name what is wrong and where: %s', (_, text, format, kind, line) => {
    expect(readPageFacts(text, format).problems).toMatchObject([{ kind, line }]);
  });

  test.each(['# a\n', '---\n\n# a rule above\n', 'a: b\n', '---\n---\n', '', '<br>\n\na < b {c}\n'])(
    'find nothing wrong with %j',
    (text) => {
      expect(readPageFacts(text, 'markdown').problems).toEqual([]);
    },
  );

  test('still hold what can be seen if a page does not parse', () => {
    expect(linksOf('[a](/a)\n\n<Card>\n', 'mdx')).toEqual([['link', '/a', '/a']]);
  });

  test('point into the text, whatever it is, and never overlap', () => {
    const piece = fc.constantFrom(
      '[a](/b)',
      '<A href="/c">',
      '</A>',
      '`d`',
      '```\n',
      '\n\n',
      '> ',
      '- ',
      '{e}',
      '<!-- f -->',
      '{/* g */}',
      '# h',
      '---\n',
      'title: x\n',
      '&amp;',
      '\r\n',
      '![i](<j k>)',
      '[l]: /m\n',
      '😀',
      '\\',
      '|',
      '*',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom('mdx', 'markdown'), (pieces, format) => {
        const text = pieces.join('');
        const { links, opaque, headings } = readPageFacts(text, format);
        for (const { start, end } of [...links, ...opaque, ...headings]) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(start).toBeLessThanOrEqual(end);
        }
        for (const [i, { start }] of opaque.entries())
          if (i > 0) expect(start).toBeGreaterThanOrEqual(opaque[i - 1]!.end);
        for (const { start, end, target } of links) {
          if (/^\/[a-z]$|^j k$/.test(target)) expect(text.slice(start, end)).toBe(target);
        }
      }),
      { numRuns: times(60) },
    );
  });

  test.each([
    ['quotes in quotes', '> '.repeat(5_000)],
    ['lists in lists', Array.from({ length: 600 }, (_, i) => `${' '.repeat(2 * i)}- x`).join('\n')],
    ['brackets', '['.repeat(30_000)],
    ['stars', '*'.repeat(50_000)],
    ['tags', '<A>'.repeat(2_000)],
    ['braces', '{'.repeat(30_000)],
    ['a line', 'a'.repeat(300_000)],
    ['a table', `${'|a'.repeat(2_000)}\n${'|-'.repeat(2_000)}\n`],
    ['a book', '## H\n\ntext `c` [a](/b) <Card href="/x">y</Card>\n\n'.repeat(300)],
    ['comments', '<!--'.repeat(6_000)],
    [
      'YAML aliases',
      `---\na: &a [x]\n${Array.from({ length: 40 }, (_, i) => `b${i}: &b${i} [*a, *a, *a]`).join('\n')}\n---\n`,
    ],
  ])('take a moment for hostile %s', (_, text) => {
    for (const format of ['markdown', 'mdx'] as const)
      expect(processorMs(() => readPageFacts(text, format))).toBeLessThan(2_000);
  });
});
