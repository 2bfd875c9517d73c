import { isTable, tableIn, tablesIn, textIn, textsIn, type Table } from '../config/toml-value.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { below, inRepository } from '../read/repository-path.ts';
import type { Generator } from './generator.ts';
import { HugoAddresses, isComputed, type HugoLanguage, type HugoLayout, type HugoMount } from './hugo-addresses.ts';
import { hugoFolder, readHugoConfig } from './hugo-config.ts';
import type { Unchecked } from './makers.ts';
import { hostRedirects, redirectsOfFile } from './redirects-file.ts';

type Read = (path: string) => string | null;

const SETTING = /^[ \t]*["']?(?:baseURL|languageCode|defaultContentLanguage)["']?[ \t]*[=:]/im;

/**
 * Whether a file of this name is a Hugo configuration: until 0.110 it was called `config`, like many others.
 */
export function isHugoConfig(path: string, text: string): boolean {
  return /(?:^|\/)hugo\.\w+$|(?:^|\/)config\/_default\//.test(path) || SETTING.test(text);
}

/** Hugo's own shortcodes, none of which gives an element an id. */
const OWN_SHORTCODES =
  /^(?:comment|details|figure|gist|highlight|instagram|param|qr|ref|relref|tweet|vimeo|x|youtube)$/;
const MAX_PARTS = 20;
const MAY_SHOW_IDS = /\bid\s*=|<h[1-6]\b|Content\b|RenderShortcodes|GetPage|readFile|^#{1,6} |\.Get\b[^}]*"id"/im;

/**
 * Reads Hugo's configuration (https://gohugo.io/configuration/). Themes and modules outside the repository
 * may resolve links in their own way and add files: targets that only they could know are assumed to be
 * valid.
 */
export function readHugo(configPath: string, read: Read, _docsDir?: string, paths: readonly string[] = []): Generator {
  const folder = hugoFolder(configPath);
  const { table, texts, problems } = readHugoConfig(configPath, read, paths);
  const inside = (name: string) => inRepository(folder, name) ?? folder;
  const { components, imported, isMissing } = componentsOf(table, folder, paths, read);
  const languages = languagesOf(table);
  const mounts = mountsOf(table, folder, components, languages);
  const content = mounts.filter(({ target }) => target === 'content' || target.startsWith('content/'));
  const layouts = components.map((component) => join(component, 'layouts/'));
  const templates = paths.filter((path) => layouts.some((place) => path.startsWith(place)));
  // Every page needs a template: if none is here, a theme has them.
  const isForeign = isMissing || !templates.some((path) => path.endsWith('.html'));
  // Feeds and other formats have their own: `render-heading.rss.xml`.
  const hooksOf = (name: string) =>
    templates.filter((path) => path.includes(`_markup/render-${name}`) && path.endsWith('.html'));
  const markup = tableIn(table, 'markup');
  const goldmark = tableIn(markup, 'goldmark');
  const parser = tableIn(goldmark, 'parser');
  const idType = textIn(parser, 'autoheadingidtype');
  const handler = textIn(markup, 'defaultmarkdownhandler') ?? 'goldmark';
  const linkHooks = hooksOf('link');
  const ownIds = hooksOf('heading').find((path) => !/\.Anchor\b/.test(read(path) ?? ''));
  const isWithoutIds = idType === 'blackfriday' || parser['autoheadingid'] === false;
  const adapters = paths.filter((path) => /(?:^|\/)_content\.gotmpl$/.test(path));
  const embedded = tableIn(tableIn(goldmark, 'renderhooks'), 'link');
  const baseUrl = textIn(table, 'baseurl') ?? '';
  const redirectTemplates = writesRedirects(table)
    ? templates
        .filter((path) => /redirects/i.test(path))
        .map((path) => (read(path) ?? '').replaceAll(/\{\{(?!-?\s*\/\*)[^{}\n]{1,200}\}\}/g, withoutExpression))
    : [];
  const writtenRedirects = redirectTemplates.flatMap(redirectsOfFile);
  const layout: HugoLayout = {
    content,
    files: mounts.filter(({ target }) => target === 'static' || target.startsWith('static/')),
    assets: mounts.filter(({ target }) => target === 'assets' || target.startsWith('assets/')),
    languages,
    basePath: pathOf(baseUrl),
    builds: {
      drafts: table['builddrafts'] === true,
      future: table['buildfuture'] === true,
      expired: table['buildexpired'] === true,
    },
    isUgly: table['uglyurls'] === true,
    keepsCase: table['disablepathtolower'] === true,
    showsHtml: isForeign || tableIn(goldmark, 'renderer')['unsafe'] === true || handler !== 'goldmark',
    followsPages:
      isForeign ||
      linkHooks.length > 0 ||
      languages.length > 1 ||
      embedded['enabledefault'] === true ||
      (textIn(embedded, 'useembedded') ?? 'auto') !== 'auto',
    followsAssets:
      isForeign ||
      hooksOf('image').length > 0 ||
      languages.length > 1 ||
      isTable(tableIn(goldmark, 'renderhooks')['image']),
    ownTargets: new Set(linkHooks.flatMap((path) => textsOf(read(path) ?? ''))),
    isForeign,
    permalinks: permalinksOf(tableIn(table, 'permalinks')),
    generated: [
      ...taxonomiesOf(table),
      ...adapters.flatMap((path) => content.flatMap((mount) => logical(mount, path.replace(/_content\.gotmpl$/, 'x')))),
      ...imported.content,
    ],
    formats: Object.values(tableIn(table, 'outputformats')).flatMap((format) =>
      isTable(format) ? (textIn(format, 'path') ?? []) : [],
    ),
    redirects: [
      ...mounts.flatMap(({ source, target }) =>
        target === 'static' ? redirectsOfFile(read(join(source, '_redirects'))) : [],
      ),
      ...hostRedirects(folder, read),
      ...writtenRedirects,
    ].map(([from]) => from),
    computesRedirects: redirectTemplates.some((text) => COMPUTED.test(text)),
  };
  const at = { path: configPath, start: 0 };
  const unchecked: Unchecked[] = [];
  if (isForeign) unchecked.push({ at, message: FOREIGN });
  if (handler !== 'goldmark') unchecked.push({ at, message: otherParser(handler) });
  if (ownIds !== undefined) unchecked.push({ at: { path: ownIds, start: 0 }, message: OWN_IDS });
  if (isWithoutIds) unchecked.push({ at, message: OTHER_IDS });
  const dates = layout.permalinks.filter(({ pattern }) => !isComputed(pattern));
  if (dates.length > 0) unchecked.push({ at, message: ownPermalinks(dates.map(({ pattern }) => pattern)) });
  if (layout.computesRedirects) unchecked.push({ at, message: COMPUTED_REDIRECTS });
  if (adapters.length > 0) unchecked.push({ at, message: madePages(adapters) });
  const rendering = templates.filter(
    (path) => /\/_?shortcodes\//.test(path) && /\bmarkdownify\b/.test(read(path) ?? ''),
  );
  const usual = textIn(embedded, 'useembedded') ?? 'auto';
  const isEmbedded = usual === 'auto' ? languages.length > 1 : usual !== 'never';
  if (isEmbedded && linkHooks.length === 0 && rendering.length > 0)
    unchecked.push({ at: { path: rendering[0]!, start: 0 }, message: renderedApart(rendering) });
  const isPage = (path: string) =>
    pageFormatOf(path) !== null && content.some((mount) => logical(mount, path).length > 0) && !/(^|\/)\./.test(path);
  const leaves = new Set(paths.filter((path) => /(?:^|\/)index(?:\.[\w-]+)?\.\w+$/.test(path)).map(folderPath));
  return {
    folder,
    root: content[0]?.source ?? inside('content'),
    content: [...new Set(content.map(({ source }) => source))],
    texts,
    problems,
    unchecked,
    navigation: null,
    hasTemplates: false,
    hasOwnIds: handler !== 'goldmark' || isWithoutIds || ownIds !== undefined,
    components: null,
    redirects: null,
    mayShowIds: (_, module) => {
      const name = module.replace('shortcode:', '');
      const own = ['html', 'md'].flatMap((ending) =>
        layouts.flatMap((place) => ['shortcodes', '_shortcodes'].map((kind) => `${place}${kind}/${name}.${ending}`)),
      );
      const text = own.map(read).find((one) => one !== null);
      return text === undefined || text === null ? !OWN_SHORTCODES.test(name) : mayShow(text, layouts, read);
    },
    dialectOf: () => (idType === 'github-ascii' ? 'hugo-ascii' : 'hugo'),
    isPage,
    // Files beside an `index.md` are resources of that page.
    isPartial: (path) =>
      !isPage(path) || (leaves.has(folderPath(path)) && !/(?:^|\/)_?index(?:\.[\w-]+)?\.\w+$/.test(path)),
    addresses: (set, fieldsOf) => new HugoAddresses(layout, set, fieldsOf),
  };
}

/** Whether a template, or a part that it names, may give an element an id. */
function mayShow(template: string, layouts: readonly string[], read: Read, depth = 0): boolean {
  const top = layouts[0]!.replace(/layouts\/$/, '');
  const unread = template.replaceAll(/\breadFile[ \t]+"\/?([^"\n]{1,200})"/g, (whole, name: string) => {
    const text = read(`${top}${name}`);
    return text === null || MAY_SHOW_IDS.test(text) ? whole : '';
  });
  if (depth > 3 || MAY_SHOW_IDS.test(unread)) return true;
  const named = [...template.matchAll(/\b(?:partial(?:Cached)?|template)[ \t]+(?:"([^"\n]{1,200})")?/g)];
  if (named.length > MAX_PARTS) return true;
  for (const [, name] of named) {
    // Only the build knows which one.
    if (name === undefined) return true;
    const file = /\.\w+$/.test(name) ? name : `${name}.html`;
    const places = layouts.flatMap((place) => ['partials', '_partials'].map((kind) => `${place}${kind}/${file}`));
    const text = places.map(read).find((one) => one !== null);
    if (text === undefined || text === null || mayShow(text, layouts, read, depth + 1)) return true;
  }
  return false;
}

