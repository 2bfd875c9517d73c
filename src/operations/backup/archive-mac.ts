import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import type { Secret } from '../../platform/secret.ts';
import { TRAILER_BYTES } from './archive.ts';
import { trailerIn } from './archive-reader.ts';
import { COST, Cost, derive } from './passphrase-key.ts';
import { Refused } from '@docent/base/refused';

/** Derives the key of a keyed checksum (HMAC-SHA256, RFC 2104) from a passphrase. The salt is in base64. */
export const Mac = z.object({ cost: Cost, salt: z.string() });
export type Mac = z.output<typeof Mac>;

export async function newMac(passphrase: Secret): Promise<{ mac: Mac; key: Buffer }> {
  const mac = { cost: COST, salt: randomBytes(16).toString('base64') };
  return { mac, key: await keyOf(passphrase, mac) };
}

/**
 * Verifies a whole backup before use.
 * @throws Refused for another passphrase or a changed file; Expected `backup_damaged`
 */
export async function requireMac(file: string, passphrase: Secret, mac: Mac | null): Promise<void> {
  const { bytes, hmac } = await trailerIn(file);
  if (mac === null || hmac === null) {
    throw new Refused(
      `${file} was made without a passphrase, so its authenticity cannot be verified. If you trust it, ` +
        'run the command again without a passphrase.',
    );
  }
  const found = createHmac('sha256', await keyOf(passphrase, mac));
  for await (const chunk of createReadStream(file, { end: bytes - TRAILER_BYTES - 1, highWaterMark: 1024 * 1024 }))
    found.update(chunk as Buffer);
  if (timingSafeEqual(found.digest(), Buffer.from(hmac, 'hex'))) return;
  throw new Refused(
    `${file} was made with another passphrase, or was modified. Pass the right passphrase, or use another backup.`,
  );
}

const keyOf = (passphrase: Secret, { cost, salt }: Mac) => derive(passphrase, Buffer.from(salt, 'base64'), cost);
