import { dirname, join } from 'node:path/posix';
import { fieldsOf, itemsOf, textOf, type StaticValue } from '../config/static-value.ts';
import { inRepository } from '../read/repository-path.ts';
import type { Maker } from './makers.ts';
import { programText } from './program-text.ts';

type Read = (path: string) => string | null;

/**
 * Plugins that add no pages, by their short names. The code of the named ones was checked: none calls
 * `addRoute`, nor writes where pages are read (@docusaurus/* 3.10.2, @easyops-cn/docusaurus-search-local
 * 0.55.3, which makes /search,
 * @cmfcmf/docusaurus-search-local 2.0.1, docusaurus-lunr-search 3.6.1, @signalwire/docusaurus-plugin-llms-txt
 *   1.2.2, docusaurus-plugin-llms 0.6.1, -image-zoom 3.0.1, -matomo 0.0.8, -goatcounter 4.0.0,
 *   @dipakparmar/-umami 2.4.0, -copy-page-button 0.8.4, docusaurus-pushfeedback 1.0.9, docusaurus-biel
 *   1.0.12, -drawio 0.4.0, -json-schema-plugin 1.15.1, -module-alias 0.0.2). The others do the same work
 *   under other names.
 */
const QUIET =
  /client-redirects|sitemap|gtag|google|analytics|pwa|ideal-image|(^|\/)debug|css-cascade|svgr|search|mermaid|live-codeblock|vercel|rsdoctor|sass|scss|(^|[-/])less($|-)|tailwind|postcss|webpack|zoom|plausible|fathom|hotjar|gtm|tag-?manager|segment|posthog|matomo|goatcounter|umami|clarity|mixpanel|amplitude|heap|sentry|datadog|hubspot|intercom|yandex|baidu|pirsch|counter|tracking|cookie|consent|feedback|biel|kapa|inkeep|chat|copy-page|llms|dotenv|(^|[-/])env($|-)|proxy|polyfill|module-alias|drawio|json-schema-plugin|script-tags|panzoom|font|favicon|og-image|opengraph|theme|lunr|docsearch|algolia|typesense|orama|pagefind|storm|faster|remark|rehype/;

