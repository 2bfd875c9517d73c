import { dirname, join } from 'node:path/posix';
import { fieldOf, fieldsOf, itemsOf, textOf, type Place, type StaticValue } from '../config/static-value.ts';
import { inRepository } from '../read/repository-path.ts';

type Read = (path: string) => string | null;

/** The capitalized components of `@theme/MDXComponents` in @docusaurus/theme-classic 3.10.2. */
const PROVIDED = ['Head', 'Details'];
/** Themes and plugins that provide no further ones. */
const PLAIN_THEME =
  /^@docusaurus\/|^(?:classic|mermaid|live-codeblock|search-algolia)$|search|typesense|lunr|llms|github-codeblock|sass|image-zoom/;
const ENDINGS = ['.js', '.jsx', '.ts', '.tsx', '/index.js', '/index.jsx', '/index.ts', '/index.tsx'];
/** Remark plugins that put imports or components into pages. */
const PROVIDING = /auto-?import|remark-?import|components?|code-?hike|partials?|includes?|transclu/i;
const MAX_FILES = 20;
const MAX_SPREAD = 50;

/**
 * Components that pages of a Docusaurus site may use without an import: those of its theme, and every name in
 * `src/theme/MDXComponents` and its relative imports. Null if a theme, a preprocessor or a plugin could
 * provide others. https://docusaurus.io/docs/markdown-features/react#mdx-component-scope
 * @param texts the files of the configuration
 */
export function docusaurusComponents(
  folder: string,
  config: StaticValue,
  texts: ReadonlyMap<string, string>,
  read: Read,
): ReadonlySet<string> | null {
  if (fieldOf(config, 'markdown', 'preprocessor')) return null;
  if (config.type !== 'object' || config.open || providerIn(config, texts)) return null;
  const known = new Set(PROVIDED);
  const own = ENDINGS.map((ending) => join(folder, 'src/theme/MDXComponents') + ending).find(
    (path) => read(path) !== null,
  );
  if (own === undefined) return known;
  const waiting = [own];
  const seen = new Set<string>();
  while (waiting.length > 0 && seen.size < MAX_FILES) {
    const path = waiting.pop()!;
    const found = ['', ...ENDINGS].map((ending) => path + ending).find((file) => read(file) !== null);
    if (found === undefined || seen.has(found)) continue;
    seen.add(found);
    const text = read(found)!;
    for (const [name] of text.matchAll(/[A-Za-z_$][\w$]*/g)) known.add(name);
    // Spread values from a package may have any names.
    const spread = [...text.matchAll(/\.\.\.\s*\(?\s*(\w+)/g)].map(([, name]) => name!);
    for (const name of spread.slice(0, MAX_SPREAD)) {
      const from = importOf(name, text);
      if (from !== undefined && !/^(?:\.|@site\/|@theme|@docusaurus\/)/.test(from)) return null;
      if (from?.startsWith('@theme/') && !/MDXComponents/.test(from)) return null;
    }
    for (const [, target] of text.matchAll(/(?:from\s+|require\(\s*)['"]((?:\.{1,2}|@site)\/[^'"\n]{1,300})['"]/g)) {
      const next = target!.startsWith('@site/')
        ? inRepository(folder, target!.slice(6))
        : inRepository(dirname(found), target!);
      if (next !== null) waiting.push(next);
    }
  }
  return known;
}

/** The source of an imported name. */
function importOf(name: string, text: string): string | undefined {
  for (const [, names, from] of text.matchAll(/\bimport\s+([^'"]{1,500}?)\s+from\s+['"]([^'"\n]{1,300})['"]/g)) {
    if (names!.split(/\W+/).includes(name)) return from;
  }
  return undefined;
}

/**
 * A theme, or a plugin of the pages' syntax, that may provide components or imports; null if there is
 * none.
 */
export function providerIn(
  config: StaticValue,
  texts: ReadonlyMap<string, string>,
): { name: string; at: Place } | null {
  const inList = (list: StaticValue | undefined, isPlain: (item: StaticValue) => boolean) => {
    if (list === undefined || (list.type === 'scalar' && !list.value)) return null;
    const doubtful = list.type === 'list' && !list.open ? list.items.find((item) => !isPlain(item)) : list;
    return doubtful ? { name: nameOf(doubtful, texts), at: doubtful.at } : null;
  };
  const [themes, presets, plugins] = ['themes', 'presets', 'plugins'].map((part) => fieldOf(config, part));
  const isPlain = (item: StaticValue) =>
    item.type === 'scalar' && !item.value ? true : PLAIN_THEME.test(nameOf(item, texts));
  const options = [...itemsOf(presets), ...itemsOf(plugins)].flatMap((one) => itemsOf(one)[1] ?? []);
  const parts = options.flatMap((own) => [
    own,
    ...['docs', 'blog', 'pages'].flatMap((part) => fieldOf(own, part) ?? []),
  ]);
  const syntax = parts.flatMap((part) =>
    [...fieldsOf(part)].flatMap(([name, list]) => (/(?:remark|rehype|recma)Plugins$/i.test(name) ? [list] : [])),
  );
  return (
    inList(themes, isPlain) ??
    inList(presets, isPlain) ??
    inList(plugins, (item) => !/theme/.test(nameOf(item, texts)) || isPlain(item)) ??
    syntax
      .map((list) => inList(list, (item) => !PROVIDING.test(nameOf(item, texts))))
      .find((found) => found !== null) ??
    [...texts].flatMap(([path, text]) =>
      /getThemePath|mdxjsEsm/.test(text) ? [{ name: path, at: { path, start: 0, end: 0 } }] : [],
    )[0] ??
    null
  );
}

/** As the configuration writes it: a package, or a name in the program. */
function nameOf(item: StaticValue, texts: ReadonlyMap<string, string>): string {
  const named = itemsOf(item)[0] ?? item;
  const { path, start, end } = named.at;
  return textOf(named) ?? (texts.get(path) ?? '').slice(start, Math.min(end, start + 60)).split('\n')[0]!;
}
