import {
  fieldOf,
  fieldsOf,
  isOpen,
  itemsOf,
  NOWHERE,
  textOf,
  type Place,
  type StaticValue,
} from '../config/static-value.ts';
import { below, inRepository } from '../read/repository-path.ts';
import { declaredHarmless, type Maker, type Unchecked } from './makers.ts';

const MAX_HOOK = 100_000;

type Read = (path: string) => string | null;

/**
 * Plugins that make pages or files during the build, by their packages' code (`on_files`, `File.generated`).
 * Plugins that only order the navigation, render a page's content, or write beside the site (search, tags,
 * macros 1.5.0, social, privacy, rss, minify, awesome-nav, literate-nav, section-index, mkdocstrings …) make
 * none that a link could mean.
 */
const GENERATING =
  /gen-?files|autonav|auto-?api|mono-?repo|multi-?repo|simple|typedoc|gallery|import-?url|external|git-?snippet|build-plantuml|include_dir|include-dir|nav-?repo|coverage|print-site|with-pdf|projects|pdoc|doxy|mkdoxy|gitbook|schema_reader|swagger-page|asyncapi|autodoc|static-i18n|translat|generate|generator|pages-from|obsidian|alias|publisher|bundle|quiz|ansible|terraform|kcl|juvix|matlab/;

/** Folders of the known ones' pages, unless options name others. */
const USUAL_FOLDERS: readonly (readonly [RegExp, string])[] = [
  [/api-autonav/, 'api'],
  [/auto-?api/, 'autoapi'],
  [/coverage/, 'coverage'],
  [/print-site/, 'print_page'],
  [/gallery/, 'generated/gallery'],
];

