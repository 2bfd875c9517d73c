import { BlockList, isIPv6 } from 'node:net';
import { canonicalAddress } from '@docent/base/net/ip-address';
import { LRUCache } from 'lru-cache';
import shipped from './agent-ranges.json' with { type: 'json' };

/** The addresses that an operator publishes for some of its agents. */
export interface RangeList {
  readonly operator: string;
  /** As in the table of agents. */
  readonly agents: readonly string[];
  /** The URL where the operator publishes it. */
  readonly url: string;
  /** When it was read. Null: not yet, so its agents cannot be checked. */
  readonly date: string | null;
  /** In CIDR notation. */
  readonly ranges: readonly string[];
}

/** The lists that came with this version. Each one names the copy that it was taken from. */
export const SHIPPED_RANGES: readonly RangeList[] = shipped;

/** Clients whose results are cached: a crawler sends thousands of requests from one address. */
const REMEMBERED = 20_000;

/** Verifies the claimed agents of clients, by the addresses that operators publish. */
export class AgentRanges {
  #lists: readonly RangeList[];
  /** Null for an agent whose operator publishes none. */
  readonly #byAgent = new Map<string, BlockList | null>();
  readonly #known = new LRUCache<string, boolean>({ max: REMEMBERED });

  constructor(lists: readonly RangeList[]) {
    this.#lists = lists;
  }

  /** Checks by these lists from now on. */
  use(lists: readonly RangeList[]): void {
    this.#lists = lists;
    this.#byAgent.clear();
    this.#known.clear();
  }

  /**
   * Null without published addresses or a known client.
   * @param agent as in the table of agents
   * @param address from a log; a looked-up name proves nothing
   */
  verify(agent: string | null, address: string | null): boolean | null {
    const list = agent !== null && address !== null && this.#listOf(agent);
    if (!list) return null;
    const key = `${agent} ${address}`;
    let verified = this.#known.get(key);
    if (verified !== undefined) return verified;
    const canonical = canonicalAddress(address);
    if (canonical === null) return null;
    verified = contains(list, canonical);
    this.#known.set(key, verified);
    return verified;
  }

  /** Built when the agent is first seen: those of all agents take 40 ms. */
  #listOf(agent: string): BlockList | null {
    const made = this.#byAgent.get(agent);
    if (made !== undefined) return made;
    const ranges = this.#lists.flatMap((list) => (list.agents.includes(agent) ? list.ranges : []));
    const list = ranges.length === 0 ? null : blockListOf(ranges);
    this.#byAgent.set(agent, list);
    return list;
  }
}

/** @param ranges in CIDR notation */
export function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), familyOf(network));
  }
  return list;
}

/** @param address in its canonical spelling */
export const contains = (list: BlockList, address: string): boolean => list.check(address, familyOf(address));

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

export const agentRanges = new AgentRanges(SHIPPED_RANGES);
