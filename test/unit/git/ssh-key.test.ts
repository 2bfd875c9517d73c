import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readSshKey, sshSignature } from '@docent/git/signing/ssh-key';

const packed = (value: string | Uint8Array) => {
  const bytes = Buffer.from(value as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

const armor = (what: string) => `-----${what} OPENSSH PRIVATE KEY-----`;

/** A key as OpenSSH writes it. */
function opensshKey(change: { cipher?: string; type?: string } = {}) {
  const { cipher = 'none', type = 'ssh-ed25519' } = change;
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
  const blob = Buffer.concat([packed(type), packed(raw)]);
  const secret = [Buffer.alloc(8, 7), packed(type), packed(raw), packed(Buffer.concat([seed, raw])), packed('')];
  const head = [Buffer.from('openssh-key-v1\0'), packed(cipher), packed(cipher), packed(''), Buffer.from([0, 0, 0, 1])];
  const body = Buffer.concat([...head, packed(blob), packed(Buffer.concat(secret))]).toString('base64');
  return { pem: `${armor('BEGIN')}\n${body}\n${armor('END')}\n`, publicKey, blob };
}

describe('an SSH signature', () => {
  test('verifies against the public key, and is the same each time', () => {
    const { pem, publicKey, blob } = opensshKey();
    const key = readSshKey(pem);
    expect(key.publicBlob).toEqual(blob);
    const armored = sshSignature(Buffer.from('text'), 'git', key);
    expect(sshSignature(Buffer.from('text'), 'git', key)).toBe(armored);
    const raw = Buffer.from(armored.split('\n').slice(1, -1).join(''), 'base64');
    const about = ['git', '', 'sha512'].map(packed);
    expect(raw.subarray(0, 6).toString()).toBe('SSHSIG');
    const digest = raw.subarray(-64);
    const message = Buffer.concat([
      Buffer.from('SSHSIG'),
      ...about,
      packed(createHash('sha512').update('text').digest()),
    ]);
    expect(verify(null, message, publicKey, digest)).toBe(true);
  });

  test.each([
    ['text', () => 'no key', 'not a private key in OpenSSH format'],
    ['a key with a passphrase', () => opensshKey({ cipher: 'aes256-ctr' }).pem, 'has a passphrase'],
    ['a key of another kind', () => opensshKey({ type: 'ssh-rsa' }).pem, 'Only Ed25519'],
    ['a key that was cut', () => opensshKey().pem.replace(/\n.{100}/, '\n'), /OpenSSH format|damaged/],
  ])('is not made with %s, and the error says why', (_what, pem, reason) => {
    expect(() => readSshKey(pem())).toThrow(reason);
  });
});
