import { describe, expect, test } from 'vitest';
import { changedBlocks } from '../../../packages/dashboard/src/pages/changes/preview/changed-blocks.ts';
import { arranged, type Drawn } from '../../../packages/dashboard/src/pages/changes/preview/arrange.ts';
import { tokensOf } from '../../../packages/dashboard/src/pages/changes/preview/html-tokens.ts';
import { parsePage } from '../../../packages/dashboard/src/pages/changes/preview/parse.ts';
import { changedWords } from '../../../packages/dashboard/src/pages/changes/changed-words.ts';
import { HOSTILE_MD } from '../../support/browser/hostile-pages.ts';
import { processorMs } from '../../support/processor-time.ts';

/** Names of the elements that would be drawn, and what is in them. */
function outline(nodes: readonly Drawn[]): unknown[] {
  return nodes.map((node) =>
    node.type === 'element' && 'of' in node ? [node.name, ...outline(node.children)] : node.type,
  );
}

describe('a page as readers see it', () => {
  test('a container has the content between its marks, even after a list', () => {
    const page = parsePage(':::tip[Mind]\n- one\n- two\n:::\n\nAfter.\n', 'a.md');
    const [box, after] = arranged(page.tree.children ?? [], page);
    expect(outline([box!])).toEqual([['tip', 'list']]);
    expect(box).toMatchObject({ attributes: [['title', 'Mind']] });
    expect(after?.type).toBe('paragraph');
  });

  test('marks in code are code', () => {
    const page = parsePage('```\n:::note\nimport x\n```\n', 'a.mdx');
    expect(page.tree.children?.[0]).toMatchObject({ type: 'code', value: ':::note\nimport x' });
  });

  test('shows invalid MDX as Markdown, and names the line', () => {
    const page = parsePage('# A\n\n<Card>\n\nText\n', 'a.mdx');
    expect(page.problem?.reason).toContain('Card');
    expect(page.tree.children?.[0]?.type).toBe('heading');
    expect(parsePage('# A\n\n<Card>\n\nText\n\n</Card>\n', 'a.mdx').problem).toBeNull();
  });

  test('imports are distinguished from text, and the title is of the front matter', () => {
    const page = parsePage('---\ntitle: "A \\"B\\""\n---\n\nimport X from "y"\n\nText\n', 'a.mdx');
    expect(page.code).toEqual([{ line: 5, text: 'import X from "y"' }]);
    expect(page.title).toBe('A "B"');
  });

  test('of a page in which one paragraph changed, that paragraph is marked', () => {
    const [before, after] = ['A\n\n<Note>\n  B\n</Note>\n', 'A\n\n<Note>\n  C\n</Note>\n'].map((t) =>
      parsePage(t, 'a.mdx'),
    );
    const changed = [...changedBlocks(before!, after!)];
    expect(changed.map(({ type }) => type)).toEqual(['paragraph', 'paragraph']);
  });

  test('hostile HTML is read in time', () => {
    for (const text of ['<a '.repeat(20_000), '<a "'.repeat(15_000), '<script>'.repeat(5_000), HOSTILE_MD])
      expect(processorMs(() => tokensOf(text))).toBeLessThan(5_000);
    expect(tokensOf('<script><b></script>x').map(({ kind }) => kind)).toEqual(['whole', 'text']);
  });
});

const line = (kind: 'add' | 'del', text: string) => ({ kind, text, old: 1, now: 1 });

test('marks the words that changed in a line', () => {
  const [old, now] = [line('del', 'See the old guide.'), line('add', 'See the new guide.')];
  expect(changedWords([old, now]).get(now)).toEqual([[8, 11]]);
});