const FOREIGN =
  'The repository lacks some themes and modules of the site, so links and files that may come from them, and ' +
  'anchors of pages with their shortcodes, are not checked. Add the themes or _vendor (`hugo mod vendor`) to the repository to have them checked.';

/** What an expression in a template of redirects leaves: a mark for those that use redirects of pages. */
function withoutExpression(expression: string): string {
  return /\bParams\.\w*redirect/i.test(expression) ? ':computed' : ':any';
}

/** Also a whole address from an expression: `{{ printf "/%s" $name }} /docs/`. */
const COMPUTED = /:computed|^[ \t]*:any\S*[ \t]+(?:\/|https?:)/m;

const COMPUTED_REDIRECTS =
  'A template computes the addresses in _redirects, so links that begin with / and lead to no page are ' +
  'not checked. Use `aliases` to have them checked.';

/** Whether an output format makes the host's file of redirects. */
function writesRedirects(table: Table): boolean {
  const formats = Object.values(tableIn(table, 'outputformats'));
  return formats.some((format) => isTable(format) && textIn(format, 'basename') === '_redirects');
}

function otherParser(name: string): string {
  return (
    `Pages are rendered with ${name} instead of Goldmark, so anchors are not checked. Remove ` +
    'markup.defaultMarkdownHandler to have them checked.'
  );
}

