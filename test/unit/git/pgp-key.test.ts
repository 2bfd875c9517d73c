import { generateKey, reformatKey, revokeKey } from 'openpgp';
import { describe, expect, test } from 'vitest';
import { commitSigner } from '@docent/git/signing/signing-key';

const DAY_MS = 86_400_000;
const of = { userIDs: [{ name: 'Docent', email: 'docent@example.org' }], format: 'object' as const };
const ed25519 = await generateKey({ ...of, type: 'curve25519' as const });

describe('an OpenPGP signature', () => {
  test('is the same each time for the same bytes and time', async () => {
    const sign = await commitSigner(ed25519.privateKey.armor());
    const again = await commitSigner(ed25519.privateKey.armor());
    const now = Math.floor(Date.now() / 1_000) + 60;
    const signature = await sign(Buffer.from('a commit'), now);
    expect(signature).toMatch(/^-----BEGIN PGP SIGNATURE-----\n\n[^\r]+\n-----END PGP SIGNATURE-----$/);
    expect(await again(Buffer.from('a commit'), now)).toBe(signature);
    expect(await again(Buffer.from('another'), now)).not.toBe(signature);
  });

  test.each<[string, () => Promise<string>, RegExp]>([
    [
      'with a passphrase',
      async () => (await generateKey({ ...of, type: 'curve25519' as const, passphrase: 'x' })).privateKey.armor(),
      /has a passphrase/,
    ],
    [
      'whose signatures are random',
      async () => (await generateKey({ ...of, type: 'ecc' as const, curve: 'nistP256' as const })).privateKey.armor(),
      /Only Ed25519 and RSA keys can sign, not ecdsa/,
    ],
    [
      'that expired',
      async () => {
        const at = { date: new Date(Date.now() - 9 * DAY_MS), keyExpirationTime: 86_400 };
        return (await generateKey({ ...of, type: 'curve25519' as const, ...at })).privateKey.armor();
      },
      /expired/,
    ],
    ['that is public', async () => ed25519.publicKey.armor(), /cannot be read as a private key/],
    ['that was cut', async () => ed25519.privateKey.armor().slice(0, 300), /cannot be read as a private key/],
    [
      'that was revoked',
      async () => (await revokeKey({ key: ed25519.privateKey, format: 'object' })).privateKey.armor(),
      /revoked/,
    ],
  ])('a key %s is refused with the reason, and without its content', async (_, make, reason) => {
    const key = await make();
    const err = await commitSigner(key).catch((thrown: unknown) => thrown);
    expect(String(err)).toMatch(reason);
    for (const line of key.split('\n').filter((text) => text.length > 20)) expect(String(err)).not.toContain(line);
  });

  test('a key whose expiry was extended signs also what began before', async () => {
    const old = new Date(Date.now() - 9 * DAY_MS);
    const made = await generateKey({ ...of, type: 'curve25519' as const, date: old, keyExpirationTime: 86_400 });
    const extended = await reformatKey({ ...of, privateKey: made.privateKey, keyExpirationTime: 0 });
    const sign = await commitSigner(extended.privateKey.armor());
    expect(await sign(Buffer.from('a commit'), old.getTime() / 1_000 + 3 * 86_400)).toContain('BEGIN PGP SIGNATURE');
  });
});
