import type { Place } from '../config/static-value.ts';
import { folderOf } from '../read/folder.ts';
import type { PageDialect } from '../read/page-dialect.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { below } from '../read/repository-path.ts';
import type { Generator } from './generator.ts';
import type { Unchecked } from './makers.ts';
import { NextDocsAddresses, type ContentRoot, type NextDocsLayout } from './next-docs-addresses.ts';
import { fumadocsNavigation, nextraNavigation, type NextDocsNavigation } from './next-docs-navigation.ts';
import { programText } from './program-text.ts';
import { hostRedirects } from './redirects-file.ts';

type Read = (path: string) => string | null;

const PROGRAM = /\.(?:[cm]?[jt]sx?)$/;
/** Files that call Fumadocs' `loader()`, in its own templates. */
const LOADERS = [
  'lib/source',
  'src/lib/source',
  'app/source',
  'src/app/source',
  'lib/source/index',
  'lib/geistdocs/source',
  'lib/docs/source',
  'loaders/source',
  'src/loaders/source',
  'src/lib/source/index',
];

/** Whether a `next.config.*` is in a folder with Nextra pages. */
export function hasNextraPages(path: string, paths: readonly string[]): boolean {
  const dirs = foldersOf(folderOf(path));
  return paths.some((one) => pageFormatOf(one) !== null && dirs.some((dir) => below(one, dir) !== null));
}

function foldersOf(folder: string): string[] {
  return ['content', 'src/content', 'pages', 'src/pages', 'app', 'src/app'].map((name) =>
    folder === '' ? name : `${folder}/${name}`,
  );
}

/** Whether a `source.config.*` belongs to a Fumadocs site with known addresses of its folders. */
export function isFumadocs(path: string, text: string, read: Read): boolean {
  return text.includes('fumadocs') && fumadocsRoots(folderOf(path), text, read) !== null;
}

/** https://nextra.site/docs/file-conventions: a folder of pages that a catch-all route of Next.js shows. */
export function readNextra(
  configPath: string,
  read: Read,
  _docsDir?: string,
  paths: readonly string[] = [],
): Generator {
  const text = read(configPath) ?? '';
  const folder = folderOf(configPath);
  const isI18n = /\bi18n\s*:/.test(text);
  const roots = nextraRoots(folder, text, paths, read);
  return generatorOf({
    configPath,
    text,
    folder,
    roots,
    paths,
    read,
    kind: 'nextra',
    locales: isI18n ? 'dir' : null,
  });
}

