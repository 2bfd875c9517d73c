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
    prompt: `The code changed: see {{commits}} and {{files}}. Read the sources where the context leaves parts out. Find every page that describes what \
changed: behavior, options, defaults, names, commands, output, examples. Correct these pages. Document what is new for readers where they \
would look for it, and remove what no longer exists. Skip refactoring, tests and internal code. Leave changelogs, blog posts and pages \
about other versions alone, and everything that is still true. If no page is affected, change nothing and say so.`,
    trigger: { type: 'code', events: ['pushed'] },
  },
  changelog: {
    name: 'Changelog',
    prompt: `Add what users notice of {{commits}} to the changelog page. Put it into the section for the next release; if there is none, add one in the \
form that the page uses. Do not invent a version or a date. Group the changes as the page does, one line per change, from the reader's \
view. Skip refactoring, tests, build changes and what the page has already. If there is no changelog page, or nothing is left, change \
nothing and say so.`,
    trigger: { type: 'code', events: ['merged', 'pushed'] },
  },
  'broken-links': {
    name: 'Broken links',
    prompt: `Check the whole site, and fix its broken links, images and anchors, on at most 30 pages in one run. Point each link to the page or heading \
that has its content now. If there is none, remove the link and keep its text; remove an image whose file is gone. If several targets fit, \
leave the link and name it in your last message. Leave links to other sites, code and everything else alone. If nothing is broken, change \
nothing and say so.`,
    trigger: { type: 'schedule', cron: '0 6 * * 1' },
  },
  style: {
    name: 'Style',
    prompt: `Find the pages that differ most from the style guide of this repository, at most five that this pull request has not changed yet. Bring \
them in line with it. If there is no style guide, follow how most pages are written. Keep facts, code, examples, quotations, labels of the \
user interface, and headings that others link to. Leave sentences that follow the guide as they are, and skip changelogs, blog posts, \
generated pages and translations. If all pages follow it, change nothing and say so.`,
    trigger: { type: 'schedule', cron: '0 6 * * 2' },
  },
  typos: {
    name: 'Typos',
    prompt: `Correct typos, grammar and punctuation in the docs, on at most 30 pages in one run. Correct each page in its own language and variety. \
Change no facts, code, commands, names, links or quotations, and no sentence that is correct. Links may point to headings: do not change \
those, but name them in your last message. If everything is correct, change nothing and say so.`,
    trigger: { type: 'schedule', cron: '0 6 * * 3' },
  },
  translate: {
    name: 'Translations',
    prompt: `Compare the pages with their translations, at most five pages in one run. Pages without a translation come first, then sections that a \
translation lacks, then what no longer says the same. Translate from the original, and never change it. Keep its structure, links, code \
and product names, and use the terms of the existing translations. Add no language. If there are no translations, or they are complete, \
change nothing and say so.`,
    trigger: { type: 'schedule', cron: '0 6 * * 4' },
  },
  'reader-gaps': {
    name: 'Gaps that readers find',
    prompt: `Readers searched and opened no result: see {{payload}}. Look for each search in the docs. If a page answers it, use the words of the \
search in the title, description or first paragraph of that page, where they are true. If none does, but the repository or its sources \
have the answer, add it where a reader would look for it. Skip searches that are not about the product or that contain personal data. Do \
not invent answers. If no search is left, change nothing and say what is missing.`,
    trigger: { type: 'readers', signal: 'search_without_click', threshold: 5, days: 14 },
  },
  'stale-citations': {
    name: 'Statements whose source changed',
    prompt: `Statements of the docs cite lines of code that have changed: see {{payload}}. Read each source as it is now. If a statement is no longer \
true, correct it, and what follows from it on the same page. If it is still true, keep it. Cite the lines that decide, for both. If the \
code is gone, remove what describes it. Change nothing else. If every statement is still true, change nothing and say so.`,
    trigger: { type: 'code', events: ['stale_citation'] },
  },
} as const satisfies Record<string, AutomationTemplate>;

export type AutomationTemplateName = keyof typeof AUTOMATION_TEMPLATES;
export const AUTOMATION_TEMPLATE_NAMES = Object.keys(AUTOMATION_TEMPLATES) as AutomationTemplateName[];
