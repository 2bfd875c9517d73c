import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { scanHtml } from '@docent/docs-check/read/html-scan';

/** A link of a built site that leads to nothing. */
interface BuiltFault {
  /** Address of the page. */
  page: string;
  rule: BuiltRule;
  /** As the built page has it. */
  href: string;
}

export type BuiltRule = 'link' | 'image' | 'anchor';

interface BuiltPage {
  links: { rule: 'link' | 'image'; href: string }[];
  ids: Set<string>;
  refresh: string | null;
  base: string | null;
}

const HOST = 'http://built.invalid';
const MAX_REDIRECTS = 5;
/** Pages of the build that repeat others, or that readers see at any address. */
const COPIES = /\/(?:404|print)\.html$/;

/**
 * Follows all links and images of built pages as a static host does. Of the checks, it only uses the HTML
 * tokenizer.
 * @param folder of the built site
 * @param base path that the site is served below
 */
export function crawlBuilt(folder: string, base = '/'): BuiltFault[] {
  const prefix = base.replace(/\/+$/, '');
  const files = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `/${path.relative(folder, path.join(entry.parentPath, entry.name))}`),
  );
  const pages = new Map(
    [...files].filter((file) => file.endsWith('.html')).map((file) => [file, readPage(folder + file)]),
  );
  const found: BuiltFault[] = [];
  for (const [file, page] of pages) {
    if (page.refresh !== null || COPIES.test(file)) continue;
    const seen = new Set<string>();
    for (const { rule, href } of page.links) {
      if (seen.has(`${rule} ${href}`)) continue;
      seen.add(`${rule} ${href}`);
      const broken = faultOf(file, page, href);
      if (broken !== null) found.push({ page: addressOf(file), rule: broken === 'anchor' ? broken : rule, href });
    }
  }
  return found;

  function faultOf(file: string, page: BuiltPage, href: string): 'anchor' | 'nothing' | null {
    const here = new URL(page.base ?? '', HOST + prefix + addressOf(file));
    const target = URL.canParse(href, here) ? new URL(href, here) : null;
    if (target?.origin !== HOST || !`${target.pathname}/`.startsWith(`${prefix}/`)) return null;
    const end = fileAt(target.pathname);
    if (end === null) return 'nothing';
    const hash = decoded(target.hash.slice(1));
    const built = pages.get(end);
    if (hash === '' || hash === 'top' || hash.startsWith(':~:') || !built) return null;
    return built.ids.has(hash) ? null : 'anchor';
  }

  /** Through pages that redirect immediately. */
  function fileAt(pathname: string): string | null {
    let at = found200(pathname);
    for (let i = 0; i < MAX_REDIRECTS && at !== null; i++) {
      const refresh = pages.get(at)?.refresh ?? null;
      if (refresh === null) return at;
      const next = new URL(refresh, HOST + prefix + addressOf(at));
      if (next.origin !== HOST) return at;
      at = found200(next.pathname);
    }
    return at;
  }

  function found200(pathname: string): string | null {
    const wanted = decoded(pathname).slice(prefix.length) || '/';
    const names = wanted.endsWith('/') ? [`${wanted}index.html`] : [wanted, `${wanted}/index.html`, `${wanted}.html`];
    return names.find((name) => files.has(name)) ?? null;
  }
}

function readPage(file: string): BuiltPage {
  const page: BuiltPage = { links: [], ids: new Set(), refresh: null, base: null };
  for (const { name, kind, attributes } of scanHtml(readFileSync(file, 'utf8'), 0).tags) {
    if (kind !== 'open') continue;
    const values = new Map(attributes.map(({ name, value }) => [name, value.trim()]));
    const [id, href, source] = ['id', 'href', 'src'].map((attribute) => values.get(attribute));
    if (id) page.ids.add(id);
    const anchor = name === 'a' ? values.get('name') : undefined;
    if (anchor) page.ids.add(anchor);
    if (name === 'a' && href !== undefined) page.links.push({ rule: 'link', href });
    if (name === 'img' && source) page.links.push({ rule: 'image', href: source });
    if (name === 'base' && href) page.base = href;
    if (name === 'meta' && values.get('http-equiv')?.toLowerCase() === 'refresh') {
      page.refresh = /url=['"]?([^'"]+)/i.exec(values.get('content') ?? '')?.[1] ?? null;
    }
  }
  return page;
}

function addressOf(file: string): string {
  return file.replace(/index\.html$/, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
