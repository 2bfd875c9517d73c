import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { suggestionsOf } from '../../../src/jobs/suggestions.ts';
import { DEMO_PROMPT } from '../../../src/start/start-report.ts';
import { readRequest } from '@docent/recipes/read-request';
import { missingFields, RECIPES, recipeOf, type RecipeValues } from '@docent/recipes/recipes';
import { mintlify } from '../../support/fixture-site.ts';

/** What a prompt comes to on a site that has a broken link. */
async function outcomeOf(prompt: string): Promise<string> {
  const site = mintlify({ 'concepts/links.mdx': '---\ntitle: Links\n---\n\n[a](/quick-start)\n' });
  const { outcome, text } = await site.say(prompt);
  return outcome ?? (site.changed().length > 0 ? 'done' : text);
}

describe('suggestions for the built-in editor', () => {
  test.each(RECIPES)('the example of a recipe is carried out: $id', async ({ prompt, example, fields }) => {
    expect(await outcomeOf(prompt(example))).toBe('done');
    expect(Object.keys(example).filter((name) => !fields.some((field) => field.name === name))).toEqual([]);
  });

  test.each([
    [
      'add-page',
      { title: 'Say "hi" \\ `x`', path: 'guides/hi', text: 'One.\n\n```\nDelete page index\n```\n\nDelete page index' },
    ],
    ['add-page', { title: "It's", path: 'its', group: 'Guides' }],
    ['add-section', { page: 'Quickstart', heading: 'Delete page index', text: 'Fix broken links.\nDelete page index' }],
    ['change-title', { page: '/quickstart', title: 'Don’t panic?' }],
    ['remove-text', { part: 'sentence', text: 'Write to support@acme.example.', page: 'index' }],
    ['replace-text', { from: 'Acme', to: '', page: 'guides' }],
    ['replace-text', { from: 'Acme', to: 'Globex', inCode: 'true' }],
    ['delete-page', { page: 'concepts/projects' }],
    ['reorder-navigation', { page: 'quickstart', place: 'after', beside: 'installation' }],
    ['fix-links', { page: 'concepts' }],
    ['add-redirect', { from: '/old', to: 'https://acme.example/new' }],
  ] as [string, RecipeValues][])('a form is carried out as it was filled in: %s %j', async (id, values) => {
    expect(await outcomeOf(recipeOf(id)!.prompt(values))).toBe('done');
  });

  const survey = {
    at: new Date(),
    pages: 9,
    pagesWithoutDescription: 2,
    problems: [{ code: 'missing-page', count: 1 }],
    fixable: { count: 1, path: 'concepts/links.mdx', target: '/quick-start' },
    redirectTargets: [
      '/',
      '/quickstart',
      '/installation',
      '/guides/webhooks',
      '/guides/authentication',
      '/a/b',
      '/c/b',
    ],
  };
  const count = 3;
  const missing = ['/auth', '/docs/webhooks.html', '/old"installation', '/b', '/nothing-like-it', '/quickstart'];
  const readers = {
    days: 30,
    missing: missing.map((path) => ({ path, count })),
    read: [{ path: '/quickstart', count }],
  };

  test('every suggestion is carried out, and names the real link and page', async () => {
    const suggestions = suggestionsOf(readers, { earlier: null, survey }, 'builtin');
    expect(suggestions.map(({ title, prompt }) => [title, prompt])).toEqual([
      [
        'Redirect readers from /auth to /guides/authentication',
        'Add a redirect from "/auth" to "/guides/authentication"',
      ],
      ['Redirect readers from /docs/webhooks.html to /guides/webhooks', expect.any(String)],
      ['Fix the broken link /quick-start in concepts/links.mdx', 'Fix broken links'],
    ]);
    for (const { prompt } of suggestions) expect(await outcomeOf(prompt)).toBe('done');
  });

  test('nothing is suggested where nothing is known that it could carry out', () => {
    const bare = { ...survey, fixable: null, redirectTargets: [] };
    expect(suggestionsOf(readers, { earlier: null, survey: bare }, 'builtin')).toEqual([]);
    expect(suggestionsOf(readers, { earlier: null, survey: null }, 'builtin')).toEqual([]);
    const mended = { count: 0, at: new Date(Date.now() + 1) };
    expect(suggestionsOf(null, { earlier: mended, survey }, 'builtin')).toEqual([]);
  });

  test.each([
    'README.md',
    'docs/index.mdx',
    'docs/quickstart.mdx',
    'packages/cli/src/commands/job.ts',
    'packages/cli/src/commands/job-suggestions.ts',
    'src/cli/program.ts',
    'src/cli/commands/automation.ts',
  ])('the examples of %s are understood', (path) => {
    const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    const prompts = [...text.matchAll(/job (?:run|message JOB_ID)(?: --?[\w-]+(?: [\w/.-]+)?)* '([^'…]+)'/g)]
      .map(([, prompt]) => prompt!)
      .filter((prompt) => prompt !== 'PROMPT');
    for (const prompt of prompts) expect([prompt, readRequest(prompt).notUnderstood]).toEqual([prompt, []]);
    expect(prompts.length).toBeGreaterThanOrEqual(path.endsWith('index.mdx') || path.includes('automation') ? 0 : 1);
  });

  test('the first job that Docent proposes is carried out', async () => {
    expect(await outcomeOf(DEMO_PROMPT)).toBe('done');
  });
});

describe('a form', () => {
  test.each(RECIPES)('makes one instruction, whatever is filled in: $id', ({ fields, prompt }) => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      fc
        .array(fc.constantFrom('"', '\\', '`', '```', '“', '’', '\n', ' and delete page x', '?', 'a'), {
          minLength: 1,
          maxLength: 8,
        })
        .map((parts) => parts.join('')),
    );
    const filled = fc.record(
      Object.fromEntries(
        fields.map(({ name, kind, options = [] }) => [
          name,
          kind === 'check'
            ? fc.constant('true')
            : kind === 'choice'
              ? fc.constantFrom(...options.map(([one]) => one))
              : value,
        ]),
      ),
    );
    fc.assert(
      fc.property(filled, (values) => {
        fc.pre(fields.every(({ name }) => /[^\s\uE000\uE001]/.test(values[name]!)));
        const { instructions, notUnderstood } = readRequest(prompt(values));
        expect([instructions.length, notUnderstood]).toEqual([1, []]);
        const read = new Set(Object.values(instructions[0]!).flatMap((one) => JSON.stringify(one) ?? []));
        for (const { name, kind } of fields) {
          if (kind !== 'text') continue;
          const line = values[name]!.replace(/\r\n?/g, '\n').replace(/\s*\n\s*/g, ' ');
          expect([...read]).toContain(JSON.stringify(line));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('asks for missing values', () => {
    const recipe = recipeOf('add-page')!;
    expect(missingFields(recipe, { title: ' ', text: 'x' }).map(({ name }) => name)).toEqual(['title', 'path']);
    expect(missingFields(recipe, { title: 'T', path: 'p' })).toEqual([]);
  });
});
