import { basename, join } from 'node:path/posix';
import { protectedPath } from '@docent/git/path-policy';
import { pageExtensionOf, pageFormatOf } from '@docent/docs-check/read/page-format';
import { below } from '@docent/docs-check/read/repository-path';
import { isPartial, type Site } from '@docent/docs-check/read/site';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { cleaned } from './page-reference.ts';
import { ToolRefusal } from './tool.ts';
import type { ToolSession } from './tool-session.ts';

/** Names without an extension that are those of files, not of pages. */
const FILE_NAME =
  /^(?:\..*|_redirects|_headers|LICEN[CS]E|NOTICE|COPYING|AUTHORS|CONTRIBUTORS|MAINTAINERS|OWNERS|CNAME|VERSION)$/;

/**
 * The path of a new file. By default a path is relative to the repository, with two exceptions. A name
 * without an extension is a page and gets the extension of the site's pages. A path that begins with `/`, or
 * with a folder that the repository does not have at its top, is relative to the site. An ambiguous path is
 * refused with both readings.
 * @param like a file whose extension is copied
 * @throws ToolRefusal
 */
export function resolveNewPath(session: ToolSession, reference: string, like?: string): string {
  const path = cleaned(reference);
  const bare = path.replace(/^\/+/, '');
  const named = bare === '' || bare.endsWith('/') ? `${bare}${like ? basename(like) : 'index'}` : bare;
  // A version such as v1.2 is not an extension.
  const extension = /\.[A-Za-z][A-Za-z\d]{0,9}$/.exec(named)?.[0] ?? '';
  const added = extension !== '' ? '' : like ? extensionOf(like) : siteExtension(session.docs.site);
  assertNameAllowed(named, added);
  const spelled = session.workspace.spelled(named + added);
  return session.workspace.spelled(placed(session, spelled, { inSite: path.startsWith('/'), isPage: added !== '' }));
}

/** The path of a new folder, by the rules of {@link resolveNewPath}. @throws ToolRefusal */
export function resolveNewFolder(session: ToolSession, reference: string, from: string): string {
  const { root } = session.docs.site;
  const path = cleaned(reference);
  const bare = session.workspace.spelled(path.replace(/^\/+|\/+$/g, ''));
  if (bare === '' || bare === root) return root;
  if (below(from, root) === null && from !== root && !path.startsWith('/')) return bare;
  const folder = placed(session, bare, { inSite: path.startsWith('/'), isPage: true, isFolder: true });
  return session.workspace.spelled(folder);
}

/** Names that may not be written, in any spelling, never become names of pages. */
function assertNameAllowed(named: string, added: string): void {
  const refused = protectedPath(named);
  const isFile = added !== '' && pageFormatOf(added) !== null && FILE_NAME.test(basename(named));
  if (refused === null && !isFile) return;
  const why = refused ?? `${JSON.stringify(basename(named))} is the name of a file, not of a page`;
  const page = added !== '' && protectedPath(named + added) === null ? named + added : null;
  throw new ToolRefusal(
    `${visibleName(named)}: ${why}.${page === null ? '' : ` If you mean a page, write ${visibleName(page)}.`}`,
  );
}

function placed(
  session: ToolSession,
  path: string,
  said: { inSite: boolean; isPage: boolean; isFolder?: true },
): string {
  const { workspace } = session;
  const { root } = session.docs.site;
  if (root === '' || path === root || below(path, root) !== null) return path;
  const inSite = join(root, path);
  const [top = ''] = path.split('/');
  const inFolder = said.isFolder || path.includes('/');
  const isInRepository = inFolder ? workspace.kind(top) === 'folder' : workspace.exists(path);
  const isInSite = inFolder ? workspace.kind(join(root, top)) === 'folder' : workspace.exists(inSite);
  const namesPage = said.isPage || pageFormatOf(path) !== null;
  if (workspace.exists(path) && !said.inSite) return path;
  if (isInSite && (!isInRepository || said.inSite || (namesPage && !workspace.inDocsDir(path)))) return inSite;
  if (isInRepository || (!namesPage && !said.inSite)) {
    // An existing file, in its own spelling.
    if (!said.inSite && workspace.inDocsDir(path) && (!said.isPage || isSitePage(session, path))) return path;
    throw new ToolRefusal(twoPlaces(session, path, inSite));
  }
  if (said.inSite || said.isPage || !workspace.inDocsDir(path)) return inSite;
  return path;
}

function isSitePage({ docs: { site } }: ToolSession, path: string): boolean {
  return site.generator !== null && site.generator.isPage(path);
}

function twoPlaces({ workspace, policy }: ToolSession, path: string, inSite: string): string {
  const docsDir = visibleName(policy.docsDir);
  const understood = workspace.inDocsDir(path)
    ? `${visibleName(path)} was read as a path in the repository, outside the site`
    : `${visibleName(path)} is outside ${docsDir}/, the only folder that may be changed`;
  return `${understood}. If you mean a file of the site, write ${visibleName(inSite)}.`;
}

function extensionOf(path: string): string {
  return pageExtensionOf(path) || (/\.[^./]+$/.exec(basename(path))?.[0] ?? '');
}

/** The extension of most pages of the site. */
export function siteExtension(site: Site): '.md' | '.mdx' {
  const pages = site.pages.filter((path) => !isPartial(site, path));
  const mdx = pages.filter((path) => path.endsWith('.mdx')).length;
  return mdx * 2 > pages.length || (pages.length === 0 && site.config !== null) ? '.mdx' : '.md';
}
