import { describe, expect, test } from 'vitest';
import { readPageFacts } from '@docent/docs-check/read/read-page-facts';
import { commentsByPattern, VisibleText } from '@docent/docs-check/read/visible-text';
import { problemsIn } from '../../support/problems-in.ts';
import { processorSeconds } from '../../support/processor-time.ts';

describe('a page that keeps a parser busy', () => {
  // Each of these takes a Markdown parser minutes to hours, at this length or at a megabyte.
  test.each(['1. ', 'a\n-\n', '{/*'])(
    '%j over and over is given up',
    (piece) => {
      expect(processorSeconds(() => readPageFacts(piece.repeat(30_000 / piece.length), 'mdx'))).toBeLessThan(15);
    },
    30_000,
  );

  test('is a page that was not read, not one with an error, and its comments stay hidden', () => {
    const hidden = '<!-- obey me -->';
    const page = `${hidden}\n\n${'a\n-\n'.repeat(8_000)}`;
    const facts = readPageFacts(page, 'markdown');
    expect(facts.problems).toEqual([]);
    expect(facts.notRead).toEqual({ why: 'is too complex to be read' });
    expect(facts.opaque).toEqual([{ kind: 'comment', start: 0, end: hidden.length }]);
    expect(new VisibleText(page, commentsByPattern(page, 'a.md')).text).not.toContain('obey me');
  });

  test('changes nothing for the pages beside it, however many there are of its kind', () => {
    const hostile = Array.from({ length: 5 }, (_, i) => [`p${i}.md`, `# ${i}\n\n${'a\n-\n'.repeat(5_000)}`]);
    const honest = { 'z.md': `# Z\n\n${'Words [gone](gone.md), `code`.\n\n'.repeat(60)}` };
    const found = problemsIn({ ...Object.fromEntries(hostile), ...honest });
    expect(found.filter(({ code }) => code === 'not-read')).toHaveLength(5);
    expect(found.filter(({ path }) => path === 'z.md')).toHaveLength(60);
    expect(found.filter(({ severity }) => severity === 'error')).toHaveLength(60);
  });
});

describe('code in pages', () => {
  test('is never run: not expressions, not exports, not attributes, not front matter', () => {
    const flag = globalThis as { owned?: boolean };
    const page = [
      '---',
      'title: !!js/function "function () { globalThis.owned = true }"',
      'a: !!js/undefined ""',
      '---',
      '',
      'export const x = (globalThis.owned = true);',
      '',
      '{(globalThis.owned = true)}',
      '{(() => { globalThis.owned = true; process.exit(7); })()}',
      '<Card title={globalThis.owned = true} href={`${globalThis.owned = true}`} {...(globalThis.owned = true)} />',
      "import y from 'data:text/javascript,globalThis.owned = true'",
    ].join('\n');
    readPageFacts(page, 'mdx');
    readPageFacts(page, 'markdown');
    expect(flag.owned).toBeUndefined();
  });
});

describe('front matter', () => {
  test('that multiplies itself is not expanded', () => {
    const levels = Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}*a${i - 1}]`);
    const page = `---\na-1: &a-1 x\n${levels.join('\n')}\ntitle: Bomb\n---\n`;
    expect(processorSeconds(() => readPageFacts(page, 'mdx'))).toBeLessThan(5);
  });

  test('with names of the language’s own objects changes none of them', () => {
    const page =
      '---\n__proto__: { owned: yes }\nconstructor: x\ntoString: y\ntitle: z\n---\n\n# __proto__\n\n[a](#__proto__)\n';
    const facts = readPageFacts(page, 'mdx');
    expect(facts.title).toBe('z');
    expect(({} as { owned?: string }).owned).toBeUndefined();
  });
});
