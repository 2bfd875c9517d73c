/**
 * The recipes of the built-in editor as forms. The dashboard shows them, the command line lists them, and
 * suggestions use them. Each yields a prompt that {@link readRequest} understands, for any field values.
 */
export interface Recipe {
  id: string;
  title: string;
  fields: readonly RecipeField[];
  /** Values that fit a site with the pages `quickstart` and `guides/webhooks`. */
  example: RecipeValues;
  /** The prompt. Every field that is not optional has a value. */
  prompt: (values: RecipeValues) => string;
}

/** By field. A set checkbox is `true`; absent or blank fields are unset. */
export type RecipeValues = Readonly<Record<string, string | undefined>>;

export interface RecipeField {
  name: string;
  label: string;
  /**
   * A line of text, several of them, a page or folder by path or title, an address, a group of the
   * navigation, a choice, a checkbox.
   */
  kind: 'text' | 'long-text' | 'page' | 'address' | 'group' | 'choice' | 'check';
  hint?: string;
  isOptional?: true;
  /** For a choice: value and label, the default first. */
  options?: readonly (readonly [string, string])[];
}

const PAGE: RecipeField = {
  name: 'page',
  label: 'Page',
  kind: 'page',
  hint: 'By path or title, such as guides/webhooks.',
};
const IN_PAGE: RecipeField = {
  name: 'page',
  label: 'In',
  kind: 'page',
  isOptional: true,
  hint: 'A page or folder. Leave empty for all pages.',
};

