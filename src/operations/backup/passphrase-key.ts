import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Secret } from '../../platform/secret.ts';

/** 64 MB of memory and about 0.2 s of processor time for each guess (scrypt's N, RFC 7914). */
export const COST = 2 ** 16;
/** Someone else's backup must not take all memory or hours: 256 MB at most. */
export const Cost = z
  .int()
  .min(2 ** 10)
  .max(2 ** 18);
const KEY_BYTES = 32;

const derived = promisify(
  (passphrase: string, salt: Buffer, cost: number, callback: (err: Error | null, key: Buffer) => void) =>
    scrypt(passphrase, salt, KEY_BYTES, { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 }, callback),
);

/** 32 bytes from a passphrase, whatever form of Unicode it was typed in. */
export const derive = (passphrase: Secret, salt: Buffer, cost: number): Promise<Buffer> =>
  derived(passphrase.reveal().normalize('NFC'), salt, cost);