/** https://fumadocs.dev/docs/headless/source-api and https://fumadocs.dev/docs/page-conventions */
export function readFumadocs(
  configPath: string,
  read: Read,
  _docsDir?: string,
  paths: readonly string[] = [],
): Generator {
  const text = read(configPath) ?? '';
  const folder = folderOf(configPath);
  const source = loaderText(folder, read)?.text ?? '';
  const locales = /\bi18n\b/.test(source)
    ? /parser\s*:\s*['"]dir['"]/.test(source + i18nText(folder, read))
      ? 'dir'
      : 'dot'
    : null;
  const roots = fumadocsRoots(folder, text, read) ?? [];
  return generatorOf({
    configPath,
    text,
    folder,
    roots,
    paths,
    read,
    kind: 'fumadocs',
    locales,
  });
}

interface Found {
  configPath: string;
  text: string;
  folder: string;
  roots: readonly ContentRoot[];
  paths: readonly string[];
  read: Read;
  kind: 'nextra' | 'fumadocs';
  locales: NextDocsLayout['locales'];
}

function generatorOf({ configPath, text, folder, roots, paths, read, kind, locales }: Found): Generator {
  const top: Place = { path: configPath, start: 0, end: 0 };
  const nextConfig = kind === 'nextra' ? configPath : configOf(folder, read);
  const program = nextConfig === null ? '' : (programText(nextConfig, read) ?? '');
  const redirects = [
    ...[...program.matchAll(/["']?source["']?\s*:\s*(["'`])([^"'`\n]{1,300})\1/g)].map(([, , from]) => from!),
    ...hostRedirects(folder, read).map(([from]) => from.replace(/\*/g, ':rest*')),
  ];
  const isOpen = /\b(?:redirects|rewrites)\b/.test(program) && redirects.length === 0;
  const makesPages = kind === 'fumadocs' && /\bopenapi\b/i.test(loaderText(folder, read)?.text ?? '');
  const layout: NextDocsLayout = {
    folder,
    roots,
    locales,
    basePath: /\bbasePath\s*:\s*["'`](\/[^"'`\n]{1,200})["'`]/.exec(program)?.[1]?.replace(/\/+$/, '') ?? '',
    routes: routesOf(folder, paths, read, roots),
    redirects: redirects.map(patternOf),
    isOpen: isOpen || makesPages,
  };
  const dirs = roots.map(({ dir }) => dir);
  const navigation = (kind === 'nextra' ? nextraNavigation : fumadocsNavigation)(dirs, paths, read);
  const inRoot = (path: string) => roots.some(({ dir, isApp }) => !isApp && below(path, dir) !== null);
  const isApp = (path: string) =>
    kind === 'nextra' && /^(?:src\/)?app\/(?:.*\/)?page\.mdx?$/.test(below(path, folder) ?? '');
  const isPage = (path: string) => pageFormatOf(path) !== null && (inRoot(path) || isApp(path));
  const dialect = (path: string) =>
    (pageFormatOf(path) === 'markdown' ? `${kind}-markdown` : kind) satisfies string as PageDialect;
  return {
    folder,
    root: roots[0]?.dir ?? folder,
    content: paths.length === 0 && kind === 'nextra' ? foldersOf(folder) : roots.map(({ dir }) => dir),
    texts: new Map([...navigation.texts, [configPath, text]]),
    problems: navigation.problems,
    unchecked: uncheckedOf(top, layout, makesPages, navigation),
    navigation: {
      entries: navigation.entries,
      isWhole: navigation.shown !== null && locales === null && !layout.isOpen,
      mayBeLeftOut: (path) => navigation.shown?.has(path) !== false,
      edit: null,
    },
    themeLinks: navigation.links,
    hasTemplates: false,
    components: null,
    redirects: nextConfig === null ? null : { path: nextConfig, format: 'code', pairs: [] },
    mayShowIds: () => true,
    dialectOf: dialect,
    isPage,
    isPartial: (path) => !isPage(path) || /(^|\/)_[^/]*$/.test(path),
    addresses: (set) => new NextDocsAddresses(layout, set),
  };
}

function uncheckedOf(
  at: Place,
  { roots, isOpen }: NextDocsLayout,
  makesPages: boolean,
  { unread }: NextDocsNavigation,
): Unchecked[] {
  const why = makesPages
    ? 'pages are made from an API description'
    : 'the redirects are not written out in the configuration of Next.js';
  const messages = [
    ...(unread.length > 0
      ? [`Some entries of the navigation are not checked: only a build knows those of ${named(unread)}.`]
      : []),
    ...(roots.every(({ base }) => base !== '')
      ? [`Links to addresses outside of ${roots.map(({ base }) => base).join(', ')} are not checked.`]
      : []),
    ...(isOpen ? [`Links to addresses without a file are not checked: ${why}.`] : []),
  ];
  return messages.map((message) => ({ at, message }));
}

function named(paths: readonly string[]): string {
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  return paths.slice(0, 3).join(', ') + more;
}

/** Folders of pages by the names that Nextra gives them, and the address at which its route shows them. */
function nextraRoots(folder: string, text: string, paths: readonly string[], read: Read): ContentRoot[] {
  const dir = foldersOf(folder).find((one) =>
    paths.some((path) => below(path, one) !== null && pageFormatOf(path) !== null),
  );
  const own = /\bcontentDirBasePath\s*:\s*["'](\/[^"'\n]{0,200})["']/.exec(text)?.[1]?.replace(/\/+$/, '');
  const route = paths.find((path) => {
    const inside = below(path, folder);
    return (
      inside !== null &&
      /^(?:src\/)?app\/.*\[\.\.\.\w+\]\]?\/page\.[jt]sx?$/.test(inside) &&
      /nextra\/pages/.test(read(path) ?? '')
    );
  });
  const shown =
    route === undefined
      ? ''
      : addressIn(
          below(route, folder)!
            .replace(/^(?:src\/)?app\//, '')
            .replace(/\/?\[?\[\.\.\.\w+\]\]?\/page\.\w+$/, ''),
        );
  if (dir === undefined) return [];
  return /(?:^|\/)app$/.test(dir) ? [{ dir, base: '', isApp: true }] : [{ dir, base: own ?? shown }];
}

/** Null if it is not known which folder is shown at which address. */
function fumadocsRoots(folder: string, text: string, read: Read): ContentRoot[] | null {
  const loaders = loaderText(folder, read);
  if (loaders === null) return null;
  const collections = new Map<string, string>();
  for (const [, name, options] of text.matchAll(
    /export\s+const\s+(\w{1,60}|\{[^{}]{1,200}\})\s*=\s*define(?:Docs|Collections)\(([^]{0,400}?)(?=\n(?:export|const|let)\b|$)/g,
  )) {
    const dir = /\bdir\s*:\s*["']([^"'\n]{1,200})["']/.exec(options!)?.[1];
    // A list or something that is computed.
    if (dir === undefined && /\bdir\s*:/.test(options!)) return null;
    const place = (dir ?? 'content/docs').replace(/^\.\//, '').replace(/\/+$/, '');
    // `{ docs, meta }`, of which the first has the pages, with the name that it gets.
    collections.set(/\w+(?=\s*(?:[,}]|$))/.exec(name!)![0], place);
  }
  const roots: ContentRoot[] = [];
  for (const [, options] of loaders.text.matchAll(
    /\bloader\s*\(([^]{0,800}?)(?=\n(?:export|const|function|let)\b|$)/g,
  )) {
    if (/\b(?:slugs|url)\s*[:(]|\bmultiple\(/.test(options!)) return null;
    const base = /\bbaseUrl\s*:\s*["'](\/[^"'\n]{0,200})["']/.exec(options!)?.[1];
    const dir = collections.get(collectionOf(options!, loaders.text));
    if (base === undefined || dir === undefined) continue;
    const root = { dir: folder === '' ? dir : `${folder}/${dir}`, base: base.replace(/\/+$/, '') };
    if (!roots.some((one) => one.dir === root.dir && one.base === root.base)) roots.push(root);
  }
  return roots.length === 0 ? null : roots;
}

/** The collection that a `loader()` shows, by its name in `source.config`; empty if it is not known. */
function collectionOf(options: string, program: string): string {
  const variable = /\bsource\s*:\s*(\w{1,60})\s*[,}\n]/.exec(options)?.[1];
  const value = variable === undefined ? null : new RegExp(`\\b${variable}\\s*=\\s*([^\\n;]{1,200})`).exec(program);
  const source = value?.[1] ?? options;
  const name =
    /\b(\w{1,60})\.toFumadocsSource\(/.exec(source)?.[1] ?? /\bcreateMDXSource\(\s*(\w{1,60})/.exec(source)?.[1] ?? '';
  return (name === '' ? null : new RegExp(`\\b(\\w{1,60})\\s+as\\s+${name}\\b`).exec(program))?.[1] ?? name;
}

function loaderText(folder: string, read: Read): { text: string } | null {
  for (const name of LOADERS) {
    for (const ending of ['.ts', '.tsx', '.js', '.mjs']) {
      const text = read(folder === '' ? name + ending : `${folder}/${name}${ending}`);
      if (text?.includes('loader(')) return { text };
    }
  }
  return null;
}

function i18nText(folder: string, read: Read): string {
  const names = ['lib/i18n.ts', 'src/lib/i18n.ts'].map((name) => (folder === '' ? name : `${folder}/${name}`));
  return names.map((name) => read(name) ?? '').join('\n');
}

function configOf(folder: string, read: Read): string | null {
  const names = ['ts', 'mjs', 'js', 'cjs', 'mts'].map(
    (ending) => `${folder === '' ? '' : `${folder}/`}next.config.${ending}`,
  );
  return names.find((name) => read(name) !== null) ?? null;
}

/** Routes of Next.js other than pages: an address, or a pattern for those with parameters. */
function routesOf(folder: string, paths: readonly string[], read: Read, roots: readonly ContentRoot[]): RegExp[] {
  const routes: RegExp[] = [];
  for (const path of paths) {
    const inside = below(path, folder);
    if (inside === null || (pageFormatOf(path) !== null && roots.some(({ dir }) => below(path, dir) !== null)))
      continue;
    const app = /^(?:src\/)?app\/(.*\/)?(?:page|route)\.\w+$/.exec(inside);
    const page = /^(?:src\/)?pages\/(.+)\.[jt]sx?$/.exec(inside);
    const isRoute = app ? PROGRAM.test(path) || pageFormatOf(path) !== null : page !== null;
    if (!isRoute) continue;
    const route = app ? (app[1] ?? '').replace(/\/$/, '') : page![1]!.replace(/(^|\/)index$/, '');
    const text = /\[\.\.\./.test(route) ? (read(path) ?? '') : '';
    const shown = addressIn(route.replace(/\/?\[?\[\.\.\.\w+\]\]?$/, ''));
    // The route of the pages themselves.
    if (/\[\.\.\./.test(route) && (/nextra\/pages/.test(text) || roots.some(({ base }) => base === shown))) continue;
    routes.push(
      patternOf(
        `/${route
          .split('/')
          .filter((part) => !/^(?:\(.*\)|@.*)$/.test(part))
          .map(parameterOf)
          .join('/')}`,
      ),
    );
  }
  return routes;
}

/** Without groups, slots, and the parameter of the language. */
function addressIn(route: string): string {
  const parts = route.split('/').filter((part) => part !== '' && !/^(?:\(.*\)|@.*|\[(?:lang|locale)\])$/.test(part));
  return parts.length === 0 ? '' : `/${parts.join('/')}`;
}

function parameterOf(part: string): string {
  if (part.startsWith('[[...')) return ':rest*';
  if (part.startsWith('[...')) return ':rest+';
  return part.startsWith('[') ? ':one' : part;
}

/** A pattern of `path-to-regexp`, as Next.js writes sources. */
function patternOf(source: string): RegExp {
  const pattern = source
    .replace(/\/+$/, '')
    .replace(
      /\/?:\w+(?:\([^()\n]*\))?[*]|\/?:\w+(?:\([^()\n]*\))?\+|:\w+(?:\([^()\n]*\))?\??|\([^()\n]*\)|[\\^$.|?*+()[\]{}]/g,
      (found) => {
        if (found.endsWith('*') && found.includes(':')) return '(?:/?.*)';
        if (found.endsWith('+') && found.includes(':')) return '/.+';
        if (found.startsWith(':')) return '[^/]+';
        return found.length > 1 ? '[^/]*' : `\\${found}`;
      },
    );
  return new RegExp(`^${pattern}/?$`);
}
