import { LRUCache } from 'lru-cache';
import { copyOf, SharedValue } from '../../platform/shared-value.ts';
import { classify } from './classify/classify.ts';
import { agentRanges } from './classify/verify-agent.ts';
import { type EventKind, VIEW_FORMATS, type ViewFormat } from './event.ts';

/** A user agent as it is kept, and what it says of its events. */
export interface KnownAgent {
  /** Differs from all others of the process, of the last four billion. */
  readonly no: number;
  readonly userAgent: string | null;
  readonly kinds: Readonly<Record<ViewFormat, CheckedKinds>>;
}

/** What is said of an event, by the result of the check of its client. */
interface CheckedKinds {
  readonly unknown: SharedValue<EventKind>;
  readonly verified: SharedValue<EventKind>;
  readonly failed: SharedValue<EventKind>;
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
  const kindsOf = (format: ViewFormat): CheckedKinds => {
    const { class: found, agent, version } = classify({ userAgent, format });
    const kind = { userAgent, class: found, agent, format, classifier: version };
    return {
      unknown: new SharedValue({ ...kind, verified: null, verifiedBy: null }),
      verified: new SharedValue({ ...kind, verified: true, verifiedBy: 'ranges' }),
      failed: new SharedValue({ ...kind, class: 'other', verified: false, verifiedBy: 'ranges' }),
    };
  };
  made = (made + 1) % 2 ** 32;
  const kinds = Object.fromEntries(VIEW_FORMATS.map((format) => [format, kindsOf(format)]));
  return { no: made, userAgent, kinds: kinds as KnownAgent['kinds'] };
}

/**
 * What an event says of its client. Who claims to be an agent and is not is `other`.
 * @param address the client's; null where it is not known
 */
export function kindOf({ kinds }: KnownAgent, format: ViewFormat, address: string | null): SharedValue<EventKind> {
  const { unknown, verified, failed } = kinds[format];
  const result = agentRanges.verify(unknown.value.agent, address);
  return result === null ? unknown : result ? verified : failed;
}

const UNRECORDED = judge(null);
