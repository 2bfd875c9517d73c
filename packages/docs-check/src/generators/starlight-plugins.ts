import { dirname, join } from 'node:path/posix';
import { isOpen, type StaticValue } from '../config/static-value.ts';
import { declaredHarmless, type Maker, type Unchecked } from './makers.ts';

type Read = (path: string) => string | null;

/** What a site's integrations and plugins may add to its pages. */
export interface StarlightPlugins {
  makers: Maker[];
  /** A plugin of Markdown may give headings any id. */
  anyId: boolean;
  /** A plugin of Markdown may make addresses of links to files. */
  rewritesLinks: boolean;
  /** A plugin may change the sidebar. */
  ordersPages: boolean;
  /** Components may exist without an import. */
  givesComponents: boolean;
  unchecked: Unchecked[];
}

/** Packages that make neither pages nor files, or only such as are never linked. */
const QUIET =
  /^(?:node:|astro(?:$|\/|-icon|-expressive-code|-robots-txt|-compress|-mermaid|-d2)|@astrojs\/|@?vite|@tailwindcss\/|tailwindcss|@expressive-code\/|expressive-code|shiki|@shikijs\/|unocss|@unocss\/|hast|mdast|unist|unified|satteri|path$|fs$|url$|os$|process$|crypto$|child_process$|zod|@playform\/|@fontsource|@sentry\/|@spotlightjs|starlight-(?:links-validator|image-zoom|heading-badges|theme|ui-tweaks|kbd|utils|sidebar-topics(?!-)|auto-sidebar|auto-drafts|view-modes|scroll-to-top|github-alerts|videos|showcases|contextual-menu|page-actions|package-managers|fullview-mode|markdown-blocks|giscus|cooler-credit|dot-md|site-graph|docsearch|giscus|announcement|codeblock-fullscreen|toc-overview-customizer|plugin-icons|plugin-show-latest-version|ion-theme|nextjs-theme)|@catppuccin\/|@lorenzo_lewis\/starlight-utils|@pasqal-io\/starlight-client-mermaid|astrojs-service-worker$)/;
/** Known output of the others. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  'starlight-llms-txt': ['llms.txt', 'llms-full.txt', 'llms-small.txt', '_llms-txt'],
  'starlight-blog': ['blog', 'rss.xml'],
  '@lunariajs/starlight': ['lunaria'],
};
/** Markdown plugins that give headings no ids, and leave links unchanged. */
const QUIET_MARKDOWN =
  /^(?:remark-(?:math|gfm|smartypants|directive|emoji|breaks|toc|mdx-code-meta|mermaidjs|github-blockquote-alert|attribute-list)|rehype-(?:katex|mathjax|mermaid|external-links|autolink-headings|slug|figure|raw|class-names|pretty-code|expressive-code|img-size|plugin-image-native-lazy-loading|add-classes)|@beoe\/)/;
const MAKING =
  /injectRoute|(?:write|append)File|createWriteStream|copyFile|\bcp(?:Sync)?\(|mkdir|execa?(?:Sync|File)?\(|spawn|\bgenerate\w*\(/;
const MAKING_IDS = /\bid\b['"]?\s*[:=](?!=)|\.id\s*=(?!=)|hProperties|['"]id['"]\s*,/;
const MAKING_LINKS = /\.url\s*=(?!=)|href\b['"]?\s*[:=](?!=)|\.mdx?\b/;
const IMPORT = /^[ \t]*import\s+(?!type\b)(?:[^'";]{1,500}?\sfrom\s+)?['"]([^'"\n]{1,300})['"]/gm;
const ENDINGS = ['', '.ts', '.js', '.mjs', '.mts', '/index.ts', '/index.js', '/index.mjs'];

/**
 * Judges what the configuration imports. Programs of the repository are looked into and never run.
 * @param texts files of the configuration that were read
 */
export function starlightPlugins(
  configPath: string,
  folder: string,
  texts: ReadonlyMap<string, string>,
  redirects: StaticValue | undefined,
  contentConfig: string | null,
  read: Read,
): StarlightPlugins {
  const harmless = declaredHarmless(folder, read);
  const found: StarlightPlugins = {
    makers: [],
    anyId: false,
    rewritesLinks: false,
    ordersPages: false,
    givesComponents: false,
    unchecked: [],
  };
  const text = texts.get(configPath) ?? read(configPath) ?? '';
  for (const match of text.matchAll(IMPORT)) {
    const name = match[1]!;
    const start = match.index + match[0].lastIndexOf(name);
    const at = { path: configPath, start, end: start + name.length };
    if (/starlight-/.test(name) && !/links-validator|image-zoom|theme/.test(name)) found.ordersPages = true;
    if (/auto-import|auto_import/.test(name)) found.givesComponents = true;
    if (harmless.has(name) || /^@astrojs\/(?!markdoc)|node_modules\/|\.json$/.test(name)) continue;
    if (name === '@astrojs/markdoc')
      found.unchecked.push({ at, message: 'Markdoc pages (.mdoc) are not read, so links in them are not checked.' });
    const isMarkdown = /(?:^|\/|-)(?:remark|rehype)(?:-|$)|^@beoe/.test(name);
    if (name.startsWith('.')) {
      const source = programOf(join(dirname(configPath), name), read);
      if (source === null || MAKING.test(source)) {
        found.makers.push({ name: `What ${name} does`, at, key: name, source, folders: [] });
      }
      if (source !== null && /\bremark|\brehype|mdast|hast/i.test(source))
        markdown(name, at, MAKING_IDS.test(source), MAKING_LINKS.test(source));
      if (source !== null && /config:setup/.test(source)) found.givesComponents = true;
    } else if (isMarkdown) {
      if (!QUIET_MARKDOWN.test(name)) markdown(name, at, true, true);
    } else if (!QUIET.test(name)) {
      found.givesComponents = true;
      found.makers.push({ name: `The package ${name}`, at, key: name, source: null, folders: MADE[name] ?? [] });
    }
  }
  // Loaders of other packages make pages below the addresses that they are given.
  const bases = [...(contentConfig ?? '').matchAll(/\b(?:base|prefix|basePath)\s*:\s*['"]([^'"\n]{1,200})['"]/g)];
  const cleaned = bases.map(([, base]) => base!.replace(/^[./]+|\/+$/g, '')).filter((base) => base !== '');
  if (cleaned.length > 0 && found.makers.length > 0) {
    const { at } = found.makers[0]!;
    found.makers.push({ name: 'What loads other collections', at, key: null, source: null, folders: cleaned });
  }
  if (redirects && isOpen(redirects)) {
    found.makers.push({
      name: 'A list of redirects that code computes',
      at: redirects.at.path === '' ? { path: configPath, start: 0, end: 0 } : redirects.at,
      key: null,
      source: null,
      folders: [],
    });
  }
  return found;

  function markdown(name: string, at: Maker['at'], givesIds: boolean, rewritesLinks: boolean): void {
    found.rewritesLinks ||= rewritesLinks;
    if (!givesIds) return;
    found.anyId = true;
    found.unchecked.push({
      at,
      message:
        `${name} may change heading IDs, so anchors are not checked. If it does not, add to .docent.json: ` +
        `{ "pluginsWithoutPages": [${JSON.stringify(name)}] }.`,
    });
  }
}

function programOf(path: string, read: Read): string | null {
  for (const ending of ENDINGS) {
    const text = read(path + ending);
    if (text !== null) return text;
  }
  return null;
}
