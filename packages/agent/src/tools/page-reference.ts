import { basename, join } from 'node:path/posix';
import { secretFileReason } from '@docent/git/secret-files';
import { withoutPageExtension } from '@docent/docs-check/read/page-format';
import type { Site } from '@docent/docs-check/read/site';
import { similarity } from '@docent/docs-check/read/similar-text';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { canonical } from '@docent/base/canonical';
import { ToolRefusal } from './tool.ts';
import type { ToolSession } from './tool-session.ts';

const PAGE_ENDINGS = ['', '.mdx', '.md', '/index.mdx', '/index.md', '/README.md'];

/**
 * The file of a reference: a path in the repository, a page's path in the site (with or without extension,
 * from `/` or not), the unique name of a page, or its title, optionally followed by "page" or "guide".
 * @throws ToolRefusal with the nearest names; also for a secret file by its name, of which only the existence
 *   is revealed
 */
export function resolveFile(session: ToolSession, reference: string): string {
  const file = findFile(session, reference);
  if (file !== null) return mustNotBeSecret(file);
  const { workspace } = session;
  const name = visibleName(cleaned(reference));
  if (workspace.kind(cleaned(reference).replace(/^\/+|\/+$/g, '')) === 'folder') {
    throw new ToolRefusal(`${name} is a folder. Name a file in it; \`list\` shows them.`);
  }
  const near = nearestPaths(session, cleaned(reference));
  const hint = near.length > 0 ? ` Did you mean ${near.map(visibleName).join(' or ')}?` : '';
  throw new ToolRefusal(`There is no file ${name}.${hint}`);
}

function mustNotBeSecret(path: string): string {
  const reason = secretFileReason(path);
  if (reason) throw new ToolRefusal(`${visibleName(path)}: ${reason}.`);
  return path;
}

/** Like {@link resolveFile}, but null without a match. Throws only for several matches. */
export function findFile(session: ToolSession, reference: string): string | null {
  const path = cleaned(reference);
  // `path:12`, as `search` shows it.
  const bare = reference.trim().replace(/:\d+(?::\d+)?:?$/, '');
  const byPath = findByPath(session, reference) ?? (bare === reference.trim() ? null : findByPath(session, bare));
  const found = byPath ?? byAddress(session, path) ?? byName(session, path) ?? byTitle(session, path);
  const [, named] = /^([^/]+) (?:page|guide|article|tutorial)$/i.exec(path) ?? [];
  return found ?? (named === undefined ? null : (byName(session, named) ?? byTitle(session, named)));
}

/** The file at a path in repository or site, with or without a page's extension, or null. */
export function findByPath(session: ToolSession, reference: string): string | null {
  const path = cleaned(reference);
  const bare = path.replace(/\/+$/, '');
  // The first candidate: whether such a file exists does not need the site, which takes time.
  const own = session.workspace.spelled(bare);
  if (!path.startsWith('/') && own !== '' && session.workspace.exists(own)) return own;
  const bases = basesOf(session.docs.site, path).map(
    (base) =>
      PAGE_ENDINGS.map((ending) => session.workspace.spelled(base + ending)).find((name) =>
        session.workspace.exists(name),
      ) ?? null,
  );
  const [first, ...others] = new Set(bases.filter((name) => name !== null));
  if (others.length === 0 || path.startsWith('/')) return first ?? null;
  throw new ToolRefusal(
    `${visibleName(path)} could mean ${visibleName(first!)} or ${others.map(visibleName).join(' or ')}. Give the whole path.`,
  );
}

/** The folder that a reference means, in repository or site; '' is the top. Null without one. */
export function findFolder(session: ToolSession, reference: string): string | null {
  const path = cleaned(reference).replace(/^\/+|\/+$/g, '');
  const { site } = session.docs;
  if (path === '') return reference.trim().startsWith('/') ? site.root : '';
  const candidates = [path, join(site.root, path)].map((folder) => session.workspace.spelled(folder));
  return candidates.find((folder) => session.workspace.kind(folder) === 'folder') ?? null;
}

