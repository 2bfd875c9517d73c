import type { SharedValue } from '../shared-value.ts';
import { classOfAgent, operatorOf } from './agent-rules.ts';
import { ReverseDns, systemNames } from './reverse-dns.ts';
import { agentKeys, type SignedRequest } from './signatures.ts';
import { agentRanges } from './verify-agent.ts';
import type { EventKind, ViewFormat } from '../event-kind.ts';
import { kindOf, type KnownAgent } from './user-agent.ts';

/** What is known of a client when its event is read. Its address and signature are not stored. */
export interface Client {
  readonly agent: KnownAgent;
  readonly format: ViewFormat;
  /** Null if unknown. */
  readonly address: string | null;
  /** Null if it signed nothing. */
  readonly signed: SignedRequest | null;
  /** When it sent the request, in milliseconds since 1970. */
  readonly at: number;
}

type Kind = SharedValue<EventKind>;

/** Checks whether clients are the agents that they claim to be. */
export class ClaimChecks {
  readonly #reverseDns: ReverseDns | null;

  /** @param reverseDns null: no lookups */
  constructor(reverseDns: ReverseDns | null) {
    this.#reverseDns = reverseDns;
  }

  /**
   * What an event says of its client. A promise if it takes a lookup; it never rejects. A valid signature
   * decides. An invalid one counts only if nothing else is known: a proxy may have changed the request.
   */
  check(client: Client): Kind | Promise<Kind> {
    const { agent, format, address, signed, at } = client;
    if (signed === null) return this.#checkAddress(client);
    const found = agentKeys.verify(signed, at, address ?? '');
    if (found === null) return this.#checkAddress(client);
    const { directory, isValid } = found;
    const claimed = agent.kinds[format].unknown.value.agent;
    const operator = claimed === null ? null : operatorOf(claimed);
    const isOwn = operator !== null && operator === directory.operator;
    if (isValid && (isOwn || operator === null)) {
      const proven = { agent: directory.agent, class: classOfAgent(directory.agent) ?? 'assistant' };
      return kindOf(agent, format, { isTrue: true, by: 'signature', ...(isOwn ? {} : { agent: proven }) });
    }
    const orFailed = (kind: Kind) =>
      kind.value.verified === null && isOwn && !isValid
        ? kindOf(agent, format, { isTrue: false, by: 'signature' })
        : kind;
    const kind = this.#checkAddress(client);
    return kind instanceof Promise ? kind.then(orFailed) : orFailed(kind);
  }

  #checkAddress({ agent, format, address }: Client): Kind | Promise<Kind> {
    const name = agent.kinds[format].unknown.value.agent;
    const listed = agentRanges.verify(name, address);
    if (listed !== null) return kindOf(agent, format, { isTrue: listed, by: 'ranges' });
    const named = this.#reverseDns?.verify(name, address) ?? null;
    const kindOfNamed = (isTrue: boolean | null) =>
      kindOf(agent, format, isTrue === null ? null : { isTrue, by: 'reverse-dns' });
    return named instanceof Promise ? named.then(kindOfNamed) : kindOfNamed(named);
  }
}

/** With lookups at this machine's resolver, or without. */
export const claimChecks = (withLookups: boolean): ClaimChecks =>
  withLookups ? new ClaimChecks(new ReverseDns(systemNames())) : LISTED_ONLY;

/** Without lookups. */
export const LISTED_ONLY = new ClaimChecks(null);
