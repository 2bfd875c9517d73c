import type { Problem, ProblemCode } from './problem.ts';

export interface Rule {
  /** The default severity of problems with this code. */
  severity: Problem['severity'];
  /** Absent: always checked. `settings`: if a repository enables it. `linters`: if a person runs linters. */
  needs?: 'settings' | 'linters';
  /** The problem, in a sentence. */
  summary: string;
  /** What to do about it, in a sentence or two. */
  help: string;
}

/** Every code of a problem. Each has its section in docs/reference/check-rules.mdx. */
export const RULES: Readonly<Record<ProblemCode, Rule>> = {
  'page-syntax': {
    severity: 'error',
    summary: 'A page is not valid MDX or Markdown.',
    help: 'Fix the syntax at this position. The build would fail there, and the rest of the page may not have been checked.',
  },
  'front-matter': {
    severity: 'error',
    summary: 'The front matter is not valid YAML, TOML or JSON, or is never closed.',
    help: 'Quote values that contain a colon, and close the front matter with the same line that it begins with.',
  },
  'missing-page': {
    severity: 'error',
    summary: 'A link points to a page that does not exist.',
    help: 'Update the link to the current page, or remove it.',
  },
  'missing-file': {
    severity: 'error',
    summary: 'A link points to a file that does not exist.',
    help: 'Update the link to the current file, add the file to the repository, or remove the link.',
  },
  'missing-image': {
    severity: 'error',
    summary: 'An image does not exist.',
    help: 'Update the path of the image, or add the image to the repository.',
  },
  'missing-import': {
    severity: 'error',
    summary: 'An imported snippet or component does not exist.',
    help: 'Update the path of the import. The page cannot be built without this file.',
  },
  'missing-anchor': {
    severity: 'error',
    summary: 'A link points to an anchor that its page does not have.',
    help: 'Use the ID of an existing heading. IDs change when you reword headings.',
  },
  'missing-definition': {
    severity: 'error',
    summary: 'A reference link uses a label that the page does not define.',
    help: 'Define the label on the page, or put the target in the link.',
  },
  'redirected-link': {
    severity: 'notice',
    summary: 'A link works only through a redirect.',
    help: 'Link directly to the target of the redirect.',
  },
  'dead-link': {
    severity: 'warning',
    summary: 'An external link is dead: its server returns 404 or 410, or does not exist.',
    help: 'Link to the new address or an archived copy, or remove the link. Found with docent check --external.',
  },
  'moved-link': {
    severity: 'notice',
    summary: 'The page of an external link has moved permanently.',
    help: 'Link to the new address if it is still the right page. Found with docent check --external.',
  },
  'config-invalid': {
    severity: 'error',
    summary: 'The configuration of the site cannot be read.',
    help: 'Fix the configuration at this position. Until then, pages and navigation cannot be checked.',
  },
  'navigation-missing-page': {
    severity: 'error',
    summary: 'The navigation lists a page that does not exist.',
    help: 'Update the entry to the current page, or remove it.',
  },
  'navigation-repeated-page': {
    severity: 'notice',
    summary: 'The navigation lists a page twice.',
    help: 'Remove one of the entries. The menu highlights both, and links to the next page may repeat.',
  },
  'page-not-in-navigation': {
    severity: 'notice',
    summary: 'A page is not in the navigation.',
    help: 'Add it to the navigation if readers should find it there.',
  },
  'missing-redirect': {
    severity: 'error',
    summary: 'A page was removed or moved without a redirect.',
    help: 'Add a redirect from its old address, so that bookmarks and links from other sites keep working.',
  },
  'redirect-to-nowhere': {
    severity: 'warning',
    summary: 'A redirect points to a page that does not exist.',
    help: 'Point it to an existing page.',
  },
  'unused-ignore': {
    severity: 'notice',
    summary: 'A comment or a baseline entry ignores a problem that no longer exists.',
    help: 'Remove the comment. To remove baseline entries, run docent check --update-baseline.',
  },
  'invalid-ignore': {
    severity: 'error',
    summary: 'An ignore comment is invalid and has no effect.',
    help: 'Write codes and a reason: docent-ignore-next-line missing-page: why this is intentional.',
  },
  'not-read': {
    severity: 'notice',
    summary: 'A file or page was not read.',
    help: 'Its content was not checked, and links to it are assumed to be valid.',
  },
  'not-checked': {
    severity: 'notice',
    summary: 'Part of this site was not checked.',
    help: 'See the message for how to enable the check.',
  },
  'required-front-matter': {
    severity: 'error',
    needs: 'settings',
    summary: 'A page lacks a required front matter field.',
    help: 'Add the field. The setting `requiredFrontMatter` defines which pages require which fields.',
  },
  'heading-levels': {
    severity: 'warning',
    needs: 'settings',
    summary: 'A heading skips a level.',
    help: 'Make it one level below its parent heading. Screen reader users navigate by heading levels.',
  },
  'one-h1': {
    severity: 'warning',
    needs: 'settings',
    summary: 'A page has no level 1 heading, or more than one.',
    help:
      'Keep one as the title, and make the others level 2. If the site generator shows the front matter ' +
      'title, the text needs no level 1 heading.',
  },
  'image-alt': {
    severity: 'warning',
    needs: 'settings',
    summary: 'An image has no alternative text.',
    help: 'Describe what the image shows. For a purely decorative image, use HTML with alt="".',
  },
  'unused-image': {
    severity: 'warning',
    needs: 'settings',
    summary: 'An image is not used by any file of the repository.',
    help: 'Delete it or use it. Other sites may still link to it; this cannot be checked.',
  },
  vale: {
    severity: 'warning',
    needs: 'linters',
    summary: 'Vale reported a problem in the text.',
    help: 'See the Vale rule in the message. The .vale.ini of the repository selects the rules.',
  },
  markdownlint: {
    severity: 'warning',
    needs: 'linters',
    summary: 'markdownlint reported a problem in the Markdown.',
    help: 'See the markdownlint rule in the message. The markdownlint configuration of the repository selects the rules.',
  },
};

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(RULES, text);
}
