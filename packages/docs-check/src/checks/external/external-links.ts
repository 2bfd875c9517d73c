import type { DocsSite } from '../../read/docs-site.ts';
import type { PageLink } from '../../read/page-facts.ts';
import { introducedProblems, type Key } from '../introduced-problems.ts';
import type { Problem, ProblemCode } from '../problem.ts';
import { RULES } from '../rules.ts';

/** Problems that need an answer from the link's server. */
export const EXTERNAL_CODES = ['dead-link', 'moved-link'] as const satisfies readonly ProblemCode[];

/** A link of a page to another site. */
export interface ExternalLink {
  path: string;
  line: number;
  column: number;
  /** As the page has it. */
  target: string;
  /**
   * The requested address, without fragment. Null if it contains a user name or a password, which are never
   * sent.
   */
  address: string | null;
  host: string;
}

const MAX_ADDRESS = 4_000;
/** Reserved names: RFC 2606, RFC 6761, RFC 6762, RFC 8375, and ICANN's names for private networks. */
const RESERVED =
  /(?:^|\.)(?:localhost|test|example|invalid|local|internal|onion|home\.arpa|example\.(?:com|net|org))$/i;
/** Placeholders for a template or a reader: braces, brackets, and three dots. */
const FILLED_IN = /[{}<>\s]|%7[bd]|\.\.\.|…/i;

/** All links of pages to internet servers, by position. Code is not a link. */
export function externalLinks(docs: DocsSite): ExternalLink[] {
  const found: ExternalLink[] = [];
  for (const { path, facts } of docs.pages()) {
    let text: string | null = null;
    const read = () => (text ??= docs.readText(path) ?? '');
    for (const link of facts.links) {
      if (link.kind === 'import' || link.isUnused || !/^(?:https?:)?\/\//i.test(link.target)) continue;
      const url = addressIn(link.target);
      if (!url || !leadsReaders(docs, link, read)) continue;
      const { target, line, column } = link;
      const hasCredentials = url.username !== '' || url.password !== '';
      found.push({ path, line, column, target, address: hasCredentials ? null : url.href, host: url.host });
    }
  }
  return found;
}

function addressIn(target: string): URL | null {
  const text = target.trim();
  if (text.length > MAX_ADDRESS || FILLED_IN.test(text) || !URL.canParse(text, 'https://docent.invalid')) return null;
  const url = new URL(text, 'https://docent.invalid');
  url.hash = '';
  const name = url.hostname.replace(/\.$/, '');
  const isName = name.includes('.') || name.startsWith('[');
  return isName && !RESERVED.test(name) ? url : null;
}

/**
 * `<link rel="preconnect">` names a server and no page, and MkDocs makes no link of an address in the text.
 */
function leadsReaders({ site }: DocsSite, { kind, syntax, start }: PageLink, read: () => string): boolean {
  if (kind === 'autolink') return site.kind !== 'mkdocs' || read()[start] === '<';
  if (syntax === 'markdown') return true;
  const before = read().slice(Math.max(0, start - 500), start);
  return !/<(?:link|base|form)\b[^<>]*$/i.test(before);
}

/**
 * The links that a change added, by page and target, even if the page moved. Each old link matches one new
 * link.
 */
export function introducedLinks(
  now: readonly ExternalLink[],
  before: readonly ExternalLink[],
  renames: ReadonlyMap<string, string>,
): ExternalLink[] {
  const asProblem = (link: ExternalLink, path = link.path): Problem => ({
    ...linkProblem('dead-link', link, ''),
    path,
  });
  const links = new Map(now.map((link) => [asProblem(link), link]));
  const old = before.map((link) => asProblem(link, renames.get(link.path)));
  return introducedProblems(old, [...links.keys()], [{ before: byPageAndTarget, now: byPageAndTarget }]).map(
    (problem) => links.get(problem)!,
  );
}

const byPageAndTarget: Key = ({ path, target }) => `${path}\n${target}`;

/** All problems that a link could have, for links that were not requested. */
export function possibleProblems(links: readonly ExternalLink[]): Problem[] {
  return links.flatMap((link) => EXTERNAL_CODES.map((code) => linkProblem(code, link, '')));
}

export function linkProblem(code: ProblemCode, link: ExternalLink, message: string, suggestion?: string): Problem {
  const { path, line, column, target, address } = link;
  return {
    path,
    line,
    column,
    code,
    message,
    severity: RULES[code].severity,
    ...(address !== null && { target, cause: address }),
    ...(suggestion !== undefined && { suggestion }),
  };
}
