import { BoundedCache } from '../../platform/bounded-cache.ts';
import { classify } from './classify/classify.ts';
import type { EventKind } from './event-batch.ts';
import type { PageFormat } from './event.ts';
import { copyOf, SharedValue } from '../../platform/shared-value.ts';

/** A user agent, cleaned and cut, and what it says of its events. */
export interface KnownAgent {
  /** Differs from all others of the process, of the last four billion. */
  readonly no: number;
  readonly userAgent: string | null;
  readonly html: SharedValue<EventKind>;
  readonly md: SharedValue<EventKind>;
}

const LONGEST = 1_024;
const agents = new BoundedCache<string, KnownAgent>(20_000);
let made = 0;

/**
 * What a user agent is, worked out once for those that are seen often.
 * @param userAgent as logged; null where the log has none
 */
export function knownAgent(userAgent: string | null): KnownAgent {
  if (userAgent === null) return UNRECORDED;
  const text = userAgent.length > LONGEST ? copyOf(userAgent.slice(0, LONGEST)) : userAgent;
  let agent = agents.get(text);
  if (agent === undefined) agents.set(text, (agent = judge(text.toWellFormed().replaceAll('\0', ''))));
  return agent;
}

function judge(userAgent: string | null): KnownAgent {
  const kindOf = (format: PageFormat): SharedValue<EventKind> => {
    const { class: found, agent, version } = classify({ userAgent, format });
    return new SharedValue({ userAgent, class: found, agent, format, classifier: version });
  };
  made = (made + 1) % 2 ** 32;
  return { no: made, userAgent, html: kindOf('html'), md: kindOf('md') };
}

const UNRECORDED = judge(null);
