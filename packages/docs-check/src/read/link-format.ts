import { basename, extname, relative } from 'node:path/posix';
import type { Resolved } from './link-resolver.ts';
import { encodePath, parseTarget, suffixOf } from './link-target.ts';
import { pageExtensionOf, pageFormatOf, withoutPageExtension } from './page-format.ts';
import { folderOf, isBelow, type Site } from './site.ts';

export interface Retarget {
  site: Pick<Site, 'root'>;
  /** The page that holds the link. */
  page: string;
  /** The target as it was written, decoded; its style is kept. */
  written: string;
  /** The old target, or a guess if it led to nothing. */
  was: Pick<Extract<Resolved, { kind: 'file' }>, 'path' | 'origin' | 'asName'>;
  /** In a role or a directive, which use it unchanged. */
  isPlain?: boolean;
  /** The file that it shall lead to. */
  to: string;
  /** The new hash, null for none; undefined keeps the written one. */
  hash?: string | null;
  /** The new target, decoded and without its hash, if the style of the old one does not decide it. */
  href?: string;
  /** Gives the addresses of pages before and after, for links that were written as addresses. */
  addresses?: { before: (path: string) => string | null; after: (path: string) => string | null };
}

/**
 * Rewrites a target in the style of the old one: from the root or relative, with or without `./`, extension,
 * folder index and trailing slash. Query and hash stay.
 */
export function retarget(change: Retarget): string {
  const { page, written, to } = change;
  const suffix = suffixFor(change);
  const old = parseTarget(written)?.path ?? '';
  if (to === page && suffix.startsWith('#') && (old === '' || change.was.path === page)) return suffix;
  if (change.href !== undefined) return encodePath(change.href) + suffix;
  if (change.was.origin === 'address') return encodePath(readdressed(change, old)) + suffix;
  const file = change.was.asName ? to.slice(0, to.length - extname(to).length) : spelled(change, old);
  const path = old.startsWith('/') ? `/${fromRoot(change, file)}` : relativePath(page, file, old);
  return change.isPlain ? path : encodePath(path) + suffix;
}

/** A link that names an address, or a file as the site serves it, in the new form of just that. */
function readdressed({ page, was, to, addresses }: Retarget, old: string): string {
  const trailing = old.endsWith('/') ? '/' : '';
  const bare = old.replace(/\/+$/, '').replace(/^@site(?=\/)/, '');
  const alias = old.startsWith('@site/') ? '@site' : '';
  // For files that are served unchanged, the part before the written one stays.
  if (bare !== '' && was.path.endsWith(bare)) {
    const served = was.path.slice(0, was.path.length - bare.length);
    if (to.startsWith(served) && (alias || !pageFormatOf(to))) return alias + to.slice(served.length);
  }
  const [from, address] = [addresses?.before(was.path) ?? null, addresses?.after(to) ?? null];
  if (old.startsWith('/') && address !== null) {
    const isBelowBase = from !== null && from !== '/' && bare.endsWith(from);
    return (isBelowBase ? bare.slice(0, bare.length - from.length) : '') + address + (address === '/' ? '' : trailing);
  }
  return relativePath(page, to, old);
}

function suffixFor({ written, hash }: Retarget): string {
  if (hash === undefined) return suffixOf(written);
  return hash === null ? '' : `#${encodePath(hash)}`;
}

/** The file's path in the link's style: with or without extension, by its folder or not. */
function spelled({ was, to }: Retarget, old: string): string {
  if (!pageFormatOf(to)) return to;
  const html = /\.html?$/i.exec(old)?.[0];
  if (html) return withoutPageExtension(to) + html;
  const saysExtension = pageExtensionOf(old) !== '' || (pageFormatOf(was.path) === null && old !== '');
  if (saysExtension) return to;
  const isIndex = /^(index|README)\.\w+$/i.test(basename(to));
  const oldSaysIndex = /(^|\/)(index|README)\/?$/i.test(old);
  const trailing = old.endsWith('/') ? '/' : '';
  if (isIndex && !oldSaysIndex) return folderOf(to) + trailing;
  return withoutPageExtension(to) + trailing;
}

function fromRoot({ site, was }: Retarget, file: string): string {
  if (was.origin === 'repository' || !(isBelow(file, site.root) || file === site.root)) return file;
  return site.root === '' ? file : file.slice(site.root.length + 1);
}

function relativePath(page: string, file: string, old: string): string {
  const trailing = file.endsWith('/') ? '/' : '';
  const path = relative(`/${folderOf(page)}`, `/${file}`) || '.';
  const dotted = path.startsWith('.') || !old.startsWith('.') ? path : `./${path}`;
  return dotted + trailing;
}
