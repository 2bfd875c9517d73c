import { LRUCache } from 'lru-cache';
import { copyOf, SharedValue } from '../../platform/shared-value.ts';
import { classify } from './classify/classify.ts';
import { agentRanges } from './classify/verify-agent.ts';
import { type EventKind, VIEW_FORMATS, type ViewFormat } from './event.ts';

/** A user agent as it is stored, and its events' facts. */
export interface KnownAgent {
  /** Differs from all others of the process, of the last four billion. */
  readonly no: number;
  readonly userAgent: string | null;
  readonly kinds: Readonly<Record<ViewFormat, CheckedKinds>>;
}

/** The facts of an event, by the result of the client's check. */
interface CheckedKinds {
  readonly unknown: SharedValue<EventKind>;
  readonly verified: SharedValue<EventKind>;
  readonly failed: SharedValue<EventKind>;
}

const LONGEST = 1_024;
const agents = new LRUCache<string, KnownAgent>({ max: 20_000 });
let made = 0;

/** As stored and used for visitors: 1,024 characters without NUL and lone surrogates; empty for `-`. */
export function cleanUserAgent(text: string): string {
  const cut = text.length > LONGEST ? copyOf(text.slice(0, LONGEST)) : text;
  return cut === '-' ? '' : cut.toWellFormed().replaceAll('\0', '');
}

/** What a user agent is, cached. @param userAgent null if none was recorded */
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
 * The facts of an event about its client; a false agent is `other`.
 * @param address the client's; null if unknown
 */
export function kindOf({ kinds }: KnownAgent, format: ViewFormat, address: string | null): SharedValue<EventKind> {
  const { unknown, verified, failed } = kinds[format];
  const result = agentRanges.verify(unknown.value.agent, address);
  return result === null ? unknown : result ? verified : failed;
}

const UNRECORDED = judge(null);
