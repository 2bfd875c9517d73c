import type { DocsSite } from '../read/docs-site.ts';
import { fileOfEntry } from '../read/navigation.ts';
import { vueSlug } from '../read/heading-slug.ts';
import { cleanId, withoutQuotes } from '../syntax/mintlify-slug.ts';
import type { PageFacts, PageLink } from '../read/page-facts.ts';
import { pageFormatOf } from '../read/page-format.ts';
import type { Generator } from '../generators/generator.ts';
import { knowsAnchors } from '../generators/other-generators.ts';
import type { SiteConfig } from '../read/site-config.ts';
import { inRepository } from '../read/repository-path.ts';
import { isBelow, isPartial, routeOf, type Site, type SiteKind } from '../read/site.ts';
import { respelled } from '../read/spellings.ts';
import { TextLines } from '../read/text-lines.ts';
import { missingEntry } from './missing-entry.ts';
import type { Problem } from './problem.ts';
import { NOTHING_ASKED, type AskedRules } from './style/asked-rules.ts';
import { pageStyle } from './style/page-style.ts';
import { unusedImages } from './style/unused-images.ts';
import { labelsNotChecked, undefinedLabels } from './undefined-labels.ts';
import { unknownComponents } from './unknown-components.ts';
import { anchorsNotChecked, uncheckedByDoubt } from './unchecked.ts';
import { mayBeUnread, unreadFiles } from './unread-files.ts';

/** A page's own problems. They stay valid until one of the pages whose ids its links need changes. */
export interface KnownPage {
  problems: Problem[];
  /** The pages whose ids its links need. */
  asks: Set<string>;
  /** Pages with anchors that its links name and only the build may show, once for each link. */
  unsure: string[];
}

type Answers = Pick<KnownPage, 'asks' | 'unsure'>;
const unasked = (): Answers => ({ asks: new Set(), unsure: [] });

/**
 * Checks a site as its build would: pages parse; links, anchors, images and imports lead somewhere;
 * navigation and files agree. With `base`, the site before the change, also that removed pages have a
 * redirect. Sorted by path and line. What cannot be verified (pages from an API description, other sites) is
 * assumed to be valid.
 * @param asked rules that are off by default and should be checked
 * @param known pages' own problems, by path: such pages are not checked again, others are added
 */
export function checkDocs(
  docs: DocsSite,
  base?: DocsSite,
  asked: AskedRules = NOTHING_ASKED,
  known = new Map<string, KnownPage>(),
): Problem[] {
  const problems: Problem[] = [];
  const unsure: string[] = [];
  for (const { path, facts } of docs.pages()) {
    let own = known.get(path);
    if (!own) {
      own = { problems: [], ...unasked() };
      checkPage(docs, path, facts, own);
      own.problems.push(...pageStyle(docs, path, facts, asked));
      known.set(path, own);
    }
    for (const problem of own.problems) problems.push(problem);
    for (const page of own.unsure) unsure.push(page);
  }
  checkConfig(docs, problems);
  const unread = unreadFiles(docs);
  // Their notices say it already.
  const ofRead = unsure.filter((page) => !unread.some(({ path }) => path === page));
  for (const notice of [uncheckedByDoubt(docs.site), labelsNotChecked(docs), anchorsNotChecked(ofRead)])
    if (notice) problems.push(notice);
  problems.push(...unread);
  if (asked.codes.has('unused-image')) problems.push(...unusedImages(docs));
  if (base) checkRedirects(docs, base, problems);
  return sorted(problems);
}

