import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Secret } from '../../platform/secret.ts';
import { SecretBox } from '../../platform/secret-box.ts';
import { COST, Cost, derive } from './passphrase-key.ts';
import { Refused } from '@docent/base/refused';
import { isExpected } from '../../platform/errors.ts';

/** A home's keys, encrypted by scrypt (RFC 7914) with a passphrase. Base64, except the texts. */
export const Sealed = z.object({
  cost: Cost,
  salt: z.string(),
  box: z.string(),
  keyId: z.string(),
});
export type Sealed = z.output<typeof Sealed>;

/** The files of a home that go in, by name. */
const Keys = z.object({ 'secret-key': z.string().optional(), 'operator-token': z.string().optional() });
export type Keys = z.output<typeof Keys>;

export const SHORTEST_PASSPHRASE = 8;

const boxOf = async (passphrase: Secret, salt: Buffer, cost: number) =>
  new SecretBox([new Secret((await derive(passphrase, salt, cost)).toString('base64'))]);

/** @param id of the backup: the box opens in no other one */
export async function sealKeys(keys: Keys, passphrase: Secret, id: string): Promise<Sealed> {
  const salt = randomBytes(16);
  const { box, keyId } = (await boxOf(passphrase, salt, COST)).encrypt(JSON.stringify(keys), purposeOf(id));
  return { cost: COST, salt: salt.toString('base64'), box: box.toString('base64'), keyId };
}

/** @throws Refused for another passphrase */
export async function openKeys({ cost, salt, box, keyId }: Sealed, passphrase: Secret, id: string): Promise<Keys> {
  const secretBox = await boxOf(passphrase, Buffer.from(salt, 'base64'), cost);
  try {
    const text = secretBox.decrypt({ box: Buffer.from(box, 'base64'), keyId }, purposeOf(id));
    return Keys.parse(JSON.parse(text));
  } catch (err) {
    if (!isExpected(err, 'secret_key')) throw err;
    throw new Refused(
      'The passphrase does not match the encrypted keys in the backup. Pass the right one, or skip the keys with --without-keys.',
    );
  }
}

const purposeOf = (id: string) => `backup ${id}`;
