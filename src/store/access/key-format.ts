import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `<prefix>_<secret><checksum>`: 32 random base62 characters (190 bits) and 6 for the CRC-32 of the rest. */
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const HINT_LENGTH = 4;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Largest multiple of 62 that fits a byte: bytes above would favour some characters. */
const FAIR_BYTES = 248;

/** The allowed key prefixes. Narrow, so that keys are recognizable in other text, such as logs. */
export const KEY_PREFIX_PATTERN = /^[a-z][a-z0-9]{1,31}$/;
const KEY_PATTERN = /^[a-z][a-z0-9]{1,31}_[0-9A-Za-z]{38}$/;

/** Makes a new key. @throws RangeError for an invalid prefix */
export function generateKey(prefix: string): string {
  if (!KEY_PREFIX_PATTERN.test(prefix)) throw new RangeError(`"${prefix}" cannot be a key prefix.`);
  const body = `${prefix}_${randomBase62(SECRET_LENGTH)}`;
  return body + checksumOf(body);
}

/** Suffix of a token's prefix. Tokens look like keys, so that logs and secret scanners recognize them. */
const TOKEN_SUFFIX = 'tok';
const LONGEST_PREFIX = 32;

/** Makes a new token: `docenttok_…`, beside the keys `docent_…`. */
export function generateToken(prefix: string): string {
  return generateKey(prefix.slice(0, LONGEST_PREFIX - TOKEN_SUFFIX.length) + TOKEN_SUFFIX);
}

/** Whether it is more likely a token than a key. A key's prefix may end in the same letters. */
export function looksLikeToken(text: string): boolean {
  return text.slice(0, text.indexOf('_')).endsWith(TOKEN_SUFFIX);
}

/** Whether a text has the form and checksum of a key. Does not check that the key exists. */
export function isWellFormedKey(text: string): boolean {
  if (!KEY_PATTERN.test(text)) return false;
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The stored form of a key. It has 190 random bits, so one fast hash is enough. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The beginning of a key, for people to recognize it. */
export function hintOf(key: string): string {
  return key.slice(0, key.indexOf('_') + 1 + HINT_LENGTH);
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BYTES && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}