/** By path and line. */
export function sorted(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

function checkPage(docs: DocsSite, path: string, facts: PageFacts, { problems, ...answers }: KnownPage): void {
  for (const { kind, message, line, column } of facts.problems) {
    const code = kind === 'syntax' ? 'page-syntax' : 'front-matter';
    problems.push({
      path,
      line,
      column,
      code,
      message: `${kind === 'syntax' ? 'The page has a syntax error: ' : ''}${message}`,
      severity: 'error',
    });
  }
  problems.push(...undefinedLabels(docs, path, facts));
  if (docs.site.generator?.hasTemplates && !isPartial(docs.site, path)) {
    for (const { message, line, column } of facts.templateFaults ?? []) {
      const sentence = `The page is not a valid Vue template: ${message}.`;
      problems.push({ path, line, column, code: 'page-syntax', message: sentence, severity: 'error' });
    }
  }
  problems.push(...unknownComponents(docs, path, facts));
  for (const link of facts.links) {
    const problem = link.isUnused || link.isEntry ? null : checkLink(docs, path, link, answers);
    if (problem) problems.push(problem);
  }
}

/**
 * The problem of one link of a page; null if none.
 * @param answers receives what the verdict depends on
 */
export function checkLink(docs: DocsSite, path: string, link: PageLink, answers = unasked()): Problem | null {
  const { target, line, column } = link;
  const place = { path, line, column };
  const resolved = docs.resolver.resolve(path, target, link);
  const quoted = JSON.stringify(target);
  switch (resolved.kind) {
    case 'file': {
      if (resolved.otherForm) {
        const [code, noun] = missing(link, resolved.path);
        const message = `The ${noun} ${quoted} ${OTHER_FORM}.`;
        return { ...place, code, message, severity: 'warning', target, cause: resolved.path };
      }
      const cause = missingAnchor(docs, path, resolved, answers);
      if (cause === null) return null;
      const where = resolved.path === path ? 'this page' : resolved.path;
      const message = `The link ${quoted} points to an anchor that ${where} does not have.`;
      return { ...place, code: 'missing-anchor', message, severity: 'error', target, cause };
    }
    case 'redirected': {
      const end = docs.resolver.endOfRedirect(resolved.destination);
      const cause = end && missingAnchor(docs, path, { path: end.path, hash: end.hash ?? resolved.hash }, answers);
      if (end && cause !== null) {
        const message = `The link ${quoted} is redirected to ${end.path}, which does not have the anchor.`;
        return { ...place, code: 'missing-anchor', message, severity: 'error', target, cause };
      }
      const message = `The link ${quoted} only works through a redirect to ${JSON.stringify(resolved.destination)}.`;
      return { ...place, code: 'redirected-link', message, severity: 'notice', target, cause: resolved.destination };
    }
    case 'missing': {
      // A partial is read as part of the page that includes it.
      if (isPartial(docs.site, path) && !target.startsWith('/')) return null;
      if (mayBeServedElsewhere(docs.site, link)) return null;
      if (mayBeUnread(docs)) return null;
      const [code, noun] = resolved.isLabel ? (['missing-anchor', 'link'] as const) : missing(link, resolved.wanted);
      const message = `The ${noun} ${quoted} is broken: ${resolved.why ?? 'its target does not exist'}.`;
      return { ...place, code, message, severity: 'error', target, cause: resolved.wanted };
    }
    default:
      return null;
  }
}

/** @returns the page and the missing hash; null if it exists, or only the build knows */
function missingAnchor(
  docs: DocsSite,
  from: string,
  { path, hash }: { path: string; hash: string | null },
  { asks, unsure }: Answers,
): string | null {
  if (!hash) return null;
  for (const asked of docs.sourcesOfAnchors(path)) asks.add(asked);
  if (hasAnchor(docs, path, hash)) return null;
  if (docs.hasMoreAnchors(path)) {
    unsure.push(path);
    return null;
  }
  for (const other of path === from ? [] : (docs.resolver.addresses?.translationsOf?.(path) ?? [])) {
    for (const asked of docs.sourcesOfAnchors(other)) asks.add(asked);
    if (hasAnchor(docs, other, hash) || docs.hasMoreAnchors(other)) return null;
  }
  // The including page may have what a partial lacks.
  return path === from && isPartial(docs.site, from) ? null : `${path}#${hash}`;
}

/** A build compares names byte by byte, on Linux at least, and hosts do. */
const OTHER_FORM =
  'uses another Unicode normalization (NFC or NFD) than the file name: builds and servers may not find the file';

/** Whether only the web server's configuration decides. */
function mayBeServedElsewhere(site: Site, { kind, target, ofComponent }: PageLink): boolean {
  const first = /^\/([^/?#]+)/.exec(target)?.[1];
  if (first === undefined) return false;
  // A component may prepend the address of another site.
  if (ofComponent && kind === 'link' && /\.\w{1,6}$/.test(target) && !pageFormatOf(target)) return true;
  if (site.kind !== 'plain' || kind !== 'image') return false;
  return ![first, site.root === '' ? first : `${site.root}/${first}`].some(
    (folder) => site.folders.has(folder) || site.files.has(folder),
  );
}

function missing({ kind }: Pick<PageLink, 'kind'>, wanted: string): [Problem['code'], string] {
  if (kind === 'import') return ['missing-import', 'import'];
  if (kind === 'image') return ['missing-image', 'image'];
  return /\.[a-z][a-z\d]{1,5}$/i.test(wanted) && !pageFormatOf(wanted)
    ? ['missing-file', 'link']
    : ['missing-page', 'link'];
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * GitBook writes some signs as words and others as dashes, so only letters and digits are compared. It puts
 * `id-` before digits, and makes ids of the titles of expandable blocks too.
 */
function isGitbookAnchor(docs: DocsSite, path: string, anchor: string): boolean {
  const titles = (docs.readText(path) ?? '').matchAll(/<summary>([^\n]{1,300}?)<\/summary>/g);
  const anchors = [...docs.anchors(path), ...Array.from(titles, ([, title]) => title!.replace(/<[^>]*>/g, ''))];
  const hash = anchor.replace(/^id-(?=\d)/, '');
  const withoutWords = hash.replace(/usd|(?<![a-z])(?:less-than|greater-than|and|or|percent|plus)(?![a-z])/gi, '');
  const wanted = [lettersOf(hash), lettersOf(withoutWords)];
  return anchors.some((one) => wanted.includes(lettersOf(one)));
}

function hasAnchor(docs: DocsSite, path: string, hash: string): boolean {
  if (hash === 'top' || hash.startsWith(':~:')) return true;
  const facts = docs.facts(path);
  // Only pages are checked; those from an API description have headings outside files.
  if (!facts || facts.problems.length > 0 || isWrittenElsewhere(facts)) return true;
  if (docs.site.generator?.hasOwnIds || docs.resolver.addresses?.isOwnAnchor(hash, path)) return true;
  const unknown = docs.site.doubt?.reason === 'unknown-generator' ? docs.site.doubt.name : null;
  if (unknown !== null && !knowsAnchors(unknown)) return true;
  const anchors = docs.anchors(path);
  const plain = hash.replace(/^user-content-/, '');
  if (anchors.has(plain) || anchors.has(hash)) return true;
  if (unknown === 'GitBook') return isGitbookAnchor(docs, path, plain);
  if (docs.site.kind === 'plain') return anchors.has(plain.toLowerCase());
  // VitePress makes the hash of a link the way it makes ids.
  if (docs.site.kind === 'vitepress') return anchors.has(vueSlug(plain));
  // Until Astro 6, a dash at the end of an id was cut off.
  if (docs.site.kind === 'starlight') return anchors.has(`${plain}-`);
  if (docs.site.kind === 'mkdocs') return isTabAnchor(anchors, plain.replace(/^\+/, ''));
  // Mintlify's own check of links, and its pages, leave out the same signs; accordions within accordions are
  // written `#outer:inner`.
  return (
    docs.site.config !== null &&
    (anchors.has(cleanId(hash)) ||
      anchors.has(withoutQuotes(hash)) ||
      hash.split(':').every((part) => anchors.has(part)))
  );
}

/** With `url`, a page of Mintlify is another site's. */
function isWrittenElsewhere({ frontMatter }: PageFacts): boolean {
  return ['openapi', 'openapi-schema', 'asyncapi', 'url'].some((name) => name in (frontMatter?.fields ?? {}));
}

/**
 * `+option` of a hook, or the heading's id and the tab's in one:
 * https://facelessuser.github.io/pymdown-extensions/extensions/tabbed/
 */
function isTabAnchor(anchors: ReadonlySet<string>, hash: string): boolean {
  if (anchors.has(hash)) return true;
  for (let at = hash.indexOf('-'); at !== -1; at = hash.indexOf('-', at + 1)) {
    if (anchors.has(hash.slice(0, at)) && anchors.has(hash.slice(at + 1))) return true;
  }
  return false;
}

function checkConfig(docs: DocsSite, problems: Problem[]): void {
  const { config } = docs.site;
  if (docs.site.generator) checkGenerator(docs, docs.site.generator, problems);
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
    const message = `The link ${JSON.stringify(value)} is broken: its target does not exist.`;
    problems.push({ ...at(source.path, node.offset), code, message, severity: 'error', target: value });
  }
  for (const { source, node, to } of config.redirects) {
    if (!/^\/(?!\/)/.test(to.value) || /[:*]/.test(to.value)) continue;
    if (docs.resolver.resolve(docs.site.configPath!, to.value).kind !== 'missing') continue;
    const message = `The redirect to ${JSON.stringify(to.value)} is broken: its target does not exist.`;
    const place = at(source.path, node.offset);
    problems.push({ ...place, code: 'redirect-to-nowhere', message, severity: 'warning', target: to.value });
  }
}

/** The form of links in JavaScript. */
const IN_THEME = { kind: 'link', syntax: 'attribute', ofComponent: true } as const;

function checkGenerator(docs: DocsSite, generator: Generator, problems: Problem[]): void {
  const lines = new Map([...generator.texts].map(([path, text]) => [path, new TextLines(text)]));
  const placeOf = (path: string, offset: number) => ({ path, ...(lines.get(path)?.placeOf(offset) ?? { line: 1 }) });
  for (const { path, offset, message } of generator.problems) {
    const sentence = `${path} is not valid: ${message.replace(/\.$/, '')}.`;
    problems.push({ ...placeOf(path, offset), code: 'config-invalid', message: sentence, severity: 'error' });
  }
  for (const { at, message } of generator.unchecked) {
    problems.push({ ...placeOf(at.path, at.start), code: 'not-checked', message, severity: 'notice' });
  }
  const closed = generator.content.filter((folder) => isClosed(docs.site, folder));
  if (closed.length > 0) {
    const message = `Pages in ${closed.slice(0, 3).join(', ')} are behind a symbolic link or in a submodule, so they and links to them are not checked. Check the repository that has them.`;
    problems.push({ path: docs.site.configPath!, line: 1, code: 'not-checked', message, severity: 'notice' });
  }
  const { navigation } = generator;
  const addresses = docs.resolver.addresses;
  for (const { from, to, at } of generator.redirects?.pairs ?? []) {
    if (!at || addresses?.hasDestination?.(to, from) !== false) continue;
    if (isMadeBefore(docs, inRepository(docs.site.root, `./${to.replace(/#.*$/s, '')}`))) continue;
    if (to.startsWith('/') && docs.resolver.resolve(docs.site.configPath!, to, IN_THEME).kind !== 'missing') continue;
    const message = `The redirect to ${JSON.stringify(to)} is broken: its target does not exist.`;
    // Docusaurus then fails to build; MkDocs omits the redirect.
    const severity = docs.site.kind === 'docusaurus' ? 'error' : 'warning';
    problems.push({ ...placeOf(at.path, at.start), code: 'redirect-to-nowhere', message, severity, target: to });
  }
  for (const { value, at } of generator.themeLinks ?? []) {
    const resolved = docs.resolver.resolve(docs.site.configPath!, value, IN_THEME);
    if (resolved.kind !== 'missing' || mayBeUnread(docs)) continue;
    const [code] = missing({ kind: 'link' }, resolved.wanted);
    const message = `The link ${JSON.stringify(value)} on every page is broken: its target does not exist.`;
    problems.push({ ...placeOf(at.path, at.start), code, message, severity: 'error', target: value });
  }
  if (!navigation || !addresses) return;
  const listed = new Set<string>();
  const places = new Set<string>();
  for (const entry of navigation.entries) {
    const file = addresses.fileOf?.(entry);
    // Other generators have several menus with their own entries.
    const list = /^(?:mkdocs|mdbook|fumadocs)$/.test(docs.site.kind) ? '' : entry.list;
    const place = list === undefined || !file ? null : `${list}\n${file}`;
    if (place !== null && places.has(place)) {
      problems.push(repeatedEntry(entry.value, placeOf(entry.at.path, entry.at.start)));
    }
    if (place !== null) places.add(place);
    if (file) {
      listed.add(file);
      problems.push(...otherForm(docs.site, entry.value, placeOf(entry.at.path, entry.at.start)));
    }
    const wanted = inRepository(entry.scope, entry.value);
    if (file !== null || mayBeUnread(docs) || isMadeBefore(docs, wanted)) continue;
    if (wanted !== null && isClosed(docs.site, wanted)) continue;
    // Ids of Docusaurus leave out numbers of folders, and slugs of Starlight are not their names.
    const named = /^(?:docusaurus|starlight|nextra)$/.test(docs.site.kind) ? null : wanted;
    problems.push({
      ...placeOf(entry.at.path, entry.at.start),
      ...missingEntry(docs.site, entry.value, named, navigation.makesMissing),
    });
  }
  if (!navigation.isWhole || generator.problems.length > 0 || mayBeUnread(docs)) return;
  const scopes = new Set(navigation.entries.map(({ scope }) => scope));
  const taken = navigation.isWholeSite ? takenIn(docs) : null;
  for (const path of docs.site.pages) {
    if (
      listed.has(path) ||
      (taken ? taken.has(path) : isPartial(docs.site, path)) ||
      navigation.mayBeLeftOut?.(path) ||
      ![...scopes].some((scope) => isBelow(path, scope))
    )
      continue;
    const message = `The page is not in the navigation of ${navigation.edit?.path ?? docs.site.configPath}.`;
    problems.push({ path, line: 1, code: 'page-not-in-navigation', message, severity: 'notice' });
  }
}

function repeatedEntry(value: string, place: { path: string; line: number }): Problem {
  const message = `The navigation lists the page ${JSON.stringify(value)} twice.`;
  return { ...place, code: 'navigation-repeated-page', message, severity: 'notice', target: value };
}

/** An entry of the navigation that finds its file by another form of its name alone. */
function otherForm({ files }: Site, value: string, place: { path: string; line: number }): Problem[] {
  if (respelled(files, value) === value) return [];
  const message = `The entry ${JSON.stringify(value)} of the navigation ${OTHER_FORM}.`;
  return [{ ...place, code: 'navigation-missing-page', message, severity: 'warning', target: value }];
}

/** Files that other files include. */
function takenIn(docs: DocsSite): Set<string> {
  const taken = new Set<string>();
  for (const { path, facts } of docs.pages()) {
    for (const link of facts.links) {
      if (link.kind !== 'import') continue;
      const resolved = docs.resolver.resolve(path, link.target, link);
      if (resolved.kind === 'file') taken.add(resolved.path);
    }
  }
  return taken;
}

/** Whether a folder, or one above it, is only known by its name. */
function isClosed({ closed }: Site, folder: string): boolean {
  return [...closed].some((name) => name === folder || isBelow(folder, name));
}

/** Files that git ignores may be made before the build. */
function isMadeBefore({ site }: Pick<DocsSite, 'site'>, path: string | null): boolean {
  return path !== null && site.mayBeMade(path);
}

/** Entries without a page, and pages without an entry. */
function checkNavigation(
  { site }: DocsSite,
  config: SiteConfig,
  at: (path: string, offset: number) => { path: string; line: number },
  problems: Problem[],
): void {
  const listed = new Set<string>();
  const inEdition = new Set<string>();
  for (const { source, node, value, edition } of config.entries) {
    const file = fileOfEntry(site, value);
    if (file) {
      const key = `${edition}\n${file}`;
      if (inEdition.has(key)) problems.push(repeatedEntry(value, at(source.path, node.offset)));
      inEdition.add(key);
      listed.add(file);
      problems.push(...otherForm(site, value, at(source.path, node.offset)));
    }
    const wanted = inRepository(site.root, `./${value}`);
    if (isMadeBefore({ site }, wanted)) continue;
    if (file || config.generated.some((folder) => value.replace(/^\//, '').startsWith(`${folder}/`))) continue;
    problems.push({ ...at(source.path, node.offset), ...missingEntry(site, value, wanted) });
  }
  // If a part of it cannot be read, missing entries are unknown.
  if (config.problems.length > 0 || config.unread.length > 0) return;
  for (const path of site.pages) {
    if (listed.has(path) || isPartial(site, path)) continue;
    const message = `The page is not in the navigation of ${site.configPath}.`;
    problems.push({ path, line: 1, code: 'page-not-in-navigation', message, severity: 'notice' });
  }
}

function checkRedirects(docs: DocsSite, base: DocsSite, problems: Problem[]): void {
  const { configPath, generator } = docs.site;
  if (!configPath) return;
  const place = generator?.redirects?.path ?? configPath;
  const canRedirect = !generator || generator.redirects !== null;
  const where = canRedirect ? '' : `, which ${NO_REDIRECTS[docs.site.kind] ?? 'this site generator does not support'}`;
  for (const path of base.site.pages) {
    if (isPartial(base.site, path)) continue;
    const isKept = docs.site.files.has(path);
    const address = base.resolver.addressOf(path);
    if (address === null || docs.resolver.isRedirected(address)) continue;
    // Its front matter, or the configuration, gave it another address.
    const moved = isKept && !isPartial(docs.site, path) ? docs.resolver.addressOf(path) : null;
    if (isKept && (moved === null || moved === address)) continue;
    if (docs.resolver.resolve(configPath, address).kind === 'file') continue;
    if (generator && docs.site.pages.some((page) => docs.resolver.addressOf(page) === address)) continue;
    const successor = moved === null ? successorOf(docs, base, path) : path;
    const message = successor
      ? `The page ${address} is gone. Add a redirect, probably to ${docs.resolver.addressOf(successor)}${where}.`
      : `The page ${address} is gone and has no redirect. Add one${where}.`;
    // If the site generator has no redirects, none can be required.
    const severity = successor && canRedirect ? 'error' : 'warning';
    problems.push({ path: place, line: 1, code: 'missing-redirect', message, severity, target: address });
  }
}

const NO_REDIRECTS: Partial<Record<SiteKind, string>> = {
  sphinx: 'Sphinx only supports with extensions such as sphinx-reredirects; otherwise, configure the web server',
  docusaurus: 'Docusaurus only supports with @docusaurus/plugin-client-redirects; otherwise, configure the web server',
  mkdocs: 'MkDocs only supports with the plugin mkdocs-redirects; otherwise, configure the web server',
  vitepress: 'VitePress does not support: configure the web server',
};

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
