import type { SharedValue } from '../../platform/shared-value.ts';
import { ReverseDns, systemNames } from './classify/reverse-dns.ts';
import { agentRanges } from './classify/verify-agent.ts';
import type { EventKind, ViewFormat } from './event.ts';
import { kindOf, type KnownAgent } from './user-agent.ts';

/** What is known of a client when its event is read. Its address is not stored. */
export interface Client {
  readonly agent: KnownAgent;
  readonly format: ViewFormat;
  /** Null if unknown. */
  readonly address: string | null;
}

type Checked = SharedValue<EventKind> | Promise<SharedValue<EventKind>>;

/** Checks whether clients are the agents that they claim to be. */
export class ClaimChecks {
  readonly #reverseDns: ReverseDns | null;

  /** @param reverseDns null: no lookups */
  constructor(reverseDns: ReverseDns | null) {
    this.#reverseDns = reverseDns;
  }

  /** What an event says of its client. A promise if it takes a lookup; it never rejects. */
  check({ agent, format, address }: Client): Checked {
    const name = agent.kinds[format].unknown.value.agent;
    const listed = agentRanges.verify(name, address);
    if (listed !== null) return kindOf(agent, format, { isTrue: listed, by: 'ranges' });
    const named = this.#reverseDns?.verify(name, address) ?? null;
    const kindOfNamed = (isTrue: boolean | null) =>
      kindOf(agent, format, isTrue === null ? null : { isTrue, by: 'reverse-dns' });
    return named instanceof Promise ? named.then(kindOfNamed) : kindOfNamed(named);
  }
}

/** As an installation sets it. */
export const claimChecks = ({ agentLookups }: { agentLookups: boolean }) =>
  agentLookups ? new ClaimChecks(new ReverseDns(systemNames())) : LISTED_ONLY;

/** Without lookups. */
export const LISTED_ONLY = new ClaimChecks(null);
