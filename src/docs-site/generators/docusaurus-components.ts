import { dirname, join } from 'node:path/posix';
import { fieldOf, fieldsOf, itemsOf, textOf, type StaticValue } from '../config/static-value.ts';
import { inRepository } from '../read/repository-path.ts';

type Read = (path: string) => string | null;

/** What `@theme/MDXComponents` of @docusaurus/theme-classic 3.10.2 provides under capital letters. */
const PROVIDED = ['Head', 'Details'];
/** Themes and plugins that provide no further ones. */
const PLAIN_THEME =
  /^@docusaurus\/|^(?:classic|mermaid|live-codeblock|search-algolia)$|search|typesense|lunr|llms|github-codeblock|sass|image-zoom/;
const ENDINGS = ['.js', '.jsx', '.ts', '.tsx', '/index.js', '/index.jsx', '/index.ts', '/index.tsx'];
/** Remark and rehype plugins that change text and elements, and import nothing. */
const QUIET_PLUGIN =
  /npm2yarn|math|katex|gfm|emoji|toc|codesandbox|snackplayer|mermaid|code-?import|codeImport|twoslash|shiki|kroki|definition|footnote|abbr|figure|slug|autolink|prism|highlight|lint|externalLinks|external-links|image|ts2esm|tabs|directive|jargon|lqip|breaks|frontmatter|smartypants|supersub|unwrap/i;
const MAX_FILES = 20;
const MAX_SPREAD = 50;

/**
 * Components that pages of a Docusaurus site may use without importing them: those of its theme, and every name that
 * `src/theme/MDXComponents` and what it imports by path mention. Null where a theme, a preprocessor or a plugin could provide others.
 * https://docusaurus.io/docs/markdown-features/react#mdx-component-scope
 * @param texts files of the configuration that were read
 */
export function docusaurusComponents(
  folder: string,
  config: StaticValue,
  texts: ReadonlyMap<string, string>,
  read: Read,
): ReadonlySet<string> | null {
  if (fieldOf(config, 'markdown', 'preprocessor')) return null;
  if (config.type !== 'object' || !arePlain(config, texts)) return null;
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
    // What comes from a package and is spread may have any names.
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

/** Where a name is imported from. */
function importOf(name: string, text: string): string | undefined {
  for (const [, names, from] of text.matchAll(/\bimport\s+([^'"]{1,500}?)\s+from\s+['"]([^'"\n]{1,300})['"]/g)) {
    if (names!.split(/\W+/).includes(name)) return from;
  }
  return undefined;
}

/** Whether no theme and no plugin of the configuration provides components or imports. */
function arePlain(config: StaticValue, texts: ReadonlyMap<string, string>): boolean {
  const isPlainName = (value: StaticValue): boolean => {
    const name = textOf(value) ?? textOf(itemsOf(value)[0]);
    return name !== undefined ? PLAIN_THEME.test(name) : value.type === 'scalar';
  };
  const themes = fieldOf(config, 'themes');
  if (themes && (themes.type !== 'list' || themes.open || !themes.items.every(isPlainName))) return false;
  const presets = fieldOf(config, 'presets');
  if (presets && (presets.type !== 'list' || presets.open || !presets.items.every(isPlainName))) return false;
  const plugins = fieldOf(config, 'plugins');
  if (plugins && (plugins.type !== 'list' || plugins.open)) return false;
  for (const plugin of itemsOf(plugins)) {
    const name = textOf(plugin) ?? textOf(itemsOf(plugin)[0]);
    if (name !== undefined && /theme/.test(name) && !PLAIN_THEME.test(name)) return false;
  }
  if ([...texts.values()].some((text) => /getThemePath|mdxjsEsm/.test(text))) return false;
  const options = [...itemsOf(presets), ...itemsOf(plugins)].flatMap((one) => itemsOf(one)[1] ?? []);
  return options.every((own) => {
    const parts = [own, ...['docs', 'blog', 'pages'].flatMap((part) => fieldOf(own, part) ?? [])];
    return parts.every((part) =>
      [...fieldsOf(part)]
        .filter(([name]) => /(?:remark|rehype|recma)Plugins$/i.test(name))
        .every(
          ([, list]) => list.type === 'list' && !list.open && list.items.every((item) => isQuietPlugin(item, texts)),
        ),
    );
  });
}

function isQuietPlugin(item: StaticValue, texts: ReadonlyMap<string, string>): boolean {
  const { path, start, end } = itemsOf(item)[0]?.at ?? item.at;
  return QUIET_PLUGIN.test(textOf(item) ?? texts.get(path)?.slice(start, end) ?? '');
}
