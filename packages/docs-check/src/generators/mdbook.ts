import type { Place } from '../config/static-value.ts';
import { isTable, readToml, tableIn, textIn, textsIn, type Table } from '../config/toml-value.ts';
import { folderOf } from '../read/folder.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { below, inRepository } from '../read/repository-path.ts';
import type { Generator, GeneratorEntry, GeneratorRedirect } from './generator.ts';
import { declaredHarmless } from './makers.ts';
import { htmlOf, MdbookAddresses, type MdbookLayout } from './mdbook-addresses.ts';
import { preprocessed, type Preprocessor } from './mdbook-preprocessors.ts';
import { readSummary } from './mdbook-summary.ts';

/** The path of a book's `SUMMARY.md`, which makes a folder with a `book.toml` a book. */
export function mdbookSummaryPath(configPath: string, read: (path: string) => string | null): string {
  return join(sourceOf(folderOf(configPath), readToml(read(configPath) ?? '').table), 'SUMMARY.md');
}

/**
 * Reads `book.toml` (https://rust-lang.github.io/mdBook/format/configuration/index.html) and `SUMMARY.md`.
 * The effects of preprocessors are unknown, except for known ones.
 */
export function readMdbook(configPath: string, read: (path: string) => string | null): Generator {
  const text = read(configPath) ?? '';
  const { table, problem } = readToml(text);
  const folder = folderOf(configPath);
  const source = sourceOf(folder, table);
  const summaryPath = join(source, 'SUMMARY.md');
  const summary = read(summaryPath);
  const chapters = readSummary(summaryPath, summary ?? '');
  const entries: GeneratorEntry[] = (chapters ?? []).map(({ value, at }) => ({ value, at, scope: source }));
  const build = tableIn(table, 'build');
  const html = tableIn(tableIn(table, 'output'), 'html');
  const usesDefaults = build['use-default-preprocessors'] !== false;
  const named = tableIn(table, 'preprocessor');
  const preprocessors = Object.entries(named).map(([name, options]): Preprocessor => {
    const command = isTable(options) ? options.command : undefined;
    return { name, at: headerOf(configPath, text, name), command: typeof command === 'string' ? command : null };
  });
  const made = preprocessed(preprocessors, folder, declaredHarmless(folder, read), read);
  const files = new Set(entries.flatMap(({ value }) => chapterPath(source, value) ?? []));
  const redirects = redirectsOf(configPath, text, tableIn(html, 'redirect'));
  const siteUrl = textIn(html, 'site-url');
  const layout: MdbookLayout = {
    source,
    summaryPath,
    chapters: [...files],
    indexesReadme: usesDefaults || 'index' in named,
    takesIn: usesDefaults || 'links' in named,
    makesMissing: build['create-missing'] !== false,
    basePath: siteUrl?.startsWith('/') ? siteUrl.replace(/\/+$/, '') : null,
    redirects,
    notFoundPage: textIn(html, 'input-404') ?? '404.md',
    copied: ['additional-css', 'additional-js'].flatMap((name) => textsIn(html, name)),
    made,
  };
  const builds = inRepository(folder, textIn(build, 'build-dir') ?? 'book');
  const isPage = (path: string) => {
    if (files.has(path)) return true;
    const inside = below(path, source);
    if (inside === null || pageFormatOf(path) !== 'markdown' || /(^|\/)\./.test(inside)) return false;
    return builds === null || builds === '' || below(path, builds) === null;
  };
  const chapterFolders = new Set([...files].map(folderOf));
  return {
    folder,
    root: source,
    content: [source],
    texts: new Map([[configPath, text], ...(summary === null ? [] : [[summaryPath, summary] as const])]),
    problems: problem ? [{ path: configPath, ...problem }] : redirectedChapters(configPath, layout),
    unchecked: problem ? [] : made.unchecked,
    navigation: {
      entries,
      isWhole: chapters !== null && summary !== null,
      mayBeLeftOut: (path) =>
        path === summaryPath || below(path, source) === layout.notFoundPage || !chapterFolders.has(folderOf(path)),
      edit: { path: summaryPath, format: 'summary' },
      makesMissing: layout.makesMissing,
      isWholeSite: true,
    },
    hasTemplates: false,
    components: null,
    redirects: { path: configPath, format: 'code', pairs: redirects },
    definesLabels: made.labels,
    dialectOf: () => 'mdbook',
    isPage,
    isPartial: (path) => !files.has(path) && below(path, source) !== layout.notFoundPage,
    addresses: (set) => new MdbookAddresses(layout, set),
  };
}

/** The file of a chapter: mdBook only decodes blanks. */
function chapterPath(source: string, value: string): string | null {
  return value.startsWith('/') ? null : inRepository(source, value.replaceAll('%20', ' '));
}

/**
 * https://rust-lang.github.io/mdBook/format/configuration/renderers.html#outputhtmlredirect: the build stops
 * if a chapter is redirected.
 */
function redirectedChapters(configPath: string, { chapters, source, indexesReadme, redirects }: MdbookLayout) {
  const pages = new Set(chapters.map((path) => htmlOf(path, source, indexesReadme)));
  return redirects.flatMap(({ from, at }) =>
    at && from.startsWith('/') && pages.has(from.slice(1))
      ? [{ path: configPath, offset: at.start, message: `it redirects ${JSON.stringify(from)}, which is a chapter` }]
      : [],
  );
}

function sourceOf(folder: string, table: Table): string {
  return inRepository(folder, textIn(tableIn(table, 'book'), 'src') ?? 'src') ?? folder;
}

function redirectsOf(path: string, text: string, table: Table): GeneratorRedirect[] {
  const start = text.search(/^[ \t]*\[output\.html\.redirect\]/m);
  return Object.entries(table).flatMap(([from, to]): GeneratorRedirect[] => {
    if (typeof to !== 'string') return [];
    const at = start === -1 ? -1 : text.indexOf(`"${from}"`, start);
    const value = at === -1 ? -1 : text.indexOf(to, at + from.length + 2);
    const place =
      value === -1 || text.slice(at, value).includes('\n') ? undefined : { path, start: value, end: value + to.length };
    return [place ? { from, to, at: place } : { from, to }];
  });
}

function headerOf(path: string, text: string, name: string): Place {
  const start = Math.max(0, text.indexOf(`[preprocessor.${name}`));
  return { path, start, end: start };
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
