import type { DocsSite } from '../content/docs-site.ts';
import { fileOfEntry } from '../content/navigation.ts';
import { bareAnchor } from '../content/heading-slug.ts';
import type { PageFacts, PageLink } from '../content/page-facts.ts';
import { pageFormatOf } from '../content/page-format.ts';
import type { SiteConfig } from '../content/site-config.ts';
import { addressOf, isPartial, routeOf } from '../content/site.ts';
import { TextLines } from '../content/text-lines.ts';
import type { Problem } from './problem.ts';

/**
 * Checks a site as its build would: pages parse, links, anchors, images and imports lead somewhere, navigation and files
 * agree. With `base`, the site before the change, also that pages which went away leave a redirect.
 * Sorted by path and line. What it cannot know (pages made from an API description, other sites) it takes for fine.
 */
export function checkDocs(docs: DocsSite, base?: DocsSite): Problem[] {
  const problems: Problem[] = [];
  for (const { path, facts } of docs.pages()) checkPage(docs, path, facts, problems);
  checkConfig(docs, problems);
  if (base) checkRedirects(docs, base, problems);
  return problems.toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

function checkPage(docs: DocsSite, path: string, facts: PageFacts, problems: Problem[]): void {
  for (const { kind, message, line } of facts.problems) {
    const code = kind === 'syntax' ? 'page-syntax' : 'front-matter';
    problems.push({
      path,
      line,
      code,
      message: `${kind === 'syntax' ? 'The page does not parse: ' : ''}${message}`,
      severity: 'error',
    });
  }
  for (const link of facts.links) {
    const problem = checkLink(docs, path, link);
    if (problem) problems.push(problem);
  }
}

function checkLink(docs: DocsSite, path: string, link: PageLink): Problem | null {
  const { target, line } = link;
  const resolved = docs.resolver.resolve(path, target);
  const quoted = JSON.stringify(target);
  switch (resolved.kind) {
    case 'file': {
      if (!resolved.hash || hasAnchor(docs, resolved.path, resolved.hash)) return null;
      const where = resolved.path === path ? 'this page' : resolved.path;
      const message = `The link ${quoted} points to an anchor that ${where} does not have.`;
      return { path, line, code: 'missing-anchor', message, severity: 'error', target };
    }
    case 'redirected': {
      const message = `The link ${quoted} only works through a redirect to ${JSON.stringify(resolved.destination)}.`;
      return { path, line, code: 'redirected-link', message, severity: 'notice', target };
    }
    case 'missing': {
      // A part is read as if it stood in the page that includes it.
      if (isPartial(docs.site, path) && !target.startsWith('/')) return null;
      const [code, noun] = missing(link, resolved.wanted);
      return { path, line, code, message: `The ${noun} ${quoted} leads to nothing.`, severity: 'error', target };
    }
    default:
      return null;
  }
}

function missing({ kind }: Pick<PageLink, 'kind'>, wanted: string): [Problem['code'], string] {
  if (kind === 'import') return ['missing-import', 'import'];
  if (kind === 'image') return ['missing-image', 'image'];
  return /\.[a-z][a-z\d]{1,5}$/i.test(wanted) && !pageFormatOf(wanted)
    ? ['missing-file', 'link']
    : ['missing-page', 'link'];
}

function hasAnchor(docs: DocsSite, path: string, hash: string): boolean {
  if (hash === 'top' || hash.startsWith(':~:')) return true;
  const facts = docs.facts(path);
  // Only pages are looked into; those made from an API description have headings that no file shows.
  if (!facts || facts.problems.length > 0 || 'openapi' in (facts.frontMatter?.fields ?? {})) return true;
  const anchors = docs.anchors(path);
  const plain = hash.replace(/^user-content-/, '');
  if (anchors.has(plain)) return true;
  if (docs.site.kind === 'plain') return anchors.has(plain.toLowerCase());
  // How Mintlify makes an id of dots and signs is not written down.
  return docs.bareAnchors(path).has(bareAnchor(plain));
}

function checkConfig(docs: DocsSite, problems: Problem[]): void {
  const { config } = docs.site;
  if (!config) return;
  const lines = new Map(config.sources.map(({ path, text }) => [path, new TextLines(text)]));
  const at = (path: string, offset: number) => ({ path, line: lines.get(path)?.lineAt(offset) ?? 1 });
  for (const { path, offset, message } of config.problems) {
    problems.push({
      ...at(path, offset),
      code: 'config-invalid',
      message: `${path} is not valid: ${message}.`,
      severity: 'error',
    });
  }
  checkNavigation(docs, config, at, problems);
  for (const { source, node, value } of config.links) {
    const resolved = docs.resolver.resolve(docs.site.configPath!, value);
    if (resolved.kind !== 'missing') continue;
    const [code] = missing({ kind: 'link' }, resolved.wanted);
    const message = `${JSON.stringify(value)} leads to nothing.`;
    problems.push({ ...at(source.path, node.offset), code, message, severity: 'error', target: value });
  }
  for (const { source, node, to } of config.redirects) {
    if (!/^\/(?!\/)/.test(to.value) || /[:*]/.test(to.value)) continue;
    if (docs.resolver.resolve(docs.site.configPath!, to.value).kind !== 'missing') continue;
    const message = `The redirect to ${JSON.stringify(to.value)} leads to nothing.`;
    const place = at(source.path, node.offset);
    problems.push({ ...place, code: 'redirect-to-nowhere', message, severity: 'warning', target: to.value });
  }
}

/** Entries without a page, and pages without an entry. */
function checkNavigation(
  { site }: DocsSite,
  config: SiteConfig,
  at: (path: string, offset: number) => { path: string; line: number },
  problems: Problem[],
): void {
  const listed = new Set<string>();
  for (const { source, node, value } of config.entries) {
    const file = fileOfEntry(site, value);
    if (file) listed.add(file);
    if (file || config.generated.some((folder) => value.replace(/^\//, '').startsWith(`${folder}/`))) continue;
    const message = `The navigation lists ${JSON.stringify(value)}, but there is no such page.`;
    const place = at(source.path, node.offset);
    problems.push({ ...place, code: 'navigation-missing-page', message, severity: 'error', target: value });
  }
  // Where a part of it cannot be read, nobody can say what is missing.
  if (config.problems.length > 0) return;
  for (const path of site.pages) {
    if (listed.has(path) || isPartial(site, path)) continue;
    const message = `The page is in no navigation list of ${site.configPath}.`;
    problems.push({ path, line: 1, code: 'page-not-in-navigation', message, severity: 'notice' });
  }
}

function checkRedirects(docs: DocsSite, base: DocsSite, problems: Problem[]): void {
  if (!docs.site.config || !docs.site.configPath) return;
  const configPath = docs.site.configPath;
  for (const path of base.site.pages) {
    if (docs.site.files.has(path) || isPartial(base.site, path) || docs.resolver.isRedirected(path)) continue;
    const address = addressOf(base.site, path);
    if (docs.resolver.resolve(configPath, address).kind === 'file') continue;
    const successor = successorOf(docs, base, path);
    const message = successor
      ? `The page ${address} is gone, probably to ${addressOf(docs.site, successor)}; readers of the old address need a redirect.`
      : `The page ${address} is gone and leaves no redirect.`;
    const severity = successor ? 'error' : 'warning';
    problems.push({ path: configPath, line: 1, code: 'missing-redirect', message, severity, target: address });
  }
}

/** A page that was not there before and bears the title or the name of the one that went. */
function successorOf(docs: DocsSite, base: DocsSite, path: string): string | undefined {
  const title = base.facts(path)?.title;
  const name = routeOf(base.site, path).split('/').at(-1);
  return docs.site.pages.find((candidate) => {
    if (base.site.files.has(candidate) || isPartial(docs.site, candidate)) return false;
    const sameName = routeOf(docs.site, candidate).split('/').at(-1) === name && name !== 'index';
    return sameName || (title !== null && docs.facts(candidate)?.title === title);
  });
}
