import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import type { VisitorClass } from '../event-kind.ts';
import type { ViewFormat } from '../event-kind.ts';
import { AGENT_RULES } from './agent-rules.ts';
import { findNamedCrawler } from './named-crawlers.ts';

/**
 * Raised whenever an answer of {@link classify} may change: its rules, our own table, or the version of one
 * of the two lists. Stored with each event, so that a rebuild knows which events to classify again. A test
 * holds it to the tables.
 */
export const CLASSIFIER_VERSION = 3;

export interface Visit {
  /** null: not recorded. Empty: the client sent none, which no browser does. */
  readonly userAgent: string | null;
  readonly format: ViewFormat;
}

export interface Classification {
  readonly class: VisitorClass;
  /** The agent's name in the tables; null for people and strangers. */
  readonly agent: string | null;
  /** The list or rule that decided. */
  readonly source: 'rule' | 'crawler-user-agents' | 'isbot' | 'markdown';
  readonly version: number;
}

/** The user agent's own verdict. `recognized`: false for browsers, libraries and unnamed machines. */
interface Verdict {
  readonly class: VisitorClass;
  readonly agent: string | null;
  readonly source: Exclude<Classification['source'], 'markdown'>;
  readonly recognized: boolean;
}

/** No browser's user agent is longer. Longer ones are truncated, to limit the time of 1,500 expressions. */
const MAX_USER_AGENT = 1024;

const TOKENS = AGENT_RULES.map((rule) => ({
  rule,
  token: rule.token?.toLowerCase(),
  pattern: rule.pattern,
}));
const CRAWLER_WORD = /bot\b|crawl|spider|scrap|slurp/i;

/** Browsers without `Mozilla` in their user agent, which `isbot` considers a bot's sign. */
const OWN_BROWSER = /^(?:NetSurf|Dillo|edbrowse)\/\d|^(?:URL\/Emacs|Emacs-W3\/)/;
/** The model of a telephone, which may be called `M bot 60`. */
const ANDROID_DEVICE = /(; ?Android [\d.]{1,10}; )[^;()]{1,80}(?= Build\/)/;

const verdicts = new LRUCache<string, Verdict>({ max: 20_000 });

/**
 * Determines what made a visit. Our own table comes first, then the list `crawler-user-agents`, then `isbot`.
 * If none of them knows it, a client that requests Markdown, llms.txt or MCP is an assistant: people do not
 * read these over HTTP, and many agents look like a library or a browser. Pure, and cached by user agent.
 */
export function classify({ userAgent, format }: Visit): Classification {
  const verdict = verdictOn(userAgent);
  if (!verdict.recognized && format !== 'html') {
    return { class: 'assistant', agent: null, source: 'markdown', version: CLASSIFIER_VERSION };
  }
  return { class: verdict.class, agent: verdict.agent, source: verdict.source, version: CLASSIFIER_VERSION };
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

/** A sender that records no user agents still counts people: see {@link Visit}. */
const UNRECORDED: Verdict = { class: 'human', agent: null, source: 'isbot', recognized: false };

function judge(userAgent: string): Verdict {
  if (userAgent === '' || userAgent === '-') return { ...UNRECORDED, class: 'other', source: 'rule' };
  const lower = userAgent.toLowerCase();
  for (const { rule, token, pattern } of TOKENS) {
    if (token === undefined ? pattern!.test(userAgent) : hasToken(lower, token)) {
      return { class: rule.class, agent: rule.agent, source: 'rule', recognized: true };
    }
  }
  const crawler = findNamedCrawler(userAgent);
  if (crawler) return { ...crawler, source: 'crawler-user-agents' };
  const machine = !OWN_BROWSER.test(userAgent) && isbot(userAgent.replace(ANDROID_DEVICE, '$1'));
  return {
    class: machine ? 'other' : 'human',
    agent: null,
    source: 'isbot',
    recognized: machine && CRAWLER_WORD.test(userAgent),
  };
}

/** Whether `text` has `token` without a letter or digit directly before or after it. Both in lower case. */
function hasToken(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    if (!isWordChar(text.charCodeAt(at - 1)) && !isWordChar(text.charCodeAt(at + token.length))) return true;
  }
  return false;
}

function isWordChar(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}
