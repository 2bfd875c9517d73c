import type { ExternalSettings } from '../../checks/external/external-settings.ts';
import {
  externalLinks,
  introducedLinks,
  linkProblem,
  possibleProblems,
  type ExternalLink,
} from '../../checks/external/external-links.ts';
import type { Problem } from '../../checks/problem.ts';
import { renamedPages } from '../../checks/renamed-pages.ts';
import type { DocsSite } from '../../read/docs-site.ts';
import { createGuardedFetch, type GuardedFetch } from '@docent/base/net/guarded-fetch';
import { plural } from '@docent/base/plural';
import type { Answer } from './answer.ts';
import { AnswersCache } from './answers-cache.ts';
import { askLinks, type AskLinksOptions } from './ask-links.ts';

export interface ExternalOptions {
  /** Entries of DOCENT_PRIVATE_HOSTS. */
  privateHosts: readonly string[];
  /** Beside this file answers are kept. */
  cacheFile?: string;
  onProgress?: (done: number, all: number) => void;
  /** For tests. */
  pauses?: Pick<AskLinksOptions, 'pauseMs' | 'retryMs'>;
  fetch?: GuardedFetch;
}

export interface ExternalFindings {
  problems: Problem[];
  /** Problems that unverified links may have. */
  possible: Problem[];
  counts: ExternalCounts;
}

/** Each address counts once. */
export interface ExternalCounts {
  asked: number;
  /** Known from an earlier run. */
  cached: number;
  /** Requested and cached addresses without a result. */
  unknown: number;
}

/** The links of a site to check. */
export interface Wanted {
  docs: DocsSite;
  /** With it, only links that are new since then. */
  base: DocsSite | undefined;
  settings: ExternalSettings;
  isWanted: (path: string) => boolean;
}

/**
 * Requests the targets of pages' links. Sends nothing to private networks, and no user names and passwords.
 * Caches answers in the cache file, if there is one.
 */
export async function checkExternal(wanted: Wanted, options: ExternalOptions): Promise<ExternalFindings> {
  const { docs, base, settings, isWanted } = wanted;
  const all = externalLinks(docs);
  const news = base ? introducedLinks(all, externalLinks(base), renamedPages(base, docs)) : all;
  const links = news.filter(
    ({ path, address }) => isWanted(path) && (address === null || !settings.isExcluded(address)),
  );
  const addresses = [...new Set(links.flatMap(({ address }) => address ?? []))];
  const cache =
    options.cacheFile === undefined ? null : new AnswersCache(`${options.cacheFile}-links`, settings.acceptStatus);
  const known = new Map(addresses.flatMap((address) => pairOf(address, cache?.get(address))));
  const asked = await askLinks(
    addresses.filter((address) => !known.has(address)),
    {
      ...settings,
      ...options,
      ...options.pauses,
      fetch: options.fetch ?? guardedFetch(options),
      ...(cache && { onAnswer: savingTo(cache) }),
    },
  );
  if (asked.size > 0) cache?.save(new Map([...asked].filter(([, answer]) => isKept(answer))));
  const answers = new Map([...known, ...asked]);
  const isOpen = ({ address }: ExternalLink) => (answers.get(address ?? '')?.kind ?? 'unknown') === 'unknown';
  const excluded = new Set(all.filter(({ address }) => address !== null && settings.isExcluded(address)));
  return {
    problems: [
      ...links.flatMap((link) => problemOf(link, answers.get(link.address ?? '')) ?? []),
      ...untold(links, answers, settings),
    ],
    possible: possibleProblems(all.filter((link) => isOpen(link) && !excluded.has(link))),
    counts: {
      asked: addresses.length - known.size,
      cached: known.size,
      unknown: addresses.filter((address) => (answers.get(address)?.kind ?? 'unknown') === 'unknown').length,
    },
  };
}

/** An interrupted run keeps the answers so far. */
const SAVE_EVERY = 200;

function savingTo(cache: AnswersCache): (address: string, answer: Answer) => void {
  const fresh = new Map<string, Answer>();
  return (address, answer) => {
    const isSure = answer.kind !== 'dead' || answer.by === 'status';
    if (isSure && isKept(answer)) fresh.set(address, answer);
    if (fresh.size < SAVE_EVERY) return;
    cache.save(fresh);
    fresh.clear();
  };
}