/** A file, or a folder with all that is in it. */
export type Subject = { kind: 'file' | 'folder'; path: string };

/**
 * What to move or delete. A trailing slash means a folder. Without it, a path that could be a folder or, as
 * `folder/index.mdx` or `folder.mdx`, a page is refused with both readings.
 * @param isPage the caller states that it is a page
 * @returns null if there is nothing
 * @throws ToolRefusal
 */
export function findSubject(session: ToolSession, reference: string, isPage = false): Subject | null {
  const { workspace } = session;
  const path = cleaned(reference);
  const bare = path.replace(/^\/+|\/+$/g, '');
  const folder = isPage || bare === '' ? null : findFolder(session, reference);
  if (path.endsWith('/') && !isPage) return folder === null ? null : { kind: 'folder', path: folder };
  const own = workspace.spelled(bare);
  if (own !== '' && !path.startsWith('/') && workspace.exists(own)) return { kind: 'file', path: own };
  const page = folder === null ? findFile(session, reference) : findByPath(session, reference);
  if (page === null) return folder === null ? null : { kind: 'folder', path: folder };
  const inside = folder === null ? [] : workspace.paths().filter((one) => one.startsWith(`${folder}/`));
  const others = inside.filter((one) => one !== page).length;
  if (folder === null || others === 0) return { kind: 'file', path: page };
  const [one, all] = [visibleName(page), visibleName(`${folder}/`)];
  throw new ToolRefusal(
    `${visibleName(path)} could mean the page ${one} or the folder ${all} with its ${inside.length === 1 ? 'file' : `${inside.length} files`}. Write ${one} for the page, or ${all} for the folder.`,
  );
}

/** A file of the base tree that was moved or deleted. */
export function goneFile(session: ToolSession, reference: string): string | null {
  const wanted = reference.trim().replace(/^[./]+/, '');
  const candidates = ['', '.mdx', '.md'].flatMap((end) => [wanted + end, join(session.docs.site.root, wanted + end)]);
  return candidates.find((path) => session.base.file(path) && !session.workspace.exists(path)) ?? null;
}

/** A reference as paths are written. @throws ToolRefusal for an address */
export function cleaned(reference: string): string {
  const path = reference.trim().replace(/^[`'"]+|[`'"]+$/g, '');
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(path)) throw new ToolRefusal(`${visibleName(path)} is an address; give a path.`);
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/#.*$/s, '');
}

/** Where a path may start: in the repository or in the site, the more likely one first. */
function basesOf(site: Site, path: string): string[] {
  const bare = path.replace(/^\/+|\/+$/g, '');
  const inside = site.root === '' ? bare : `${site.root}/${bare}`;
  if (bare === '') return [site.root === '' ? 'index' : `${site.root}/index`];
  return path.startsWith('/') ? [inside, bare] : [bare, inside];
}

/** As readers see it: site generators may give pages other addresses than their files have. */
function byAddress(session: ToolSession, path: string): string | null {
  const { site, resolver } = session.docs;
  if (!path.startsWith('/') || !site.generator) return null;
  const wanted = canonical(path.replace(/\/+$/, '') || '/');
  return site.pages.find((page) => canonical(resolver.addressOf(page) ?? '') === wanted) ?? null;
}

function byName(session: ToolSession, path: string): string | null {
  if (path.includes('/') || path === '') return null;
  const { site } = session.docs;
  const wanted = canonical(path);
  const found = site.pages.filter((page) => {
    const name = canonical(basename(page));
    return name === wanted || withoutPageExtension(name) === withoutPageExtension(wanted);
  });
  return onlyOne(found, path);
}

function byTitle(session: ToolSession, title: string): string | null {
  if (title === '' || title.includes('/')) return null;
  const wanted = canonical(title.toLowerCase());
  const found: string[] = [];
  for (const { path, facts } of session.docs.pages())
    if (canonical(facts.title?.toLowerCase() ?? '') === wanted) found.push(path);
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
