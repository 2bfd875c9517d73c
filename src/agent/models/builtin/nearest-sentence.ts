import { isSlip } from '../../../docs-site/read/similar-text.ts';
import { markQuotes } from './quotes.ts';

/** What a sentence says besides its verbs: texts in quotes, and paths. */
interface Said {
  text(place: number, otherwise: string): string;
  page(place: number, otherwise: string): string;
  hasPage: boolean;
}

interface Form {
  verbs: readonly string[];
  nouns: readonly string[];
  write: (said: Said) => string;
}

const REMOVE = ['remove', 'delete', 'drop', 'cut', 'erase', 'strip', 'hide', 'clear'];
const ADD = ['add', 'create', 'write', 'insert', 'append', 'include', 'document', 'explain', 'generate', 'draft'];
const CHANGE = ['change', 'rename', 'update', 'set', 'edit', 'modify', 'adjust', 'call', 'reword', 'fix', 'correct'];

/** What the editor carries out, by the words that ask for the like. */
const FORMS: readonly Form[] = [
  {
    verbs: [
      'replace',
      'swap',
      'substitute',
      'fix',
      'exchange',
      'change',
      'use',
      'update',
      'correct',
      'convert',
      'switch',
    ],
    nouns: [
      'text',
      'word',
      'wording',
      'phrase',
      'term',
      'spelling',
      'name',
      'instead',
      'occurrence',
      'everywhere',
      'typo',
      'version',
    ],
    write: (said) =>
      `Replace ${said.text(0, 'old text')} with ${said.text(1, 'new text')}${said.hasPage ? ` in ${said.page(0, '')}` : ''}`,
  },
  {
    verbs: ['fix', 'repair', 'check', 'correct', 'find'],
    nouns: ['link', 'anchor', 'broken', 'dead', '404', 'url', 'image'],
    write: (said) => `Fix broken links${said.hasPage ? ` in ${said.page(0, '')}` : ''}`,
  },
  {
    verbs: ADD,
    nouns: ['page', 'article', 'guide', 'tutorial', 'doc', 'faq', 'changelog'],
    write: (said) => `Add a page titled ${said.text(0, 'Title')} at ${said.page(0, 'guides/page')}: its text`,
  },
  {
    verbs: ADD,
    nouns: ['section', 'chapter', 'paragraph', 'note', 'example', 'text', 'sentence'],
    write: (said) => `Add a section ${said.text(0, 'Heading')} to ${said.page(0, 'guides/page')}: its text`,
  },
  {
    verbs: CHANGE,
    nouns: ['title'],
    write: (said) => `Change the title of ${said.page(0, 'guides/page')} to ${said.text(0, 'Title')}`,
  },
  {
    verbs: [...CHANGE, ...ADD],
    nouns: ['description', 'meta', 'seo', 'subtitle', 'summary'],
    write: (said) => `Change the description of ${said.page(0, 'guides/page')} to ${said.text(0, 'Description')}`,
  },
  {
    verbs: CHANGE,
    nouns: ['heading', 'header', 'headline', 'subheading', 'section'],
    write: (said) =>
      `Rename the heading ${said.text(0, 'Old')} to ${said.text(1, 'New')} in ${said.page(0, 'guides/page')}`,
  },
  {
    verbs: REMOVE,
    nouns: ['section', 'chapter', 'heading', 'part'],
    write: (said) => `Remove the section ${said.text(0, 'Heading')} from ${said.page(0, 'guides/page')}`,
  },
  {
    verbs: REMOVE,
    nouns: ['sentence', 'text', 'line', 'paragraph', 'word', 'mention', 'phrase', 'reference', 'note'],
    write: (said) => `Remove the sentence ${said.text(0, 'Its words.')} from ${said.page(0, 'guides/page')}`,
  },
  {
    verbs: CHANGE,
    nouns: ['group', 'category', 'sidebar', 'navigation', 'nav', 'menu', 'tab'],
    write: (said) => `Rename the group ${said.text(0, 'Old')} to ${said.text(1, 'New')}`,
  },
  {
    verbs: ['move', 'put', 'place', 'reorder', 'sort', 'order', 'list', 'shift', 'bring', 'swap'],
    nouns: [
      'order',
      'before',
      'after',
      'first',
      'last',
      'top',
      'bottom',
      'above',
      'sidebar',
      'navigation',
      'nav',
      'menu',
      'group',
      'position',
    ],
    write: (said) => `Move the page ${said.page(0, 'guides/page')} before ${said.page(1, 'guides/other')}`,
  },
  {
    verbs: ['redirect', 'forward', 'send', 'point', 'add', 'create'],
    nouns: ['redirect', 'redirection', 'forward', 'old', 'address', 'url'],
    write: (said) => `Add a redirect from ${address(said.page(0, '/old'))} to ${said.page(1, 'guides/page')}`,
  },
  {
    verbs: ['move', 'rename', 'relocate', 'transfer', 'reorganize', 'reorganise', 'restructure'],
    nouns: ['page', 'file', 'folder', 'directory', 'path', 'article', 'url'],
    write: (said) => `Rename page ${said.page(0, 'guides/old')} to ${said.page(1, 'guides/new')}`,
  },
  {
    verbs: REMOVE,
    nouns: ['page', 'file', 'article', 'doc', 'guide'],
    write: (said) => `Delete page ${said.page(0, 'guides/page')}`,
  },
  {
    verbs: ['undo', 'revert', 'restore', 'rollback', 'reset'],
    nouns: ['last', 'back', 'again', 'previous', 'before'],
    write: () => 'Undo the last change',
  },
];