export const RECIPES: readonly Recipe[] = [
  {
    id: 'replace-text',
    title: 'Replace text',
    fields: [
      { name: 'from', label: 'Old text', kind: 'text', hint: 'Case matters.' },
      { name: 'to', label: 'New text', kind: 'text', isOptional: true, hint: 'Leave empty to remove the old text.' },
      IN_PAGE,
      { name: 'inCode', label: 'In code too', kind: 'check', isOptional: true },
    ],
    example: { from: 'Acme', to: 'Globex' },
    prompt: ({ from, to, page, inCode }) =>
      `Replace ${quote(from)} with ${quote(to)}${page ? ` in ${quote(page)}` : ' everywhere'}${inCode ? ', in code too' : ''}`,
  },
  {
    id: 'fix-links',
    title: 'Fix broken links',
    fields: [IN_PAGE],
    example: {},
    prompt: ({ page }) => `Fix broken links${page ? ` in ${quote(page)}` : ''}`,
  },
  {
    id: 'add-page',
    title: 'Add a page',
    fields: [
      { name: 'title', label: 'Title', kind: 'text' },
      { name: 'path', label: 'Path', kind: 'address', hint: 'Such as guides/faq. Nothing may be there yet.' },
      { name: 'group', label: 'Group of the navigation', kind: 'group', isOptional: true },
      { name: 'text', label: 'Text', kind: 'long-text', isOptional: true },
    ],
    example: { title: 'FAQ', path: 'guides/faq', text: 'Questions that readers ask.' },
    prompt: ({ title, path, group, text }) =>
      `Add a page titled ${quote(title)} at ${quote(path)}${group ? ` in the group ${quote(group)}` : ''}${withText(text)}`,
  },
  {
    id: 'add-section',
    title: 'Add a section',
    fields: [
      PAGE,
      { name: 'heading', label: 'Heading', kind: 'text' },
      { name: 'text', label: 'Text', kind: 'long-text' },
    ],
    example: { page: 'quickstart', heading: 'Next steps', text: 'Read the guides.' },
    prompt: ({ page, heading, text }) => `Add a section ${quote(heading)} to ${quote(page)}${withText(text)}`,
  },
  {
    id: 'change-title',
    title: 'Change a title',
    fields: [PAGE, { name: 'title', label: 'New title', kind: 'text' }],
    example: { page: 'quickstart', title: 'First steps' },
    prompt: ({ page, title }) => `Change the title of ${quote(page)} to ${quote(title)}`,
  },
  {
    id: 'change-description',
    title: 'Change a description',
    fields: [PAGE, { name: 'text', label: 'New description', kind: 'text', hint: 'One sentence, for search results.' }],
    example: { page: 'quickstart', text: 'Send your first event.' },
    prompt: ({ page, text }) => `Change the description of ${quote(page)} to ${quote(text)}`,
  },
  {
    id: 'rename-heading',
    title: 'Rename a heading',
    fields: [
      PAGE,
      { name: 'heading', label: 'Heading', kind: 'text' },
      { name: 'text', label: 'New heading', kind: 'text' },
    ],
    example: { page: 'guides/webhooks', heading: 'Retries', text: 'Repeated deliveries' },
    prompt: ({ page, heading, text }) => `Rename the heading ${quote(heading)} to ${quote(text)} in ${quote(page)}`,
  },
  {
    id: 'remove-text',
    title: 'Remove a section or a sentence',
    fields: [
      {
        name: 'part',
        label: 'What',
        kind: 'choice',
        options: [
          ['section', 'Section'],
          ['sentence', 'Sentence'],
        ],
      },
      { name: 'text', label: 'Its heading, or the sentence', kind: 'text' },
      PAGE,
    ],
    example: { part: 'section', text: 'Retries', page: 'guides/webhooks' },
    prompt: ({ part, text, page }) =>
      `Remove the ${part === 'sentence' ? 'sentence' : 'section'} ${quote(text)} from ${quote(page)}`,
  },
  {
    id: 'move-page',
    title: 'Rename or move a page',
    fields: [PAGE, { name: 'to', label: 'New path', kind: 'address', hint: 'Links, navigation and redirects follow.' }],
    example: { page: 'quickstart', to: 'getting-started' },
    prompt: ({ page, to }) => `Move the page ${quote(page)} to ${quote(to)}`,
  },
  {
    id: 'delete-page',
    title: 'Delete a page',
    fields: [
      PAGE,
      {
        name: 'to',
        label: 'Redirect its readers to',
        kind: 'page',
        isOptional: true,
        hint: 'Links to it lead there, too.',
      },
    ],
    example: { page: 'guides/webhooks', to: 'quickstart' },
    prompt: ({ page, to }) => `Delete the page ${quote(page)}${to ? ` and redirect it to ${quote(to)}` : ''}`,
  },
  {
    id: 'reorder-navigation',
    title: 'Reorder the navigation',
    fields: [
      PAGE,
      {
        name: 'place',
        label: 'Position',
        kind: 'choice',
        options: [
          ['before', 'Before'],
          ['after', 'After'],
        ],
      },
      { name: 'beside', label: 'The page', kind: 'page' },
    ],
    example: { page: 'quickstart', place: 'before', beside: 'index' },
    prompt: ({ page, place, beside }) =>
      `Put the page ${quote(page)} ${place === 'after' ? 'after' : 'before'} the page ${quote(beside)} in the navigation`,
  },
  {
    id: 'rename-group',
    title: 'Rename a group of the navigation',
    fields: [
      { name: 'group', label: 'Group', kind: 'group' },
      { name: 'to', label: 'New name', kind: 'text' },
    ],
    example: { group: 'Guides', to: 'How-to guides' },
    prompt: ({ group, to }) => `Rename the group ${quote(group)} to ${quote(to)}`,
  },
  {
    id: 'add-redirect',
    title: 'Add a redirect',
    fields: [
      { name: 'from', label: 'Old address', kind: 'address', hint: 'Such as /old-page. No page may have it.' },
      { name: 'to', label: 'To the page', kind: 'page', hint: 'Or an address of another site.' },
    ],
    example: { from: '/start', to: 'quickstart' },
    prompt: ({ from, to }) => `Add a redirect from ${quote(from)} to ${quote(to)}`,
  },
];

/** The recipe of an id. */
export function recipeOf(id: string): Recipe | null {
  return RECIPES.find((recipe) => recipe.id === id) ?? null;
}

/** Fields that need a value and have none. */
export function missingFields({ fields }: Recipe, values: RecipeValues): RecipeField[] {
  return fields.filter(({ name, kind, isOptional }) => !isOptional && kind !== 'choice' && !values[name]?.trim());
}

function quote(text = ''): string {
  const line = text.replace(/\s*\n\s*/g, ' ');
  return `"${line.replace(/["\\]/g, '\\$&')}"`;
}

/** A text of several lines goes into a fenced block, longer than each that it has. */
function withText(text = ''): string {
  const own = text.trim();
  if (own === '') return '';
  if (!own.includes('\n')) return ` with the text ${quote(own)}`;
  const longest = Math.max(2, ...[...own.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `:\n\n${fence}\n${own}\n${fence}`;
}