/** If nothing was sent, the next run sends it. */
function isKept(answer: Answer): boolean {
  return answer.kind !== 'unknown' || answer.isReached === true || answer.retry !== undefined;
}

/** One request is one answer: only its own timeouts and limits apply. */
function guardedFetch({ privateHosts }: ExternalOptions): GuardedFetch {
  return createGuardedFetch({ allowed: privateHosts, timeoutMs: null, maxBytes: null });
}

function pairOf(address: string, answer: Answer | undefined): [string, Answer][] {
  return answer ? [[address, answer]] : [];
}

function problemOf(link: ExternalLink, answer: Answer | undefined): Problem | null {
  const quoted = JSON.stringify(link.target);
  if (answer?.kind === 'dead') return linkProblem('dead-link', link, `The link ${quoted} is dead: ${answer.why}.`);
  if (answer?.kind !== 'moved') return null;
  const message = `The page of the link ${quoted} has moved permanently to ${JSON.stringify(answer.to ?? answer.end)}.`;
  return linkProblem('moved-link', link, message, answer.to === null ? undefined : spelled(answer.to, link.target));
}

/** Safe in Markdown and in an attribute, with the link's fragment; undefined if no spelling is safe. */
function spelled(to: string, written: string): string | undefined {
  const url = new URL(to);
  const fragment = url.hash || (/#.*$/s.exec(written.trim())?.[0] ?? '');
  url.hash = '';
  const rest = url.href.slice(url.origin.length) + fragment;
  if (/&#?\w+;/.test(rest)) return undefined;
  return (
    url.origin + rest.replace(/["'<>()\\`{}|^*[\]\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  );
}

/** No web server was reached. */
function isOffline(answers: readonly Answer[]): boolean {
  return answers.every((answer) => answer.kind === 'unknown' && !answer.isReached);
}

/** Unverified links, by server; once, if nothing was reached at all. */
function untold(
  links: readonly ExternalLink[],
  answers: ReadonlyMap<string, Answer>,
  { totalMs }: ExternalSettings,
): Problem[] {
  const left = links.filter(({ address }) => address !== null && !answers.has(address));
  const refused = links.flatMap((link) => {
    const answer = link.address === null ? undefined : answers.get(link.address);
    return answer?.kind === 'unknown' && !answer.isPrivate ? [{ link, why: answer.why }] : [];
  });
  const servers = Map.groupBy(refused, ({ link }) => link.host);
  if (servers.size > 1 && isOffline([...answers.values()])) {
    const message = `${plural(refused.length, 'external link')} to ${plural(servers.size, 'server')} could not be checked: no server responded. Check your network connection.`;
    return [notice(refused[0]!.link, message, 'network')];
  }
  const notices = [...servers].map(([host, some]) => {
    const whys = [...Map.groupBy(some, ({ why }) => why)].map(([why, { length }]) => `it ${why} (${length})`);
    const message = `${plural(some.length, 'external link')} to ${host} could not be checked: ${whys.join(', ')}. To skip addresses or accept a status, use \`external\` in .docent.json.`;
    return notice(some[0]!.link, message, host);
  });
  const secret = links.filter(({ address }) => address === null);
  if (secret[0]) {
    const message = `${plural(secret.length, 'external link')} with a user name or a password in the address ${secret.length === 1 ? 'was' : 'were'} not checked.`;
    notices.push(notice(secret[0], message, 'credentials'));
  }
  if (left[0]) {
    const hosts = new Set(left.map(({ host }) => host)).size;
    const message = `${plural(left.length, 'external link')} to ${plural(hosts, 'server')} were not checked: the limit of ${plural(totalMs / 60_000, 'minute')} was reached. Raise \`external.minutes\` in .docent.json, or use --cache: the next run then continues.`;
    notices.push(notice(left[0], message, 'time'));
  }
  return notices;
}

function notice({ path, line, column }: ExternalLink, message: string, about: string): Problem {
  return { path, line, column, code: 'not-checked', message, severity: 'notice', cause: `external links: ${about}` };
}
