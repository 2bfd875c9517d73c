import ipaddr from 'ipaddr.js';
import { addressOf, readPrivateHost, type PrivateHostRule } from '../private-hosts.ts';

/** A request that Docent did not send, in a sentence that names the setting which allows it. Final. */
export class AddressRefused extends Error {
  readonly code = 'address_refused';

  constructor(message: string) {
    super(message);
    this.name = 'AddressRefused';
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Kind = 'public' | 'loopback' | 'private' | 'special';

/** Azure's host service answers every virtual machine under this public address, and gives it secrets. */
const AZURE_HOST_SERVICE = '168.63.129.16';
/** Where addresses of the internet come from (RFC 4291, IANA's registry); what lies outside is not handed out. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR('2000::/3');
/** Carries an IPv4 address in its last 32 bits (RFC 6052); networks with IPv6 alone reach IPv4 servers so. */
const NAT64: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

const SHOWN: Record<Exclude<Kind, 'public'>, string> = {
  loopback: "an address of the server's own machine",
  private: 'an address of a private network',
  special: 'a link-local, metadata or other special address',
};

/** Decides which addresses a server-side request may go to: those of the internet, and what the operator allows. */
export class AddressGuard {
  readonly #rules: readonly PrivateHostRule[];

  /** @param allowed entries of DOCENT_PRIVATE_HOSTS */
  constructor(allowed: readonly string[]) {
    this.#rules = allowed.map((entry) => {
      const rule = readPrivateHost(entry);
      if (!rule) throw new TypeError(`${JSON.stringify(entry)} is no host, address or CIDR range.`);
      return rule;
    });
  }

  /**
   * Throws {@link AddressRefused} unless all addresses may be connected to.
   * @param hostname as the URL has it, without brackets
   * @param addresses all that the name stands for now; the address itself where the URL names one
   */
  check(hostname: string, port: number, addresses: readonly string[]): void {
    for (const text of addresses) {
      // A zone (`fe80::1%eth0`) names a link of this machine, not another address.
      const address = addressOf(text.replace(/%.*$/, ''));
      const kind = address ? kindOf(address) : 'special';
      if (kind === 'public' || this.#isAllowed(hostname, port, address, kind)) continue;
      throw refused(hostname, text, kind);
    }
  }

  #isAllowed(hostname: string, port: number, address: Address | null, kind: Kind): boolean {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    return this.#rules.some((rule) => {
      if (rule.port !== null && rule.port !== port) return false;
      // Whoever answers for a name may point it anywhere: what gives out a machine's secrets takes an address to allow.
      if (rule.kind === 'name') return rule.name === name && kind !== 'special';
      return address !== null && inRange(address, [rule.address, rule.bits]);
    });
  }
}

function kindOf(address: Address): Kind {
  if (address instanceof ipaddr.IPv6) {
    if (address.match(NAT64)) return kindOf(new ipaddr.IPv4(address.toByteArray().slice(12)));
    const range = address.range();
    if (range === 'loopback') return 'loopback';
    if (range === 'uniqueLocal') return isMetadata(address) ? 'special' : 'private';
    return range === 'unicast' && address.match(GLOBAL_UNICAST) ? 'public' : 'special';
  }
  if (address.toString() === AZURE_HOST_SERVICE) return 'special';
  const range = address.range();
  if (range === 'unicast') return 'public';
  if (range === 'loopback') return 'loopback';
  if (range === 'carrierGradeNat') return isMetadata(address) ? 'special' : 'private';
  return range === 'private' ? 'private' : 'special';
}

/** Clouds' metadata services that are not link-local: AWS (fd00:ec2::254), Google (fd20:ce::254), Alibaba (100.100.100.200). */
function isMetadata(address: Address): boolean {
  return ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200'].includes(address.toString());
}

function inRange(address: Address, [start, bits]: [Address, number]): boolean {
  if (address instanceof ipaddr.IPv4 && start instanceof ipaddr.IPv4) return address.match(start, bits);
  if (address instanceof ipaddr.IPv6 && start instanceof ipaddr.IPv6) return address.match(start, bits);
  return false;
}

function refused(hostname: string, address: string, kind: Exclude<Kind, 'public'>): AddressRefused {
  const isAddress = hostname === address;
  const allow = kind === 'special' && !isAddress ? 'its address' : hostname;
  return new AddressRefused(
    `${hostname} ${isAddress ? 'is' : 'points to'} ${SHOWN[kind]}, and Docent sends no request there. ` +
      `If it should, the operator adds ${allow} to DOCENT_PRIVATE_HOSTS.`,
  );
}