/** Words of programs that make pages or files; wrapped Docusaurus plugins may make any. */
const MAKING =
  /\baddRoute\s*[()]|\bactions\s*[,)]|plugin-content-|preset-classic|(?:write|append|output)(?:File|Json|JSON)|createWriteStream|copyFile|\bcp(?:Sync)?\(|copySync|\.copy\(|\bmkdir|execa?(?:Sync|File)?\(|spawn|\bfork\(|\.build\(|generate/;

const FUNCTION = /^\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>|\w+\s*=>|\{)/;
const IMPORT =
  /(?:import\s+(?=[^'"]{1,500}\sfrom)|(?:const|let|var)\s+(?=[^=]{1,300}=\s*require))([^'"=;]{1,300}?)(?:\s+from\s+|\s*=\s*require\(\s*)['"]([^'"\n]{1,300})['"]/g;

export function isQuiet(name: string): boolean {
  return QUIET.test(name);
}

/** Reads the programs of unknown plugins, if they are in the repository. They are not run. */
export class PluginSources {
  readonly #folder: string;
  readonly #configPath: string;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #read: Read;

  /** @param texts files of the configuration that were read */
  constructor(folder: string, configPath: string, texts: ReadonlyMap<string, string>, read: Read) {
    this.#folder = folder;
    this.#configPath = configPath;
    this.#texts = texts;
    this.#read = read;
  }

  /** A plugin by its name: a package, or a file of the repository. Null if it makes no pages. */
  named(name: string, short: string, options: StaticValue | undefined, at: Maker['at']): Maker | null {
    const folders = foldersIn(options, this.#folder);
    if (!/^\.{0,2}\//.test(name)) return { name: `The plugin ${name}`, at, key: short, source: null, folders };
    const source = programText(inRepository(this.#folder, name), this.#read);
    if (source !== null && !MAKING.test(source)) return null;
    return { name: `The plugin ${name}`, at, key: name, source, folders };
  }

  /** A plugin in place: a function, an object, or what a call gives. Null if it makes no pages. */
  inPlace(value: StaticValue): Maker | null {
    const { path, start, end } = value.at;
    const text = this.#texts.get(path)?.slice(start, end) ?? '';
    const imported = /^[\w$]+$/.test(text)
      ? this.#importOf(text, path)
      : /^require\(\s*['"]([^'"]+)['"]\s*\)$/.exec(text)?.[1];
    if (imported !== undefined && !imported.startsWith('.')) {
      return isQuiet(imported) ? null : this.named(imported, imported, undefined, value.at);
    }
    if (imported !== undefined) {
      const source = programText(join(dirname(path), imported), this.#read);
      if (source !== null && !MAKING.test(source)) return null;
      return { name: `The plugin ${imported}`, at: value.at, key: imported, source, folders: [] };
    }
    const named = /__dirname|import\.meta|require\.resolve/.test(text) ? literals(text).join('/') : '';
    const file = named === '' ? null : programText(inRepository(this.#folder, named.replace(/^\/+/, '')), this.#read);
    const own = path === this.#configPath ? text : programText(path, this.#read);
    const source = file ?? (FUNCTION.test(text) && own !== null ? own + this.#importsOf(text, path) : null);
    if (source !== null && !MAKING.test(source)) return null;
    const key = /\bname:\s*['"`]([\w@/.-]+)['"`]/.exec(text)?.[1] ?? null;
    const name = key ?? (named || text.split('\n')[0]!.slice(0, 60).trim() || 'without a name');
    return { name: `The plugin ${name}`, at: value.at, key: key ?? (named || null), source, folders: [] };
  }

  /** Redirects that a function makes, or that are taken from elsewhere: their old addresses are not known. */
  redirects(value: StaticValue): Maker {
    const { path, start, end } = value.at;
    const text = this.#texts.get(path)?.slice(start, end) ?? '';
    const source = FUNCTION.test(text) ? text : null;
    return { name: 'A list of redirects that code computes', at: value.at, key: null, source, folders: [] };
  }

  /** The source of a name that a file imports. */
  #importOf(name: string, path: string): string | undefined {
    const text = this.#texts.get(path) ?? '';
    for (const [, names, from] of text.matchAll(IMPORT)) if (names!.split(/\W+/).includes(name)) return from;
    return undefined;
  }

  /** The sources of names that a part of a file imports. */
  #importsOf(part: string, path: string): string {
    const text = this.#texts.get(path) ?? '';
    const used = [...text.matchAll(IMPORT)]
      .filter(
        ([, names, from]) =>
          from!.startsWith('.') && names!.split(/\W+/).some((name) => name !== '' && part.includes(name)),
      )
      .map(([, , target]) => target!);
    return used.map((target) => programText(join(dirname(path), target), this.#read) ?? 'addRoute').join('\n');
  }
}

function literals(text: string): string[] {
  return [...text.matchAll(/['"`]([\w./-]{1,200})['"`]/g)].map(([, literal]) => literal!);
}

/**
 * Paths and addresses among options, without dots and slashes around them, and without the site's own folder.
 */
function foldersIn(options: StaticValue | undefined, siteFolder: string): string[] {
  const found = new Set<string>();
  const waiting = options ? [options] : [];
  for (let i = 0; waiting.length > 0 && i < 2_000; i++) {
    const value = waiting.pop()!;
    const text = textOf(value);
    if (text !== undefined && /^[\w@./-]{1,200}$/.test(text) && !/^\d|\.(?:ya?ml|json|[cm]?[jt]sx?|css)$/.test(text)) {
      const inside = text.startsWith('/') ? text : (inRepository(siteFolder, text) ?? '');
      const cleaned = inside.replace(siteFolder === '' ? /^$/ : new RegExp(`^${escaped(siteFolder)}/`), '');
      found.add(cleaned.replace(/^\/+|\/+$/g, ''));
    }
    waiting.push(...itemsOf(value), ...fieldsOf(value).values());
  }
  found.delete('');
  return [...found];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
