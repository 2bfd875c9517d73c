import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FORBIDDEN } from '../../scripts/prose/rules.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * Words that are no longer used, as patterns of whole words, and what docs/reference/glossary.mdx says
 * instead.
 */
const REPLACED: Record<string, string> = {
  'adopt(?:s|ed|ion)?': 'takeover',
  '(?:counts?|counted|out) anew': 'recompute',
  '(?:door)?bells?': 'outbox, or signal',
  'mend(?:s|ed|er|ing)?': 'repair, or fix',
  'rela(?:y|ys|id)': 'rebase',
  'roll ?ups?': 'presence',
  'rang|rung': 'signalled',
  'sweep(?:s|er|ing)?|swept': 'garbage collection',
  'troubled?s?': 'problem, or retry',
};
const PATTERNS = Object.entries(REPLACED).map(([old, now]) => [new RegExp(`\\b(?:${old})\\b`, 'i'), now] as const);

/** Most lines have none of them. */
const ANY = new RegExp(`\\b(?:${Object.keys(REPLACED).join('|')})\\b`, 'i');

/** What keeps the glossary's words. */
const CLEAN = [
  '*.md',
  'openapi.yaml',
  'packages/client/README.md',
  'docs/**/*.{mdx,json,svg}',
  'src/**/*.ts',
  'packages/*/src/**/*.ts',
];

/** `jobBell` and `job_bell` hold the word as well. */
const wordsOf = (line: string) => line.replace(/([a-z0-9])(?=[A-Z])/g, '$1 ').replaceAll(/[_-]/g, ' ');

test('each thing has one name, and its old names are gone', () => {
  const found = globSync(CLEAN, { cwd: ROOT }).flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, i) => {
        const words = wordsOf(line);
        if (!ANY.test(words)) return [];
        return PATTERNS.flatMap(([old, now]) => {
          const said = old.exec(words);
          return said ? [`${file}:${i + 1}: "${said[0]}" is now ${now}`] : [];
        });
      }),
  );
  expect(found).toEqual([]);
});

/** Texts for users outside of docs/, which `scripts/prose.ts` does not read. */
const TEXTS = ['openapi.yaml', 'packages/dashboard/src/text.ts', 'packages/dashboard/src/pages/*/text.ts'];

test('the dashboard and the API description keep the language rules of the docs', () => {
  const found = globSync(TEXTS, { cwd: ROOT }).flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        FORBIDDEN.flatMap(({ pattern, instead }) => {
          const said = pattern.exec(line.replaceAll(/`[^`]*`|enum: .*|^ *upkeep: /g, ''));
          return said ? [`${file}:${i + 1}: "${said[0]}": ${instead}`] : [];
        }),
      ),
  );
  expect(found).toEqual([]);
});

/** The comments of a source file, and the names of its tests. */
const PROSE = [/^\s*(?:\/\/|\/?\*)(.*)$/, /^\s*(?:test|describe|it)\b[^'"`]*\((['"`])(?<name>.*?)\1,/];
const FORBIDDEN_ANY = new RegExp(FORBIDDEN.map(({ pattern }) => pattern.source).join('|'), 'i');

test('comments and test names keep the language rules of the docs', () => {
  const sources = ['{src,test,scripts}/**/*.{ts,tsx}', 'packages/*/src/**/*.{ts,tsx}'];
  const found = globSync(sources, { cwd: ROOT, exclude: ['**/generated/**'] }).flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, i) => {
        const prose = PROSE.map((pattern) => pattern.exec(line)).find((match) => match !== null);
        const text = (prose?.groups?.name ?? prose?.[1] ?? '').replaceAll(/`[^`]*`/g, '');
        if (!FORBIDDEN_ANY.test(text)) return [];
        return FORBIDDEN.flatMap(({ pattern, instead }) => {
          const said = pattern.exec(text);
          return said ? [`${file}:${i + 1}: "${said[0]}": ${instead}`] : [];
        });
      }),
  );
  expect(found).toEqual([]);
});
