import { isbot } from 'isbot';
import { BoundedCache } from '../../../platform/bounded-cache.ts';
import { AGENT_RULES, type VisitorClass } from './agent-rules.ts';
import { findNamedCrawler } from './named-crawlers.ts';

export type { VisitorClass } from './agent-rules.ts';

/**
 * Raised whenever an answer of {@link classify} may change: its rules, the own table, or the version of one of the two lists.
 * Stored with each event, so that a rebuild knows which events to classify again. A test holds it to the tables.
 */
export const CLASSIFIER_VERSION = 1;

export type PageFormat = 'html' | 'md';

export type ClassificationSource = 'given' | 'rule' | 'crawler-user-agents' | 'isbot' | 'markdown';

export interface Visit {
  /** null: nobody recorded it. Empty: the client sent none, which no browser does. */
  readonly userAgent: string | null;
  /** The `Accept` header, where it is known. */
  readonly accept?: string | null | undefined;
  /** The path as requested, where the format was not worked out yet. */
  readonly path?: string | undefined;
  readonly format?: PageFormat | undefined;
  /** What the sender says it is: believed, since only a key may send it. */
  readonly givenClass?: VisitorClass | null | undefined;
}

export interface Classification {
  readonly class: VisitorClass;
  /** The agent's name in the tables, also when the class was given; null for people and strangers. */
  readonly agent: string | null;
  readonly operator: string | null;
  readonly source: ClassificationSource;
  readonly version: number;
}

/** What the user agent alone tells. `recognised` is false for a browser, a library, and a machine without a name. */
interface Verdict {
  readonly class: VisitorClass;
  readonly agent: string | null;
  readonly operator: string | null;
  readonly source: Exclude<ClassificationSource, 'given' | 'markdown'>;
  readonly recognised: boolean;
}

/** No browser's user agent is longer; what is longer is cut, which bounds the time that 1,500 expressions take. */
const MAX_USER_AGENT = 1024;
const CACHED_USER_AGENTS = 20_000;

const TOKENS = AGENT_RULES.map((rule) => ({
  rule,
  token: rule.token?.toLowerCase(),
  pattern: rule.pattern,
}));
const CRAWLER_WORD = /bot\b|crawl|spider|scrap|slurp/i;

const verdicts = new BoundedCache<string, Verdict>(CACHED_USER_AGENTS);

/**
 * Says what made a visit. In this order: the class that the sender gives; the own table; the list `crawler-user-agents`;
 * `isbot`. Whoever is named by none of them and asks for Markdown is an assistant: people do not read Markdown over HTTP,
 * and many agents come as a library or as a browser. Pure, and cached by user agent.
 */
export function classify(visit: Visit): Classification {
  const verdict = verdictOn(visit.userAgent);
  const { agent, operator } = verdict;
  if (visit.givenClass) {
    return { class: visit.givenClass, agent, operator, source: 'given', version: CLASSIFIER_VERSION };
  }
  if (!verdict.recognised && asksForMarkdown(visit)) {
    return { class: 'assistant', agent: null, operator: null, source: 'markdown', version: CLASSIFIER_VERSION };
  }
  return { class: verdict.class, agent, operator, source: verdict.source, version: CLASSIFIER_VERSION };
}

function verdictOn(userAgent: string | null): Verdict {
  if (userAgent === null) return UNRECORDED;
  const bounded = userAgent.length > MAX_USER_AGENT ? userAgent.slice(0, MAX_USER_AGENT) : userAgent;
  const cached = verdicts.get(bounded);
  if (cached) return cached;
  const verdict = judge(bounded.trim());
  verdicts.set(bounded, verdict);
  return verdict;
}

/** A sender that records no user agents still counts people: see `Visit.userAgent`. */
const UNRECORDED: Verdict = { class: 'human', agent: null, operator: null, source: 'isbot', recognised: false };

function judge(userAgent: string): Verdict {
  if (userAgent === '' || userAgent === '-') return { ...UNRECORDED, class: 'other', source: 'rule' };
  const lower = userAgent.toLowerCase();
  for (const { rule, token, pattern } of TOKENS) {
    if (token === undefined ? pattern!.test(userAgent) : hasToken(lower, token)) {
      return { class: rule.class, agent: rule.agent, operator: rule.operator, source: 'rule', recognised: true };
    }
  }
  const crawler = findNamedCrawler(userAgent);
  if (crawler) return { ...crawler, operator: null, source: 'crawler-user-agents' };
  const machine = isbot(userAgent);
  return {
    class: machine ? 'other' : 'human',
    agent: null,
    operator: null,
    source: 'isbot',
    recognised: machine && CRAWLER_WORD.test(userAgent),
  };
}

/** True if `token` stands in `text` and no letter or digit goes on before or behind it. Both in lower case. */
function hasToken(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    if (!isWordChar(text.charCodeAt(at - 1)) && !isWordChar(text.charCodeAt(at + token.length))) return true;
  }
  return false;
}

function isWordChar(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}

function asksForMarkdown({ format, path, accept }: Visit): boolean {
  if (format === 'md') return true;
  if (format === undefined && path !== undefined && /\.mdx?$/i.test(path.replace(/[?#].*$/s, ''))) return true;
  return accept ? acceptsMarkdown(accept) : false;
}

/** True if an `Accept` header names Markdown (RFC 7763) with a weight above zero. Browsers never do. */
export function acceptsMarkdown(accept: string): boolean {
  return accept
    .slice(0, MAX_USER_AGENT)
    .split(',')
    .some((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      if (type !== 'text/markdown' && type !== 'text/x-markdown') return false;
      return !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    });
}
