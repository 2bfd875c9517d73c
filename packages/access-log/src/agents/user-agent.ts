import { LRUCache } from 'lru-cache';
import { copyOf, SharedValue } from '../shared-value.ts';
import { classify } from './classify.ts';
import { type EventKind, type VerifiedBy, VIEW_FORMATS, type ViewFormat } from '../event-kind.ts';

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
  /** Made when they are first needed. */
  readonly checked: Map<string, SharedValue<EventKind>>;
}

/** The result of a check of what a client claims to be. */
export interface Verdict {
  readonly isTrue: boolean;
  readonly by: VerifiedBy;
  /** The agent that a signature proves, if the user agent names none. */
  readonly agent?: Pick<EventKind, 'agent' | 'class'>;
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
    return { unknown: new SharedValue({ ...kind, verified: null, verifiedBy: null }), checked: new Map() };
  };
  made = (made + 1) % 2 ** 32;
  const kinds = Object.fromEntries(VIEW_FORMATS.map((format) => [format, kindsOf(format)]));
  return { no: made, userAgent, kinds: kinds as KnownAgent['kinds'] };
}

/**
 * What an event says of its client; a false agent is `other`.
 * @param verdict null: its claim cannot be checked
 */
export function kindOf({ kinds }: KnownAgent, format: ViewFormat, verdict: Verdict | null): SharedValue<EventKind> {
  const { unknown, checked } = kinds[format];
  if (verdict === null) return unknown;
  const { isTrue, by, agent } = verdict;
  const key = `${isTrue} ${by} ${agent?.agent ?? ''}`;
  let kind = checked.get(key);
  if (kind === undefined) {
    const found = { ...unknown.value, ...agent, verified: isTrue, verifiedBy: by };
    checked.set(key, (kind = new SharedValue(isTrue ? found : { ...found, class: 'other' })));
  }
  return kind;
}

const UNRECORDED = judge(null);
