import type { Problem, ProblemCode } from './problem.ts';

export interface Rule {
  /** What a problem of this code mostly is, where nothing else is set. */
  severity: Problem['severity'];
  /** Absent: it is always looked for. `settings`: where a repository turns it on. `linters`: where a person has linters run. */
  needs?: 'settings' | 'linters';
  /** What is wrong, in a sentence. */
  summary: string;
  /** What to do about it, in a sentence or two. */
  help: string;
}

/** Every code of a problem. Each has its section in docs/reference/check-rules.mdx. */
export const RULES: Readonly<Record<ProblemCode, Rule>> = {
  'page-syntax': {
    severity: 'error',
    summary: 'A page is not valid MDX or Markdown.',
    help: 'Correct it at the place: a build would stop there, and what comes after it may not be checked.',
  },
  'front-matter': {
    severity: 'error',
    summary: 'The front matter is not valid YAML or TOML, or is never closed.',
    help: 'Quote values with a colon in them, and close the front matter with the line that it began with.',
  },
  'missing-page': {
    severity: 'error',
    summary: 'A link leads to no page.',
    help: 'Name the page as it is now, or take the link out.',
  },
  'missing-file': {
    severity: 'error',
    summary: 'A link leads to no file.',
    help: 'Name the file as it is now, add it to the repository, or take the link out.',
  },
  'missing-image': {
    severity: 'error',
    summary: 'An image does not exist.',
    help: 'Name the image as it is now, or add it to the repository.',
  },
  'missing-import': {
    severity: 'error',
    summary: 'An imported snippet or component does not exist.',
    help: 'Name the file as it is now: the page cannot be built without it.',
  },
  'missing-anchor': {
    severity: 'error',
    summary: 'The page of a link exists, its anchor does not.',
    help: 'Use the id of a heading that the page has: ids change when headings are reworded.',
  },
  'missing-definition': {
    severity: 'error',
    summary: 'A link by reference has a label that the page does not define.',
    help: 'Define the label on the page, or write the target into the link.',
  },
  'redirected-link': {
    severity: 'notice',
    summary: 'A link works only through a redirect.',
    help: 'Name the page that the redirect leads to.',
  },
  'dead-link': {
    severity: 'warning',
    summary: 'An external link leads to no page: its server says so, or there is none of that name.',
    help: 'Link to where the page is now, or to an archived copy, or take the link out. Found with docent check --external.',
  },
  'moved-link': {
    severity: 'notice',
    summary: 'The page of an external link has moved for good.',
    help: 'Link to the new address, if it is still the page that is meant. Found with docent check --external.',
  },
  'config-invalid': {
    severity: 'error',
    summary: 'The configuration of the site cannot be read.',
    help: 'Correct it at the place: what it says of pages and navigation is unknown until then.',
  },
  'navigation-missing-page': {
    severity: 'error',
    summary: 'The navigation lists a page that does not exist.',
    help: 'Name the page as it is now, or take the entry out.',
  },
  'navigation-repeated-page': {
    severity: 'notice',
    summary: 'The navigation lists a page twice.',
    help: 'Take one of the entries out: the menu marks both as current, and the links to the next page may repeat.',
  },
  'page-not-in-navigation': {
    severity: 'notice',
    summary: 'A page is in no navigation list.',
    help: 'Add it to the navigation if readers are to find it by browsing.',
  },
  'missing-redirect': {
    severity: 'error',
    summary: 'A page went away and leaves no redirect.',
    help: 'Enter a redirect from its address, so that bookmarks and links of other sites go on working.',
  },
  'redirect-to-nowhere': {
    severity: 'warning',
    summary: 'A redirect leads to no page.',
    help: 'Let it lead to a page that exists.',
  },
  'unused-ignore': {
    severity: 'notice',
    summary: 'A comment or an entry of the baseline ignores a problem that is no longer there.',
    help: 'Take the comment out. Entries of the baseline go with docent check --update-baseline.',
  },
  'invalid-ignore': {
    severity: 'error',
    summary: 'A comment that is to ignore problems is not understood, and ignores nothing.',
    help: 'It has to name codes and a reason: docent-ignore-next-line missing-page: why it is meant so.',
  },
  'not-read': {
    severity: 'notice',
    summary: 'A file or page was not read.',
    help: 'What is in it was not checked, and links into it were taken for fine.',
  },
  'not-checked': {
    severity: 'notice',
    summary: 'A check is off for this site.',
    help: 'The message names what turns it on.',
  },
  'required-front-matter': {
    severity: 'error',
    needs: 'settings',
    summary: 'A page lacks a field that its front matter has to have.',
    help: 'Add the field. `requiredFrontMatter` of the settings says which pages have to have which.',
  },
  'heading-levels': {
    severity: 'warning',
    needs: 'settings',
    summary: 'A heading skips a level.',
    help: 'Make it one level below the heading that it belongs to: those who hear a page find their way by the levels.',
  },
  'one-h1': {
    severity: 'warning',
    needs: 'settings',
    summary: 'A page shows no heading of level 1, or more than one.',
    help: 'Keep one, its title, and make the others level 2. Where the generator shows the title of the front matter, the text needs none.',
  },
  'image-alt': {
    severity: 'warning',
    needs: 'settings',
    summary: 'An image has no alternative text.',
    help: 'Say what it shows. An image that is mere decoration is written in HTML, with alt="".',
  },
  'unused-image': {
    severity: 'warning',
    needs: 'settings',
    summary: 'No file of the repository names an image of the site.',
    help: 'Delete it, or show it. Other sites may link to it: nobody here can tell.',
  },
  vale: {
    severity: 'warning',
    needs: 'linters',
    summary: 'Vale has found something in the prose.',
    help: 'The message names the rule of Vale, and the repository’s .vale.ini which rules count.',
  },
  markdownlint: {
    severity: 'warning',
    needs: 'linters',
    summary: 'markdownlint has found something in the Markdown.',
    help: 'The message names the rule of markdownlint, and the repository’s configuration of it which rules count.',
  },
};

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(RULES, text);
}