const VERB = 2;
const NOUN = 3;
/** A verb alone says too little; a noun that it goes with tells. */
const LEAST = VERB + NOUN;
const MOST = 2;

/**
 * What a sentence that was not understood may have meant, in sentences that are: the nearest first, with the texts and pages that it
 * names. Empty where it asks for nothing of the kind.
 */
export function nearestSentences(sentence: string): string[] {
  const { text, quotes } = markQuotes(sentence.slice(0, 1_000));
  const words = text
    .replace(PATHS, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}'-]+/u)
    .slice(0, 60)
    .map(stem);
  const said = saidIn(
    text,
    quotes.map((quote) => quote.text),
  );
  const scored = FORMS.map((form, i) => ({ form, i, score: scoreOf(form, words, quotes.length) }));
  const near = scored.filter(({ score }) => score >= LEAST).toSorted((a, b) => b.score - a.score || a.i - b.i);
  const best = near[0]?.score ?? 0;
  return near
    .filter(({ score }) => score >= best - 1)
    .slice(0, MOST)
    .map(({ form }) => form.write(said));
}

function scoreOf({ verbs, nouns }: Form, words: readonly string[], quotes: number): number {
  const known = verbs.map(stem);
  const verb = words.findIndex((word) =>
    known.some((one) => word === one || (Math.min(word.length, one.length) >= 5 && isSlip(word, one))),
  );
  if (verb === -1) return 0;
  const named = new Set(nouns.filter((noun) => words.includes(stem(noun))));
  // The verb that the sentence begins with is what it asks for.
  const first = VERB + (verb < 3 ? 1 : 0);
  // Two texts in quotes are an old and a new one, whatever they are called.
  const pair = verbs.includes('replace') && quotes === 2 ? NOUN : 0;
  return first + Math.min(2, named.size) * NOUN + pair;
}

function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?<=[^s])s$/, '').replace(/(?:ed|ing|e)$/, '') : word;
}

/** A word with a slash, or a file. */
const PATHS = /(?<![\w/])\/?[\w-]+(?:\/[\w.-]+)+\/?|(?<![\w/])\/[\w-]+|(?<![\w/])[\w-]+\.mdx?\b/g;

function saidIn(text: string, quoted: readonly string[]): Said {
  const named = (text.match(PATHS) ?? []).map((path) => path.replace(/[.]+$/, ''));
  const pages = [...quoted.filter((one) => /^\S+$/.test(one) && /[/]|\.\w/.test(one)), ...named];
  const inQuotes = quoted.filter((one) => one.trim() !== '' && !pages.includes(one));
  // Without quotes, a name may be known by its capitals; the first word of all has one anyway.
  const names = [
    ...text.replace(PATHS, ' ').matchAll(/(?<=[^.!?\s] )\p{Lu}[\p{L}\d'-]*(?: \p{Lu}[\p{L}\d'-]*)*/gu),
  ].map(([name]) => name);
  const found = inQuotes.length > 0 ? inQuotes : names;
  const texts = /\binstead of\b/i.test(text) ? found.toReversed() : found;
  return {
    text: (place, otherwise) => quotedText(texts[place] ?? otherwise),
    page: (place, otherwise) => pages[place] ?? otherwise,
    hasPage: pages.length > 0,
  };
}

function quotedText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line);
}

function address(path: string): string {
  return path.startsWith('/') ? path : `/${path.replace(/\.mdx?$/, '')}`;
}
