import type { PrivateKey } from 'openpgp';

/** Those whose signatures are deterministic. */
const DETERMINISTIC = new Set(['rsaEncryptSign', 'rsaSign', 'eddsaLegacy', 'ed25519', 'ed448']);

/** The key is secret, so no error of the library, which may quote it, is passed on. */
const UNREADABLE = 'It cannot be read as a private key in OpenPGP format.';

/** Loaded where a key needs it: it is large. */
const load = () => import('openpgp');

/**
 * Signs as `gpg --armor --detach-sign` does, with the key that `gpg --armor --export-secret-keys` writes.
 * @returns a function that signs the same bytes and time always the same way
 * @throws Error without content of the key
 */
export async function pgpSigner(armored: string): Promise<(text: Buffer, seconds: number) => Promise<string>> {
  const { createMessage, readPrivateKey, sign } = await load();
  const key = await readPrivateKey({ armoredKey: armored }).catch(() => {
    throw new Error(UNREADABLE);
  });
  const validFrom = lastChange(key);
  // A change that began before the key was made is signed as of the first moment at which the key can sign.
  const dateOf = (seconds: number) => new Date(Math.max(seconds * 1_000, validFrom));
  await mustSign(key, dateOf(Date.now() / 1_000));
  return async (text, seconds) => {
    const armoredSignature = await sign({
      message: await createMessage({ binary: new Uint8Array(text) }),
      signingKeys: key,
      detached: true,
      date: dateOf(seconds),
      config: { nonDeterministicSignaturesViaNotation: false, showVersion: false, showComment: false },
    });
    return armoredSignature.replaceAll('\r', '').trimEnd();
  };
}

async function mustSign(key: PrivateKey, now: Date): Promise<void> {
  const signing = await key.getSigningKey(undefined, now).catch(() => {
    throw new Error('The key may not sign: it is expired, revoked, or made for other purposes.');
  });
  if (!signing.isDecrypted()) throw new Error('The key has a passphrase. Use one without.');
  const { algorithm } = signing.getAlgorithmInfo();
  if (!DETERMINISTIC.has(algorithm)) throw new Error(`Only Ed25519 and RSA keys can sign, not ${algorithm}.`);
}

/** When the key was made, or its expiry last changed, in ms. */
function lastChange(key: PrivateKey): number {
  const signatures = [
    ...key.users.flatMap(({ selfCertifications }) => selfCertifications),
    ...key.subkeys.flatMap(({ bindingSignatures }) => bindingSignatures),
  ];
  const created = signatures.map(({ created: at }) => at?.getTime() ?? 0);
  return Math.max(key.getCreationTime().getTime(), ...created);
}