const OWN_IDS =
  'The template for headings makes its own IDs, so anchors are not checked. Use `.Anchor` to have them checked.';
const OTHER_IDS =
  'The configuration changes the IDs of headings (autoHeadingID, autoHeadingIDType), so anchors are not checked. ' +
  'Use the types `github` or `github-ascii` to have them checked.';

function ownPermalinks(patterns: readonly string[]): string {
  return (
    `Addresses by ${patterns.slice(0, 3).join(', ')} (permalinks) depend on dates and titles, so links to ` +
    `them are not checked. Use \`:sections\`, \`:slugorcontentbasename\`, \`:contentbasename\` or ` +
    `\`:filename\` to have them checked.`
  );
}

/** Hugo's own link template takes them for links of the home page: `tpl/tplimpl/embedded/templates/_markup/render-link.html`. */
function renderedApart(templates: readonly string[]): string {
  const names = templates.map((path) => path.replace(/^.*\/|\.\w+$/g, ''));
  return `The shortcodes ${names.slice(0, 3).join(', ')} render text with markdownify, which resolves links from the home page. Links in such text are checked as if they were in the page. Render it with .Page.RenderString to have both agree.`;
}

function madePages(adapters: readonly string[]): string {
  return `${adapters.slice(0, 3).join(', ')} creates pages during the build, so links to pages below it are not checked.`;
}

