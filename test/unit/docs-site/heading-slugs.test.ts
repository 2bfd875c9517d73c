import { describe, expect, test } from 'vitest';
import { pythonSlugger, slugger, vueSlugger, type Slugger } from '@docent/docs-check/read/heading-slug';
import { countingSlugger, distinctIds } from '@docent/docs-check/syntax/mintlify-slug';
import { processorClock } from '../../support/processor-time.ts';

/** Texts of headings on one page, and the ids that the site gives them. */
const CASES: [site: string, make: () => Slugger, cases: [text: string, id: string][]][] = [
  [
    // github-slugger's own fixtures: https://github.com/Flet/github-slugger/blob/main/test/fixtures.json
    'GitHub and Docusaurus',
    slugger,
    [
      ['Helvetica', 'helvetica'],
      ['I ♥ unicode', 'i--unicode'],
      ['Dash-dash', 'dash-dash'],
      ['en–dash', 'endash'],
      ['Node & npm', 'node--npm'],
      ['Über uns', 'über-uns'],
      ['Über uns', 'über-uns-1'],
    ],
  ],
  [
    // https://github.com/meteorlxy/mdit-vue/blob/main/packages/shared/tests/slugify.spec.ts, and markdown-it-anchor's numbering
    'VitePress',
    vueSlugger,
    [
      ['foo bar', 'foo-bar'],
      ['Hello, World!', 'hello-world'],
      ['Peña', 'pena'],
      ['1. Install', '_1-install'],
      ['foo bar', 'foo-bar-1'],
      ['foo bar', 'foo-bar-2'],
      ['公開ベースパスの設定', '公開ベースパスの設定'.normalize('NFKD').replace(/[\u0300-\u036F]/g, '')],
      ['Feature :tada:', 'feature'],
    ],
  ],
  [
    // https://github.com/Python-Markdown/markdown/blob/master/tests/test_extensions.py (slugify, unique, IDCOUNT)
    'MkDocs as it comes',
    pythonSlugger('ascii'),
    [
      ['Hello, World!', 'hello-world'],
      ['žlutý kůň', 'zluty-kun'],
      ['a - b -- c', 'a-b-c'],
      ['Some_Name', 'some_name'],
      ['Hello World', 'hello-world_1'],
      ['Hello World', 'hello-world_2'],
      ['你好', '_1'],
      ['世界', '_2'],
    ],
  ],
  [
    'MkDocs with slugify_unicode',
    pythonSlugger('unicode'),
    [
      ['你好 世界', '你好-世界'],
      ['Über uns', 'über-uns'],
      ['你好 世界', '你好-世界_1'],
    ],
  ],
  [
    // https://facelessuser.github.io/pymdown-extensions/extras/slugs/
    'MkDocs with pymdownx.slugs.slugify(case="lower")',
    pythonSlugger('lower'),
    [
      ['Anchor links -- or even me', 'anchor-links----or-even-me'],
      ['Ärger & Freude', 'ärger--freude'],
    ],
  ],
  ['MkDocs with pymdownx.slugs.slugify', pythonSlugger('case'), [['Some Text', 'Some-Text']]],
];

describe('ids of headings', () => {
  test.each(CASES)(
    'are those of %s, so that a good link is no false alarm and a broken one is found',
    (_, make, cases) => {
      const slug = make();
      expect(cases.map(([text]) => slug(text))).toEqual(cases.map(([, id]) => id));
    },
  );

  test('take linear time for a heading that is repeated often', () => {
    for (const make of [slugger, vueSlugger, pythonSlugger('ascii'), countingSlugger, distinctIds]) {
      const slug = make();
      const taken = processorClock();
      for (let i = 0; i < 30_000; i++) slug('Same');
      expect(taken()).toBeLessThan(5_000);
    }
  });
});
