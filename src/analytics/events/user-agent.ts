import { LRUCache } from 'lru-cache';
import { copyOf, SharedValue } from '../../platform/shared-value.ts';
import { classify } from './classify/classify.ts';
import type { EventKind } from './event.ts';
import type { ViewFormat } from './event.ts';

/** A user agent as it is kept, and what it says of its events. */
export interface KnownAgent {
  /** Differs from all others of the process, of the last four billion. */
  readonly no: number;
  readonly userAgent: string | null;
  readonly html: SharedValue<EventKind>;
  readonly md: SharedValue<EventKind>;
}

const LONGEST = 1_024;
const agents = new LRUCache<string, KnownAgent>({ max: 20_000 });
let made = 0;

/**
 * A user agent as it is kept, and as a visitor is known by it: the first 1,024 characters, without NUL and
 * halves of characters, and empty where `-` says that there is none.
 */
export function cleanUserAgent(text: string): string {
  const cut = text.length > LONGEST ? copyOf(text.slice(0, LONGEST)) : text;
  return cut === '-' ? '' : cut.toWellFormed().replaceAll('\0', '');
}

/**
 * What a user agent is, worked out once for those that are seen often.
 * @param userAgent as it came; null where no one recorded it
 */
export function knownAgent(userAgent: string | null): KnownAgent {
  if (userAgent === null) return UNRECORDED;
  const text = cleanUserAgent(userAgent);
  let agent = agents.get(text);
  if (agent === undefined) agents.set(text, (agent = judge(text)));
  return agent;
}

function judge(userAgent: string | null): KnownAgent {
  const kindOf = (format: ViewFormat): SharedValue<EventKind> => {
    const { class: found, agent, version } = classify({ userAgent, format });
    return new SharedValue({ userAgent, class: found, agent, format, classifier: version });
  };
  made = (made + 1) % 2 ** 32;
  return { no: made, userAgent, html: kindOf('html'), md: kindOf('md') };
}

const UNRECORDED = judge(null);