/** Words of hooks and scripts that make pages or files. */
export const MAKING =
  /\bon_files\b|\bFile\(|File\.generated|mkdocs_gen_files|\bsubprocess\b|os\.system|shutil|write_(?:text|bytes)|\.write\(|open\([^)]{0,200}['"][wax]b?\+?['"]|mkdir|makedirs|urlretrieve/;

/** Plugins with which a link finds a file by its name alone, anywhere. */
const BY_NAME = /autolinks|ezlinks|roamlinks|wikilinks|obsidian/;

/** What may be made during the build of a MkDocs site. */
export function mkdocsMakers(
  folder: string,
  docs: string,
  plugins: ReadonlyMap<string, { options: StaticValue; at: Place }>,
  hooks: StaticValue | undefined,
  read: Read,
  docsDir?: string,
): Maker[] {
  const harmless = declaredHarmless(folder, read, docsDir);
  const makers: Maker[] = [];
  const inDocs = (path: string) => below(path, docs) ?? path;
  for (const [name, { options, at }] of plugins) {
    if (!GENERATING.test(name) || harmless.has(name)) continue;
    const usual = USUAL_FOLDERS.filter(([pattern]) => pattern.test(name)).map(([, made]) => made);
    const named = textsIn(options).map((text) => inDocs(text.replace(/^\.?\/+|\/+$/g, '')));
    const scripts = itemsOf(fieldOf(options, 'scripts')).flatMap((item) => textOf(item) ?? []);
    const texts = scripts.flatMap((path) => read(inRepository(folder, path) ?? '') ?? []);
    const isReadable = scripts.length > 0 && texts.length === scripts.length;
    makers.push({
      name: `The plugin ${name}`,
      at,
      key: name,
      source: isReadable ? texts.join('\n') : null,
      folders: isReadable ? [] : [...usual, ...named].filter((text) => text !== '' && text !== '.'),
    });
  }
  for (const hook of itemsOf(hooks)) {
    const path = textOf(hook);
    const source = path === undefined ? null : read(inRepository(folder, path) ?? '');
    if (path !== undefined && harmless.has(path)) continue;
    if (source !== null && !MAKING.test(source)) continue;
    makers.push({
      name: `The hook ${path ?? 'of the configuration'}`,
      at: hook.at,
      key: path ?? null,
      source,
      folders: [],
    });
  }
  if (hooks && isOpen(hooks))
    makers.push({ name: 'A hook that Docent cannot read', at: hooks.at, key: null, source: null, folders: [] });
  return makers;
}

/** Hooks that get a page's text: https://www.mkdocs.org/dev-guide/plugins/#page-events */
const CHANGING = /\bon_(?:page_(?:read_source|markdown|content|context)|post_page)\b/;
const PYTHON_TEXT = /"""[^]*?"""|(["'])((?:\\.|(?!\1)[^\\\n]){2,300})\1/g;
const LINK_SIGNS = /\.\w|\/|\]\\?\(|\b(?:href|src)\b/;

/** What hooks may change in pages. */
export interface MkdocsChanges {
  /** Whether a missing target may be one that a hook replaces. */
  mayReplace: (target: string) => boolean;
  unchecked: Unchecked[];
}

/** Hooks whose code names parts of links replace these, as far as can be seen without running them. */
export function mkdocsChanges(
  folder: string,
  hooks: StaticValue | undefined,
  read: Read,
  docsDir?: string,
): MkdocsChanges {
  const harmless = declaredHarmless(folder, read, docsDir);
  const changing = itemsOf(hooks).flatMap((hook) => {
    const path = textOf(hook);
    const source = path === undefined ? null : read(inRepository(folder, path) ?? '');
    if (path === undefined || source === null || harmless.has(path) || !CHANGING.test(source)) return [];
    const texts = [...source.slice(0, MAX_HOOK).matchAll(PYTHON_TEXT)].flatMap(([, , text]) =>
      text !== undefined && LINK_SIGNS.test(text) ? [text] : [],
    );
    return texts.length === 0 ? [] : [{ path, at: hook.at, texts }];
  });
  const names = changing.flatMap(({ texts }) => texts);
  const isAny = names.some((text) => /\]\\?\(|\b(?:href|src)\s*=/.test(text));
  return {
    mayReplace: (target) =>
      isAny || target.split('/').some((part) => part.length > 2 && names.some((text) => text.includes(part))),
    unchecked: changing.map(({ path, at }) => ({
      at,
      message:
        `The hook ${path} changes pages during the build. Links to missing files${isAny ? '' : ' that its code names'} ` +
        `are not reported. If it changes no links, add to .docent.json: { "pluginsWithoutPages": [${JSON.stringify(path)}] }.`,
    })),
  };
}

export function findsByName(plugins: Iterable<string>): boolean {
  return [...plugins].some((name) => BY_NAME.test(name));
}

/**
 * Names, options and places of `- name`, `- name: {…}` and `name: {…}`. Includes the plugins in groups.
 */
export function mkdocsPlugins(
  value: StaticValue | undefined,
  depth = 0,
): Map<string, { options: StaticValue; at: Place }> {
  const found = new Map<string, { options: StaticValue; at: Place }>();
  const add = (name: string, options: StaticValue, at: Place) => {
    found.set(name, { options, at });
    if (/(?:^|\/)group$/.test(name) && depth < 3)
      for (const [own, plugin] of mkdocsPlugins(fieldOf(options, 'plugins'), depth + 1)) found.set(own, plugin);
  };
  for (const [name, options] of fieldsOf(value)) add(name, options, options.at);
  for (const item of itemsOf(value)) {
    const name = textOf(item);
    if (name !== undefined) add(name, { type: 'unknown', at: NOWHERE }, item.at);
    for (const [key, options] of fieldsOf(item)) add(key, options, item.at);
  }
  return found;
}

/** Paths in options, including keys of maps. */
function textsIn(options: StaticValue): string[] {
  const found: string[] = [];
  const waiting: StaticValue[] = [options];
  for (let i = 0; waiting.length > 0 && i < 2_000; i++) {
    const value = waiting.pop()!;
    const text = textOf(value);
    if (text !== undefined && /^[\w@./-]{2,200}$/.test(text)) found.push(text);
    waiting.push(...itemsOf(value), ...fieldsOf(value).values());
  }
  return found;
}
