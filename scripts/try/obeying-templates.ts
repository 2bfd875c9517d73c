import type { Move } from '../../test/support/scripted-models.ts';
import type { AutomationTemplateName } from '../../packages/recipes/src/automation-templates.ts';

/** What a template's model looks for, planted or found before. */
export interface Bait {
  /** A page, and a line of its prose. */
  page: string;
  prose: string;
  /** As paths of the repository. */
  changelog: string | null;
  translation: { original: string; missing: string } | null;
}

type Call = [tool: string, input: Record<string, unknown>];
const MAX_PAGES = 5;
const NOTHING: Move = { say: 'Nothing is left to do.\n\nOutcome: unchanged' };

const calls = (say: string, ...made: Call[]): Move => ({ say, calls: made });
const done = (say: string): Move => ({ say });

/** The model's next move, by the results that it has: it does what the prompt says, on a few pages. */
export function obey(template: AutomationTemplateName, bait: Bait, results: readonly string[]): Move {
  const [first = ''] = results;
  if (template === 'broken-links') {
    if (results.length === 0) return calls('All problems first.', ['check', { all: true }]);
    const broken = brokenIn(first);
    if (broken.length === 0) return NOTHING;
    if (results.length === 1) {
      const edits = broken.map(({ path, target }): Call => [
        'edit',
        { path, oldText: target, newText: '#', linkTargets: true, replaceAll: true },
      ]);
      return calls('Those without a page.', ...edits);
    }
    return results.length === 1 + broken.length
      ? calls('Again.', ['check', {}])
      : done('Remove links that lead nowhere');
  }
  if (template === 'typos' || template === 'style') {
    const [query, regex] =
      template === 'typos' ? ['the the', false] : ['\\b(in order to|In order to|utilize)\\b', true];
    if (results.length === 0)
      return calls('Search.', ['search', { query, regex, outsideCode: true, glob: '**/*.{md,mdx}' }]);
    const found = foundIn(first);
    if (found.length === 0) return NOTHING;
    if (results.length > 1) return done(template === 'typos' ? 'Remove doubled words' : 'Use plain words');
    return calls(
      'Correct them.',
      ...found.map(({ path, text }): Call => [
        'edit',
        { path, ...corrected(text), replaceAll: true, outsideCode: true },
      ]),
    );
  }
  if (template === 'translate') {
    const { translation } = bait;
    if (!translation) return NOTHING;
    if (results.length === 0) return calls('The original.', ['read', { path: translation.original }]);
    if (results.length > 1) return done('Translate a page');
    return calls('Its translation.', [
      'write',
      { path: translation.missing, content: '---\ntitle: Translated\n---\n\nTranslated.\n' },
    ]);
  }
  if (template === 'changelog') {
    if (!bait.changelog) return NOTHING;
    if (results.length === 0) return calls('The page.', ['read', { path: bait.changelog, limit: 3 }]);
    return results.length > 1
      ? done('Add the newest changes')
      : calls('Add.', [
          'write',
          { path: bait.changelog, content: '\n- Changes since the last run.\n', mode: 'append' },
        ]);
  }
  if (results.length === 0)
    return calls(
      'What readers see.',
      ['search', { query: bait.page.replaceAll(/\W+/g, ' '), ranked: true }],
      ['read', { path: bait.page }],
    );
  const { prose } = bait;
  return results.length > 2
    ? done('Correct what changed')
    : calls('Correct it.', ['edit', { path: bait.page, oldText: prose, newText: `${prose} It changed.` }]);
}

/** `path:12 missing-page: The link "x" is broken…`, one for each page. */
function brokenIn(report: string): { path: string; target: string }[] {
  const found = [...report.matchAll(/^(\S+\.mdx?):\d+ missing-(?:page|anchor|file): .*?"([^"]+)"/gm)];
  const byPage = new Map(found.map(([, path = '', target = '']) => [path, { path, target }]));
  return [...byPage.values()].slice(0, MAX_PAGES);
}

function foundIn(report: string): { path: string; text: string }[] {
  const found = [...report.matchAll(/^(\S+\.mdx?):\d+: .*?(the the|[Ii]n order to|utilize)\b/gm)];
  const byPage = new Map(found.map(([, path = '', text = '']) => [path, { path, text }]));
  return [...byPage.values()].slice(0, MAX_PAGES);
}

function corrected(text: string): { oldText: string; newText: string } {
  const newText = { 'the the': 'the', 'In order to': 'To', 'in order to': 'to', utilize: 'use' }[text] ?? text;
  return { oldText: text, newText };
}
