import { randomBytes } from 'node:crypto';

/** Lower case without look-alikes, for branch names and URLs. 32 letters, so that a byte maps evenly. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A random id of `length` characters, five bits each: 20 characters are 100 bits. */
export function newId(length = 20): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('');
}
