/** How a template starts unless its user changes it: a trigger of the API. */
type TemplateTrigger =
  | { type: 'schedule'; cron: string }
  | { type: 'code'; events: ('opened' | 'approved' | 'merged' | 'pushed' | 'stale_citation')[] }
  | {
      type: 'readers';
      signal: 'not_found' | 'search_without_click' | 'negative_feedback' | 'agent_feedback' | 'read_by_ai_only';
      threshold: number;
      days: number;
    };

export interface AutomationTemplate {
  name: string;
  prompt: string;
  trigger: TemplateTrigger;
}

/** Ready-made automations, by the name that `docent automation add --template` takes. */
export const AUTOMATION_TEMPLATES = {
  'docs-follow-code': {
    name: 'Docs follow the code',
    prompt: `The code changed: see {{commits}} and {{files}}. Find every page that describes what changed: behavior, options, defaults, \
names, commands, examples. Correct these pages, and document what is new where a reader would look for it. Read the code where the diff is not \
enough. Change nothing that is still true. If no page is affected, change nothing and say so.`,
    trigger: { type: 'code', events: ['pushed'] },
  },
  changelog: {
    name: 'Changelog',
    prompt: `Add what users notice of {{commits}} to the changelog page. Group it as the page does: added, changed, fixed, removed. Write one \
line per change, from the reader's view. Leave out refactoring, tests and build changes. Do not repeat entries that are already there. If \
nothing is left, change nothing and say so.`,
    trigger: { type: 'code', events: ['merged', 'pushed'] },
  },
  'broken-links': {
    name: 'Broken links',
    prompt: `Fix the broken links, images and anchors of the docs. Point each link to the page that has its content now. Where there is none, \
remove the link and keep its text. Change nothing else.`,
    trigger: { type: 'schedule', cron: '0 6 * * 1' },
  },
  style: {
    name: 'Style',
    prompt: `Find the pages that differ most from the style guide of this repository, at most five. Bring them in line with it. Keep their \
facts, headings that others link to, code and examples. If there is no style guide, follow the style of most pages.`,
    trigger: { type: 'schedule', cron: '0 6 * * 2' },
  },
  typos: {
    name: 'Typos',
    prompt: `Correct typos, grammar and punctuation in the docs. Change no facts, no code, no names, no headings, and no sentences that are \
correct. Keep the variety of English that the docs use.`,
    trigger: { type: 'schedule', cron: '0 6 * * 3' },
  },
  translate: {
    name: 'Translations',
    prompt: `Compare each page with its translations. Translate what is missing or older than the original, at most five pages at a time, \
pages that changed since {{since}} first. Keep the structure, links, code and product names of the original. Use the terms that existing \
translations use. If everything is translated, change nothing and say so.`,
    trigger: { type: 'schedule', cron: '0 6 * * 4' },
  },
  'reader-gaps': {
    name: 'Gaps that readers find',
    prompt: `Readers searched for something and opened no result: see {{payload}}. If the docs answer it, make the page easier to find: its \
title, description and first paragraph use the words of the search. If they do not, and the answer is in the repository or its sources, add it \
where a reader would look for it. Do not invent answers. Otherwise, change nothing and say what is missing.`,
    trigger: { type: 'readers', signal: 'search_without_click', threshold: 5, days: 14 },
  },
  'stale-citations': {
    name: 'Statements whose source changed',
    prompt: `Statements of the docs cite lines of code that have changed: see {{payload}}. Read each source as it is now. Where a statement is \
no longer true, correct it, and what follows from it on the same page. Where it is still true, keep it. Cite the lines that decide, for both. If \
the code is gone, remove what describes it. If every statement is still true, change nothing and say so.`,
    trigger: { type: 'code', events: ['stale_citation'] },
  },
} as const satisfies Record<string, AutomationTemplate>;

export type AutomationTemplateName = keyof typeof AUTOMATION_TEMPLATES;
export const AUTOMATION_TEMPLATE_NAMES = Object.keys(AUTOMATION_TEMPLATES) as AutomationTemplateName[];
