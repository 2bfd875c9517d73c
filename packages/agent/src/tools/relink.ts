import { applyTextEdits, type TextEdit } from '@docent/docs-check/read/text-edits';
import { LinkResolver } from '@docent/docs-check/read/link-resolver';
import { retarget } from '@docent/docs-check/read/link-format';
import type { DocsSite } from '@docent/docs-check/read/docs-site';
import { addressOf, type Site } from '@docent/docs-check/read/site';

export interface Relinked {
  /** New texts by the page's path before the move. */
  texts: Map<string, string>;
  links: number;
}

/**
 * Computes how links follow moved files: links to the files, and links of moved pages to others. Each keeps
 * its style. A link that still leads to the right file is left alone.
 * @param docs the site before the move
 * @param moves old paths to new ones
 * @param read a file's text before the move
 * @param keepsHash whether a link to the new path keeps its hash; all do by default
 */
export function relinked(
  docs: DocsSite,
  moves: ReadonlyMap<string, string>,
  read: (path: string) => string | null,
  keepsHash: (to: string, hash: string) => boolean = () => true,
): Relinked {
  const before = new Map([...moves].map(([from, to]) => [to, from]));
  const fieldsOf = (path: string) => docs.facts(before.get(path) ?? path)?.frontMatter?.fields ?? null;
  const after = new LinkResolver(siteAfter(docs.site, moves), fieldsOf);
  const addresses = {
    before: (path: string) => docs.resolver.addressOf(path),
    after: (path: string) => after.addressOf(path),
  };
  const result: Relinked = { texts: new Map(), links: 0 };
  for (const { path, facts } of docs.pages()) {
    const newPath = moves.get(path) ?? path;
    const edits: TextEdit[] = [];
    for (const link of facts.links) {
      const { target, start, end, kind } = link;
      const was = kind === 'autolink' ? null : docs.resolver.resolve(path, target, link);
      if (was?.kind !== 'file') continue;
      const to = moves.get(was.path) ?? was.path;
      if (to === was.path && newPath === path) continue;
      // The navigation lists a page that was there already, or leaves it out.
      if (link.isEntry && to !== was.path && docs.site.files.has(to)) continue;
      const now = after.resolve(newPath, target, link);
      if (now.kind === 'file' && now.path === to) continue;
      const href = after.hrefTo(newPath, to, link);
      if (href === null) continue;
      const hash = was.hash !== null && !keepsHash(to, was.hash) ? { hash: null } : {};
      const isPlain = link.role !== undefined;
      const change = { site: docs.site, page: newPath, written: target, was, to, addresses, href, isPlain, ...hash };
      edits.push({ start, end, text: retarget(change) });
    }
    const text = edits.length > 0 ? read(path) : null;
    if (text === null) continue;
    result.texts.set(path, applyTextEdits(text, edits));
    result.links += edits.length;
  }
  return result;
}

function siteAfter(site: Site, moves: ReadonlyMap<string, string>): Site {
  const files = new Set([...site.files].map((path) => moves.get(path) ?? path));
  const taken = new Set([...moves.values()].map((path) => addressOf(site, path)));
  // The move removes a redirect from an address that a page now has.
  const config = site.config && {
    ...site.config,
    redirects: site.config.redirects.filter(({ from }) => !taken.has(from.value)),
  };
  return { ...site, files, config };
}
