/** Longer names of hosts do not exist (RFC 1035, section 2.3.4). */
const LONGEST = 255;

/**
 * The first address of a list, without brackets and port, or a name that a server looked up. Null for none.
 */
export function plainAddress(text: string): string | null {
  let address = text.trim();
  const comma = address.indexOf(',');
  if (comma >= 0) address = address.slice(0, comma);
  if (address.startsWith('[')) address = address.slice(1, address.indexOf(']') < 0 ? undefined : address.indexOf(']'));
  else if (address.includes('.') && address.indexOf(':') === address.lastIndexOf(':'))
    address = address.replace(/:\d+$/, '');
  return address === '' || address === '-' || address.length > LONGEST ? null : address;
}
