import { Resolver } from 'node:dns/promises';
import { setTimeout as after } from 'node:timers/promises';
import { canonicalAddress, kindOfAddress, readIpAddress } from '@docent/base/net/ip-address';
import { MINUTE_MS } from '@docent/base/time';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import shipped from './agent-hosts.json' with { type: 'json' };

/** The domains of an operator's crawlers, for operators that publish no addresses. */
interface HostList {
  readonly operator: string;
  /** As in the tables of agents. */
  readonly agents: readonly string[];
  /** Their hosts are below these. */
  readonly hosts: readonly string[];
  /** Where the operator documents it. */
  readonly source: string;
  readonly date: string;
}

export const AGENT_HOSTS: readonly HostList[] = shipped;

/**
 * The lookups that a check takes; those of Node's resolver, which takes no thread for them. Its `reverse`
 * says that there is no name if a server fails or is silent.
 */
export type Names = Pick<Resolver, 'resolvePtr' | 'resolve4' | 'resolve6'>;

/** How long results are cached: crawlers keep their addresses for months. */
const KEPT_MS = { verified: 24 * 60 * MINUTE_MS, failed: 60 * MINUTE_MS, unknown: 5 * MINUTE_MS };
const REMEMBERED = 20_000;
/** A check takes two lookups. */
const CHECK_MS = 3_000;
const CONCURRENCY = 32;
/** Checks that wait for their turn; more stay unknown. */
const MOST_WAITING = 1_000;
/** An address can have any number of names. */
const MOST_NAMES = 5;
/** After as many checks in a row without an answer, DNS is asked nothing for a while. */
const SILENT_CHECKS = 10;
const PAUSE_MS = MINUTE_MS;
/** c-ares: the name does not exist, or has no such record. Other codes are not an answer. */
const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA']);

/** A resolver for {@link ReverseDns} with this machine's name servers. */
export const systemNames = (): Names => new Resolver({ timeout: 1_000, tries: 2 });

/**
 * Verifies the claimed agents of clients by reverse DNS with forward confirmation: the address has a name
 * below a domain of the operator, and that name has the address. Cached, and limited in number and time.
 */
export class ReverseDns {
  readonly #names: Names;
  readonly #hosts = new Map<string, readonly string[]>();
  readonly #known = new LRUCache<string, { readonly verified: boolean | null }>({ max: REMEMBERED });
  readonly #running = new Map<string, Promise<boolean | null>>();
  readonly #queue = new PQueue({ concurrency: CONCURRENCY });
  readonly #checkMs: number;
  #silent = 0;
  #pausedUntil = 0;

  constructor(names: Names, checkMs = CHECK_MS) {
    this.#names = names;
    this.#checkMs = checkMs;
    for (const { agents, hosts } of AGENT_HOSTS) for (const agent of agents) this.#hosts.set(agent, hosts);
  }

  /**
   * Null if the operator publishes no domain, the address is not of the internet, or DNS does not answer. The
   * promise never rejects.
   * @param agent as in the tables of agents
   * @param address from a log; a looked-up name proves nothing
   */
  verify(agent: string | null, address: string | null): boolean | null | Promise<boolean | null> {
    const hosts = agent === null || address === null ? undefined : this.#hosts.get(agent);
    if (!hosts) return null;
    const key = `${agent} ${address}`;
    const known = this.#known.get(key);
    if (known) return known.verified;
    const running = this.#running.get(key);
    if (running) return running;
    const read = readIpAddress(address!);
    if (!read || ['private', 'loopback'].includes(kindOfAddress(read))) return null;
    if (this.#queue.size >= MOST_WAITING || performance.now() < this.#pausedUntil) return null;
    const check = this.#queue.add(() => this.#check(key, canonicalAddress(address!)!, hosts));
    this.#running.set(key, check);
    return check;
  }

  async #check(key: string, address: string, hosts: readonly string[]): Promise<boolean | null> {
    const stop = new AbortController();
    const verified =
      performance.now() < this.#pausedUntil
        ? null
        : await Promise.race([
            this.#lookUp(address, hosts),
            after(this.#checkMs, null, { signal: stop.signal, ref: false }).catch(() => null),
          ]);
    stop.abort();
    this.#silent = verified === null ? this.#silent + 1 : 0;
    if (this.#silent >= SILENT_CHECKS) {
      this.#silent = 0;
      this.#pausedUntil = performance.now() + PAUSE_MS;
    }
    const ttl = KEPT_MS[verified === null ? 'unknown' : verified ? 'verified' : 'failed'];
    this.#known.set(key, { verified }, { ttl });
    this.#running.delete(key);
    return verified;
  }

  async #lookUp(address: string, hosts: readonly string[]): Promise<boolean | null> {
    const names = await recordsOf(() => this.#names.resolvePtr(pointerName(address)));
    if (names === null) return null;
    const resolve = (name: string) => (address.includes(':') ? this.#names.resolve6(name) : this.#names.resolve4(name));
    let isUnknown = false;
    // Only names of the operator are looked up: others are chosen by the client.
    for (const name of names
      .slice(0, MOST_NAMES)
      .map(nameOf)
      .filter((each) => isBelow(each, hosts))) {
      const addresses = await recordsOf(() => resolve(name));
      if (addresses?.some((each) => canonicalAddress(each) === address)) return true;
      isUnknown ||= addresses === null;
    }
    return isUnknown ? null : false;
  }
}

/** Where the name of an address is: RFC 1035, section 3.5, and RFC 3596, section 2.5. */
function pointerName(address: string): string {
  const bytes = readIpAddress(address)?.toByteArray() ?? [];
  if (bytes.length === 4) return `${bytes.toReversed().join('.')}.in-addr.arpa`;
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${[...digits].toReversed().join('.')}.ip6.arpa`;
}

const nameOf = (name: string) => name.toLowerCase().replace(/\.$/, '');

const isBelow = (name: string, hosts: readonly string[]) => hosts.some((host) => name.endsWith(`.${host}`));

/** Empty if there are none; null without an answer. */
async function recordsOf(lookUp: () => Promise<string[]>): Promise<string[] | null> {
  try {
    return await lookUp();
  } catch (err) {
    return NO_RECORD.has((err as NodeJS.ErrnoException).code ?? '') ? [] : null;
  }
}
