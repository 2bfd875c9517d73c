import { forwardedClient } from '@docent/base/net/forwarded-client';
import { isIpAddress, kindOfAddress, readIpAddress, type IpRange } from '@docent/base/net/ip-address';
import { plainAddress } from './plain-address.ts';
import type { LogRecord } from './record.ts';

/** The most clients that are distinguished; above it, only a minimum is known. */
const MOST = 100_000;
/** Fewer requests are not evidence of the layout of a log. */
const ENOUGH = 50;
/** The most servers that are taken for proxies where they have private addresses. */
const FEW = 10;

const NO_AGENTS =
  'The log has no field for the user agent, so bots count as people, and people with one address as one. ' +
  'Log the user agent to tell them apart.';

const TWICE =
  'Many requests are in the log twice, with different clients, as a proxy and the server behind it log them. ' +
  'Both count: import the log of one of them.';
/** A proxy logs a request soon after or before the server behind it. */
const NEAR_LINES = 4;
const NEAR_MS = 1_000;

type CountedRecord = Pick<
  LogRecord,
  'ip' | 'forwardedFor' | 'userAgent' | 'host' | 'pathOrUrl' | 'timestampMs' | 'method' | 'status'
>;

/** The clients and hosts in an import, to notice if another field was read as the client. */
export class ClientCounts {
  readonly #requests = new Counts();
  readonly #hosts = new Counts();
  /** The clients of requests with proxy addresses that were not used, and the addresses behind them. */
  readonly #forwarding = new Counts();
  readonly #behind = new Counts();
  readonly #last: CountedRecord[] = [];
  /** The clients of lines that repeat one before. */
  readonly #repeating = new Counts();
  #repeated = 0;
  #all = 0;
  #withAgents = 0;

  add(record: CountedRecord): void {
    const { ip, forwardedFor, userAgent, host, pathOrUrl } = record;
    const { text } = pathOrUrl;
    const same = this.#last.find((one) => isSameRequest(one, record));
    if (same) {
      this.#repeated += 1;
      this.#repeating.add(ip);
      this.#repeating.add(same.ip);
    }
    this.#last[this.#all % NEAR_LINES] = record;
    this.#all += 1;
    if (userAgent !== null) this.#withAgents += 1;
    const asked = text.startsWith('http') ? /^https?:\/\/([^/?#\s]{1,253})/.exec(text)?.[1] : host;
    // Others are names of machines.
    if (asked?.includes('.')) this.#hosts.add(asked.toLowerCase().replace(/:\d+$/, ''));
    const others = forwardedFor ? othersIn(forwardedFor, ip) : '';
    if (others !== '') {
      this.#forwarding.add(ip);
      this.#behind.add(others);
    }
    this.#requests.add(ip);
  }

  /** A minimum if it is {@link MOST}. */
  get distinct(): number {
    return this.#requests.distinct;
  }

  /** Sentences about implausible clients; null if there is no problem. */
  warning(): string | null {
    if (this.#all < ENOUGH) return null;
    const sentences = [this.#aboutAddresses(), this.#aboutHosts(), this.#withAgents === 0 ? NO_AGENTS : null].filter(
      (each) => each !== null,
    );
    return sentences.join(' ') || null;
  }

  #aboutAddresses(): string | null {
    const [client, most] = this.#requests.most();
    // One of both clients is the proxy.
    const [, proxied] = this.#repeating.most();
    if (this.#repeated * 5 >= this.#all && proxied >= 0.8 * this.#repeated) return TWICE;
    const isOne = most >= 0.95 * this.#all;
    const only = this.distinct === 1 ? 'All requests have one client.' : 'Nearly all requests have one client.';
    if (this.#areProxies()) {
      const [proxy] = this.#forwarding.most();
      const first = isOne ? only : `Many requests have few clients, such as ${proxy}.`;
      return `${first} The lines also name the addresses behind it: if ${proxy} is your proxy, add it with --trusted-proxies.`;
    }
    if (isOne) return `${only} If that is a proxy, log the client address, or set the layout with --format.`;
    if (this.distinct <= FEW && this.#requests.keys().every(isPrivate))
      return `All requests have few private addresses, such as ${client}. If these are your proxies, log the client address.`;
    if (this.distinct < 0.95 * this.#all || this.distinct >= MOST) return null;
    return 'Nearly every request has a different client. If that is wrong, set the layout with --format.';
  }

  /** Whether clients of many requests stand for more addresses that proxies name. */
  #areProxies(): boolean {
    const isMany = this.#forwarding.all * 10 >= this.#all;
    return isMany && this.#behind.distinct >= (this.#forwarding.distinct === 1 ? 1 : 2 * this.#forwarding.distinct);
  }

  /** A few requests name any host, since clients choose it. */
  #aboutHosts(): string | null {
    const hosts = this.#hosts.keys().filter((host) => this.#hosts.of(host) * 20 >= this.#hosts.all);
    return hosts.length < 2
      ? null
      : `The requests are for several hosts, and all count: ${hosts.slice(0, 3).join(', ')}. If some are other sites, remove their lines.`;
  }
}

/** The addresses of a list without this one. */
function othersIn(list: string, ip: string): string {
  const others = list.split(',').map((each) => plainAddress(each) ?? '');
  return others.filter((each) => each !== ip && isIpAddress(each)).join();
}

/** Whether two lines with different clients seem to be one request. */
function isSameRequest(one: CountedRecord, other: CountedRecord): boolean {
  return (
    one.pathOrUrl.text === other.pathOrUrl.text &&
    one.userAgent?.text === other.userAgent?.text &&
    one.ip !== other.ip &&
    one.status === other.status &&
    one.method === other.method &&
    Math.abs(one.timestampMs - other.timestampMs) <= NEAR_MS
  );
}

/** How often each text occurs, for the first {@link MOST} of them. */
class Counts {
  readonly #counts = new Map<string, number>();
  all = 0;

  add(text: string): void {
    this.all += 1;
    const known = this.#counts.get(text);
    if (known !== undefined || this.#counts.size < MOST) this.#counts.set(text, (known ?? 0) + 1);
  }

  get distinct(): number {
    return this.#counts.size;
  }

  of(text: string): number {
    return this.#counts.get(text) ?? 0;
  }

  keys(): string[] {
    return [...this.#counts.keys()];
  }

  most(): [text: string, count: number] {
    let found: [string, number] = ['', 0];
    for (const each of this.#counts) if (each[1] > found[1]) found = each;
    return found;
  }
}

function isPrivate(text: string): boolean {
  const address = readIpAddress(text);
  return address !== null && kindOfAddress(address) !== 'public';
}

/** The client of a request behind trusted proxies; for an unreadable list, the last proxy. */
export function clientBehind({ ip, forwardedFor }: LogRecord, trusted: readonly IpRange[]): string {
  const peer = readIpAddress(ip);
  return peer ? forwardedClient(peer, forwardedFor ?? '', trusted).address.toString() : ip;
}
