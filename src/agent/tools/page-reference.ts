import { basename, join } from 'node:path/posix';
import { pageExtensionOf, withoutPageExtension } from '../content/page-format.ts';
import { isPartial, type Site } from '../content/site.ts';
import { similarity } from '../content/similar-text.ts';
import { visibleName } from '../visible-text.ts';
import { ToolRefusal } from './tool.ts';
import type { ToolSession } from './tool-session.ts';

const PAGE_ENDINGS = ['', '.mdx', '.md', '/index.mdx', '/index.md', '/README.md'];

/**
 * The file that a reference means: a path in the repository, a page's path in the site (with or without its extension, from
 * `/` or not), the name of a page where only one has it, or its title. Throws ToolRefusal with the nearest names.
 */
export function resolveFile(session: ToolSession, reference: string): string {
  const file = findFile(session, reference);
  if (file !== null) return file;
  const { workspace } = session;
  const name = visibleName(cleaned(reference));
  if (workspace.kind(cleaned(reference).replace(/^\/+|\/+$/g, '')) === 'folder') {
    throw new ToolRefusal(`${name} is a folder. Name a file in it; \`list\` shows them.`);
  }
  const near = nearestPaths(session, cleaned(reference));
  const hint = near.length > 0 ? ` Did you mean ${near.map(visibleName).join(' or ')}?` : '';
  throw new ToolRefusal(`There is no file ${name}.${hint}`);
}

/** As {@link resolveFile}, but null where nothing is meant. Throws only where several files are. */
export function findFile(session: ToolSession, reference: string): string | null {
  const path = cleaned(reference);
  // `path:12`, as `search` shows it.
  const bare = reference.trim().replace(/:\d+(?::\d+)?:?$/, '');
  const byPath = findByPath(session, reference) ?? (bare === reference.trim() ? null : findByPath(session, bare));
  return byPath ?? byName(session, path) ?? byTitle(session, path);
}

/** The file at a path in the repository or in the site, with or without a page's extension; null if there is none. */
export function findByPath(session: ToolSession, reference: string): string | null {
  const path = cleaned(reference);
  const bare = path.replace(/\/+$/, '');
  // The first candidate of all: that there is such a file is known without looking at the site, which takes some milliseconds.
  if (!path.startsWith('/') && bare !== '' && session.workspace.exists(bare)) return bare;
  const candidates = candidatesOf(session.docs.site, path);
  return candidates.find((candidate) => candidate !== '' && session.workspace.exists(candidate)) ?? null;
}

/** The folder that a reference means, in the repository or in the site; null if there is none. The top is ''. */
export function findFolder(session: ToolSession, reference: string): string | null {
  const path = cleaned(reference).replace(/^\/+|\/+$/g, '');
  const { site } = session.docs;
  if (path === '') return reference.trim().startsWith('/') ? site.root : '';
  const candidates = [path, join(site.root, path)];
  return candidates.find((folder) => session.workspace.kind(folder) === 'folder') ?? null;
}

/**
 * The path of a file that is to be made. Without an extension it names a page, and gets the one that the site's pages
 * have. A path from `/`, or from a folder that only the site has, lies in the site.
 * @param like a file whose extension is taken over
 */
export function resolveNewPath(session: ToolSession, reference: string, like?: string): string {
  const { site } = session.docs;
  const path = cleaned(reference);
  const bare = path.replace(/^\/+/, '');
  const named = bare === '' || bare.endsWith('/') ? `${bare}${like ? basename(like) : 'index'}` : bare;
  // A version such as v1.2 is no extension.
  const extension = /\.[A-Za-z][A-Za-z\d]{0,9}$/.exec(named)?.[0] ?? '';
  const whole = extension === '' ? named + (like ? extensionOf(like) : siteExtension(site)) : named;
  return inSite(session, whole, path.startsWith('/') || extension === '') ? join(site.root, whole) : whole;
}

function inSite(session: ToolSession, path: string, namesPage: boolean): boolean {
  const { site } = session.docs;
  if (site.root === '' || path.startsWith(`${site.root}/`)) return false;
  if (namesPage || !session.workspace.inDocsDir(path)) return true;
  const [top] = path.split('/');
  const atTop = path.includes('/') ? session.workspace.kind(top!) === 'folder' : !pageExtensionOf(path);
  return !atTop && (path.includes('/') ? session.workspace.kind(join(site.root, top!)) === 'folder' : false);
}

function extensionOf(path: string): string {
  return pageExtensionOf(path) || (/\.[^./]+$/.exec(basename(path))?.[0] ?? '');
}

/** What most pages of the site end with. */
export function siteExtension(site: Site): '.md' | '.mdx' {
  const pages = site.pages.filter((path) => !isPartial(site, path));
  const mdx = pages.filter((path) => path.endsWith('.mdx')).length;
  return mdx * 2 > pages.length || (pages.length === 0 && site.config !== null) ? '.mdx' : '.md';
}

function cleaned(reference: string): string {
  const path = reference.trim().replace(/^[`'"]+|[`'"]+$/g, '');
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(path)) throw new ToolRefusal(`${visibleName(path)} is an address; give a path.`);
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/#.*$/s, '');
}

function candidatesOf(site: Site, path: string): string[] {
  const bare = path.replace(/^\/+|\/+$/g, '');
  const inside = site.root === '' ? bare : `${site.root}/${bare}`;
  const bases = path.startsWith('/') ? [inside, bare] : [bare, inside];
  const index = bare === '' ? [site.root === '' ? 'index' : `${site.root}/index`] : [];
  return [...bases.filter(() => bare !== ''), ...index].flatMap((base) => PAGE_ENDINGS.map((ending) => base + ending));
}

function byName(session: ToolSession, path: string): string | null {
  if (path.includes('/') || path === '') return null;
  const { site } = session.docs;
  const found = site.pages.filter(
    (page) => basename(page) === path || basename(withoutPageExtension(page)) === withoutPageExtension(path),
  );
  return onlyOne(found, path);
}

function byTitle(session: ToolSession, title: string): string | null {
  if (title === '' || title.includes('/')) return null;
  const wanted = title.toLowerCase();
  const found: string[] = [];
  for (const { path, facts } of session.docs.pages()) if (facts.title?.toLowerCase() === wanted) found.push(path);
  return onlyOne(found, title);
}

function onlyOne(found: readonly string[], reference: string): string | null {
  if (found.length <= 1) return found[0] ?? null;
  const names = found.slice(0, 10).map(visibleName).join(', ');
  throw new ToolRefusal(`${visibleName(reference)} could mean ${names}. Give the whole path.`);
}

function nearestPaths(session: ToolSession, reference: string): string[] {
  const wanted = withoutPageExtension(reference).toLowerCase();
  const { root } = session.docs.site;
  return session.workspace
    .paths()
    .map((path) => {
      const inside = withoutPageExtension(root === '' ? path : path.replace(`${root}/`, '')).toLowerCase();
      const name = basename(inside);
      return { path, score: Math.max(similarity(wanted, inside), similarity(basename(wanted), name) - 0.1) };
    })
    .filter(({ score }) => score >= 0.6)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ path }) => path);
}
