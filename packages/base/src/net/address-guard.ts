import { isInRange, kindOfAddress, readIpAddress, type AddressKind, type IpAddress } from './ip-address.ts';
import { readPrivateHost, type PrivateHostRule } from './private-hosts.ts';

/** A request that Docent did not send, in a sentence that names the setting which allows it. Final. */
export class AddressRefused extends Error {
  readonly code = 'address_refused';

  constructor(message: string) {
    super(message);
    this.name = 'AddressRefused';
  }
}

const SHOWN: Record<Exclude<AddressKind, 'public'>, string> = {
  loopback: 'an address of the server itself',
  private: 'an address of a private network',
  special: 'a link-local, metadata or other special address',
};

/**
 * Decides which addresses server-side requests may use: those of the internet, and those that the operator
 * allows.
 */
export class AddressGuard {
  readonly #rules: readonly PrivateHostRule[];

  /** @param allowed entries of DOCENT_PRIVATE_HOSTS */
  constructor(allowed: readonly string[]) {
    this.#rules = allowed.map((entry) => {
      const rule = readPrivateHost(entry);
      if (!rule) throw new TypeError(`${JSON.stringify(entry)} is not a host, address or CIDR range.`);
      return rule;
    });
  }

  /**
   * Throws {@link AddressRefused} unless all addresses are allowed.
   * @param hostname as in the URL, without brackets
   * @param addresses the name's current addresses; the address itself if the URL has one
   */
  check(hostname: string, port: number, addresses: readonly string[]): void {
    for (const text of addresses) {
      const address = readIpAddress(text);
      const kind = address ? kindOfAddress(address) : 'special';
      if (kind === 'public' || this.#isAllowed(hostname, port, address, kind)) continue;
      throw refused(hostname, text, kind);
    }
  }

  #isAllowed(hostname: string, port: number, address: IpAddress | null, kind: AddressKind): boolean {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    return this.#rules.some((rule) => {
      if (rule.port !== null && rule.port !== port) return false;
      // The owner of a name can point it anywhere, so addresses that reveal a machine's secrets must be
      // allowed by address.
      if (rule.kind === 'name') return rule.name === name && kind !== 'special';
      return address !== null && isInRange(address, rule.range);
    });
  }
}

function refused(hostname: string, address: string, kind: Exclude<AddressKind, 'public'>): AddressRefused {
  const isAddress = hostname === address;
  const allow = kind === 'special' && !isAddress ? 'its address' : hostname;
  return new AddressRefused(
    `${hostname} ${isAddress ? 'is' : 'points to'} ${SHOWN[kind]}, so Docent sends no requests there. ` +
      `To allow it, add ${allow} to DOCENT_PRIVATE_HOSTS on the server.`,
  );
}