/** The site's folder, and those of themes and vendored modules in the repository. */
function componentsOf(table: Table, folder: string, paths: readonly string[], read: Read) {
  const themes = join(folder, textIn(table, 'themesdir') ?? 'themes');
  const imports = tablesIn(tableIn(table, 'module'), 'imports').filter(({ disable }) => disable !== true);
  const names = [...textsIn(table, 'theme'), ...imports.flatMap((one) => textIn(one, 'path') ?? [])];
  const replaced = replacementsOf(table, folder, read);
  const found = names.map((name) =>
    [join(themes, name), join(folder, `_vendor/${name}`), ...(replaced.get(name) ?? [])].find((place) =>
      paths.some((path) => below(path, place) !== null),
    ),
  );
  const content = imports.flatMap((one) =>
    tablesIn(one, 'mounts').flatMap((mount) => {
      const target = textIn(mount, 'target') ?? '';
      return target.startsWith('content') || target.startsWith('static')
        ? [target.replace(/^(?:content|static)\/?/, '')]
        : [];
    }),
  );
  return {
    components: [folder, ...found.filter((place) => place !== undefined)],
    imported: { content },
    isMissing: found.includes(undefined),
  };
}

/** Modules that are folders of this repository, by `replace` in `go.mod` and `module.replacements`. */
function replacementsOf(table: Table, folder: string, read: Read): Map<string, string[]> {
  const written = textsIn(tableIn(table, 'module'), 'replacements').flatMap((text) => text.split(','));
  const replaced = new Map<string, string[]>();
  const add = (name: string, place: string) => {
    const inside = inRepository(folder, place);
    if (inside !== null) replaced.set(name, [inside]);
  };
  for (const text of written) {
    const [name, place] = text.split('->').map((part) => part.trim());
    if (name && place) add(name, place);
  }
  const pattern =
    /^[ \t]*(?:replace[ \t]+)?(\S{1,300})(?:[ \t]+v\S{1,100})?[ \t]+=>[ \t]+(\.{1,2}(?:\/\S{0,300})?)[ \t]*$/gm;
  for (const [, name, place] of (read(join(folder, 'go.mod')) ?? '').matchAll(pattern)) add(name!, place!);
  return replaced;
}

