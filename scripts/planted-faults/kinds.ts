import { endsInProse, lineOf, placesOf } from './page-text.ts';

/** A page with one fault in it. */
export interface Planted {
  text: string;
  /** From 1. */
  line: number;
  what: string;
}

export interface FaultKind {
  name: string;
  /** Pages that it can be planted in. */
  fits: (path: string) => boolean;
  /** @param random from 0 to 1 @returns null if the page has no position for it */
  plant: (page: string, random: () => number) => Planted | null;
  /** The kinds of sites for which this is a fault; absent for all. */
  sites?: readonly string[];
}

const WORD = 'zzplanted';
const isAny = () => true;
const isMdx = (path: string) => path.endsWith('.mdx');
const MARKDOWN_LINK = /(?<!!)\[[^\]\n]*\]\(((?!https?:|mailto:|tel:|data:|#|<)[^)\s]+)\)/g;

/** Changes one of the places that a pattern finds. */
function changed(pattern: RegExp, change: (text: string) => string | null): FaultKind['plant'] {
  return (page, random) => {
    const places = placesOf(page, pattern).flatMap((place) => {
      const after = change(place.text);
      return after === null || after === place.text ? [] : [{ ...place, after }];
    });
    const place = places[Math.floor(random() * places.length)];
    if (!place) return null;
    const text = page.slice(0, place.start) + place.after + page.slice(place.end);
    return { text, line: lineOf(page, place.start), what: `${place.text} → ${place.after}` };
  };
}

/** Appends a paragraph to the page. */
function added(paragraph: string, at = 0): FaultKind['plant'] {
  return (page) => {
    if (!endsInProse(page)) return null;
    const before = `${page.trimEnd()}\n\n`;
    return { text: `${before}${paragraph}\n`, line: lineOf(before, before.length) + at, what: paragraph };
  };
}

/**
 * Another name for the last part of a path: `/guides/start.md#top` becomes `/guides/startzzplanted.md#top`.
 */
const misspelt = (target: string): string | null => {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(target) ?? [];
  const [, folder = '', name = '', extension = ''] = /^(.*\/)?([^/]+?)(\.\w+)?\/?$/.exec(path) ?? [];
  return /\w/.test(name) && !path.includes('{') ? `${folder}${name}${WORD}${extension}${rest}` : null;
};
const otherCase = (target: string): string | null => {
  const at = target.search(/[a-z](?=[^/]*(?:$|[#?]))/);
  return at < 0 || /[#{]/.test(target)
    ? null
    : target.slice(0, at) + target.charAt(at).toUpperCase() + target.slice(at + 1);
};
const IMAGE = /!\[[^\]\n]*\]\(((?!https?:|data:|<)[^)\s]+)\)/g;
const HTML_IMAGE = /<(?:img|Image)\b[^>]*?\bsrc=["']((?!https?:|data:)[^"'{]+)["']/g;
const HTML_LINK = /<(?:a|Card|LinkCard)\b[^>]*?\bhref=["']((?!https?:|mailto:|#)[^"'{]+)["']/g;

/** Faults that a reader meets or a build fails on. */
export const FAULT_KINDS: readonly FaultKind[] = [
  { name: 'link to a page, misspelt', fits: isAny, plant: changed(MARKDOWN_LINK, misspelt) },
  { name: 'link to a page, other case', fits: isAny, plant: changed(MARKDOWN_LINK, otherCase) },
  {
    name: 'anchor of another page, misspelt',
    fits: isAny,
    plant: changed(/(?<!!)\[[^\]\n]*\]\((?!https?:|mailto:)[^)#\s]+#([\w-]+)\)/g, (hash) => `${hash}-${WORD}`),
  },
  {
    name: 'anchor of the same page, misspelt',
    fits: isAny,
    plant: changed(/\[[^\]\n]*\]\(#([\w-]+)\)/g, (hash) => `${hash}-${WORD}`),
  },
  { name: 'anchor of the same page, new', fits: isAny, plant: added(`See [there](#${WORD}-heading).`) },
  { name: 'relative link, new', fits: isAny, plant: added(`See [there](./${WORD}-page.md).`) },
  { name: 'image, misspelt', fits: isAny, plant: changed(IMAGE, misspelt) },
  { name: 'image, new', fits: isAny, plant: added(`![A picture](./${WORD}.png)`) },
  { name: 'image of HTML, misspelt', fits: isAny, plant: changed(HTML_IMAGE, misspelt) },
  { name: 'link of HTML, misspelt', fits: isAny, plant: changed(HTML_LINK, misspelt) },
  {
    name: 'definition to no page',
    fits: isAny,
    plant: added(`See [there][${WORD}].\n\n[${WORD}]: ./${WORD}-page.md`, 2),
  },
  { name: 'reference without a definition', fits: isAny, plant: added(`See [there][${WORD}-nowhere].`) },
  {
    name: 'front matter that is no YAML',
    fits: isAny,
    plant: (page) =>
      page.startsWith('---\n')
        ? { text: page.replace('---\n', `---\n${WORD}: [one, "two\n`), line: 2, what: 'front matter' }
        : null,
  },
  { name: 'tag that is never closed', fits: isMdx, plant: added('<div>\n\nOpen for ever.') },
  { name: 'brace that is never closed', fits: isMdx, plant: added('Open for { ever.') },
  {
    name: 'component that nobody knows',
    fits: isMdx,
    plant: added('<ZzPlantedComponent />'),
    sites: ['docusaurus', 'docs.json', 'mint.json'],
  },
  {
    name: 'import of no file',
    fits: isMdx,
    plant: changed(/^import [^\n]*? from ['"](\.{1,2}\/[^'"\n]+|@site\/[^'"\n]+|\/[^'"\n]+)['"]/gm, misspelt),
  },
  {
    name: 'Vue template that is never closed',
    fits: (path) => path.endsWith('.md'),
    plant: added('<div>\n\nOpen for ever.'),
    sites: ['vitepress'],
  },
  {
    name: 'Vue expression that is none',
    fits: (path) => path.endsWith('.md'),
    plant: added('It is {{ open. }}.'),
    sites: ['vitepress'],
  },
  {
    name: 'code from no file',
    fits: (path) => path.endsWith('.md'),
    plant: added(`<<< @/${WORD}/snippet.ts`),
    sites: ['vitepress'],
  },
  {
    name: 'file that is taken in, misspelt',
    fits: (path) => path.endsWith('.md'),
    plant: changed(/(?<!\\)\{\{#(?:rustdoc_)?include[ \t]+([^}\s:]+)/g, misspelt),
    sites: ['mdbook'],
  },
];
