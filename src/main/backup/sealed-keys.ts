import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { Secret } from '../../platform/secret.ts';
import { SecretBox, SecretKeyProblem } from '../../platform/secret-box.ts';
import { BackupRefused } from './archive.ts';

/** Keys of a home, encrypted with what scrypt (RFC 7914) makes of a passphrase. Everything but the texts is in base64. */
export const Sealed = z.object({
  // What somebody else wrote must not take all memory or hours: 256 MB at most.
  cost: z
    .int()
    .min(2 ** 10)
    .max(2 ** 18),
  salt: z.string(),
  box: z.string(),
  keyId: z.string(),
});
export type Sealed = z.output<typeof Sealed>;

/** The files of a home that go in, by name. */
const Keys = z.object({ 'secret-key': z.string().optional(), 'operator-token': z.string().optional() });
export type Keys = z.output<typeof Keys>;

/** 64 MB and some 0.2 s of a processor for each guess. */
const COST = 2 ** 16;
const KEY_BYTES = 32;
export const SHORTEST_PASSPHRASE = 8;

const derive = promisify(
  (passphrase: string, salt: Buffer, cost: number, callback: (err: Error | null, key: Buffer) => void) =>
    scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES, { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 }, callback),
);

const boxOf = async (passphrase: Secret, salt: Buffer, cost: number) =>
  new SecretBox([new Secret((await derive(passphrase.reveal(), salt, cost)).toString('base64'))]);

/** @param id of the backup: the box opens in no other one */
export async function sealKeys(keys: Keys, passphrase: Secret, id: string): Promise<Sealed> {
  const salt = randomBytes(16);
  const { box, keyId } = (await boxOf(passphrase, salt, COST)).encrypt(JSON.stringify(keys), purposeOf(id));
  return { cost: COST, salt: salt.toString('base64'), box: box.toString('base64'), keyId };
}

/** @throws BackupRefused for another passphrase */
export async function openKeys({ cost, salt, box, keyId }: Sealed, passphrase: Secret, id: string): Promise<Keys> {
  const secretBox = await boxOf(passphrase, Buffer.from(salt, 'base64'), cost);
  try {
    const text = secretBox.decrypt({ box: Buffer.from(box, 'base64'), keyId }, purposeOf(id));
    return Keys.parse(JSON.parse(text));
  } catch (err) {
    if (!(err instanceof SecretKeyProblem)) throw err;
    throw new BackupRefused(
      'The passphrase is not the one that the keys in the backup were encrypted with. Give the right one, or leave the keys out with --without-keys.',
    );
  }
}

const purposeOf = (id: string) => `backup ${id}`;