/** https://gohugo.io/configuration/module/#mounts; those of the site itself come first. */
function mountsOf(
  table: Table,
  folder: string,
  components: readonly string[],
  languages: readonly HugoLanguage[],
): HugoMount[] {
  const own = tablesIn(tableIn(table, 'module'), 'mounts').flatMap((mount): HugoMount[] => {
    const [source, target] = [textIn(mount, 'source'), textIn(mount, 'target')];
    const place = source === undefined ? null : inRepository(folder, source);
    if (place === null || target === undefined) return [];
    return [{ source: place, target: trimmed(target), language: textIn(mount, 'lang')?.toLowerCase() ?? null }];
  });
  const mounts = [...own];
  const add = (name: string, source: string, language: string | null) => {
    const isOwn = own.some(({ target }) => target === name || target.startsWith(`${name}/`));
    if (!isOwn) mounts.push({ source: inRepository(folder, source) ?? source, target: name, language });
  };
  const places = languages.filter(({ contentDir }) => contentDir !== null);
  for (const { name, contentDir } of places) add('content', contentDir!, name);
  if (places.length < languages.length || languages.length === 0) {
    add('content', textIn(table, 'contentdir') ?? 'content', null);
  }
  for (const name of ['', ...Array.from({ length: 11 }, (_, i) => String(i))]) {
    for (const source of textsIn(table, `staticdir${name}`)) add('static', source, null);
  }
  if (textsIn(table, 'staticdir').length === 0) add('static', 'static', null);
  add('assets', textIn(table, 'assetdir') ?? 'assets', null);
  for (const component of components.slice(1)) {
    for (const target of ['content', 'static', 'assets']) {
      mounts.push({ source: join(component, target), target, language: null });
    }
  }
  return mounts;
}

function languagesOf(table: Table): HugoLanguage[] {
  const first = (textIn(table, 'defaultcontentlanguage') ?? 'en').toLowerCase();
  const disabled = new Set(textsIn(table, 'disablelanguages').map((name) => name.toLowerCase()));
  const inFolder = table['defaultcontentlanguageinsubdir'] === true;
  const all = Object.entries(tableIn(table, 'languages')).flatMap(([name, one]): HugoLanguage[] => {
    if (!isTable(one) || disabled.has(name) || one['disabled'] === true) return [];
    const hasHost = textIn(one, 'baseurl') !== undefined;
    const prefix = hasHost || (name === first && !inFolder) ? '' : name;
    return [{ name, contentDir: textIn(one, 'contentdir') ?? null, prefix, isFirst: name === first }];
  });
  return all.length > 0 ? all : [{ name: first, contentDir: null, prefix: inFolder ? first : '', isFirst: true }];
}

function permalinksOf(table: Table): HugoLayout['permalinks'] {
  return Object.entries(table).flatMap(([name, value]) => {
    if (typeof value === 'string') return [{ section: name, pattern: value }];
    if (!isTable(value)) return [];
    return Object.entries(value).flatMap(([section, pattern]) =>
      typeof pattern === 'string' ? [{ section, pattern }] : [],
    );
  });
}

/** The texts in a template, such as targets with a special meaning. */
function textsOf(template: string): string[] {
  return [...template.matchAll(/"([^"\n]{1,100})"|`([^`\n]{1,100})`/g)].map(([, text, raw]) => (text ?? raw)!);
}

function taxonomiesOf(table: Table): string[] {
  const own = table['taxonomies'];
  return isTable(own) ? Object.values(own).filter((name) => typeof name === 'string') : ['tags', 'categories'];
}

/** A mount's path of a file, from the content's top; empty if it is outside. */
function logical({ source, target }: HugoMount, path: string): string[] {
  const inside = path === source ? '' : below(path, source);
  if (inside === null) return [];
  const top = target.replace(/^\w+\/?/, '');
  return [[top, inside].filter((part) => part !== '').join('/')];
}

function pathOf(url: string): string {
  const path = /^[a-z][a-z\d+.-]*:\/\/[^/]*(\/.*)?$/i.exec(url)?.[1] ?? (url.startsWith('/') ? url : '');
  return path.replace(/\/+$/, '');
}

function folderPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function trimmed(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
