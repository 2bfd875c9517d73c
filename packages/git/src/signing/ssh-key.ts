import { createPrivateKey, sign, createHash, type KeyObject } from 'node:crypto';

/** An unencrypted Ed25519 key in OpenSSH's format. */
interface SshKey {
  /** As in an `authorized_keys` file, decoded. */
  publicBlob: Buffer;
  privateKey: KeyObject;
}

const MAGIC = 'openssh-key-v1\0';
const TYPE = 'ssh-ed25519';
const SEED_BYTES = 32;
/** PKCS #8 of an Ed25519 key, up to its seed (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const ARMOR_WIDTH = 70;

/**
 * Reads what `ssh-keygen -t ed25519 -N ''` writes (OpenSSH's PROTOCOL.key).
 * @throws Error without content of the key
 */
export function readSshKey(pem: string): SshKey {
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----/.exec(pem)?.[1];
  if (body === undefined) throw new Error('It is not a private key in OpenSSH format.');
  const fields = new Fields(Buffer.from(body, 'base64'));
  if (fields.take(MAGIC.length).toString('latin1') !== MAGIC)
    throw new Error('It is not a private key in OpenSSH format.');
  const [cipher, kdf] = [fields.string().toString(), fields.string().toString()];
  if (cipher !== 'none' || kdf !== 'none') throw new Error('The key has a passphrase. Use one without.');
  fields.string();
  fields.take(4);
  const publicBlob = fields.string();
  if (new Fields(publicBlob).string().toString() !== TYPE) throw new Error('Only Ed25519 keys can sign.');
  const secret = new Fields(fields.string());
  secret.take(8);
  secret.string();
  secret.string();
  const seed = secret.string().subarray(0, SEED_BYTES);
  if (seed.length !== SEED_BYTES) throw new Error('The key is damaged.');
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  return { publicBlob, privateKey };
}

/**
 * A deterministic signature as of `ssh-keygen -Y sign` (OpenSSH's PROTOCOL.sshsig).
 * @param namespace `git` for commits
 */
export function sshSignature(text: Buffer, namespace: string, { publicBlob, privateKey }: SshKey): string {
  const hash = createHash('sha512').update(text).digest();
  const head = Buffer.from('SSHSIG');
  const about = [packed(namespace), packed(''), packed('sha512')];
  const signature = sign(null, Buffer.concat([head, ...about, packed(hash)]), privateKey);
  const signed = Buffer.concat([packed(TYPE), packed(signature)]);
  const version = Buffer.from([0, 0, 0, 1]);
  const blob = Buffer.concat([head, version, packed(publicBlob), ...about, packed(signed)]).toString('base64');
  const lines = blob.match(new RegExp(`.{1,${ARMOR_WIDTH}}`, 'g')) ?? [];
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----'].join('\n');
}

/** Prefixed with its length. */
function packed(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

class Fields {
  #at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('The key is damaged.');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  string(): Buffer {
    return this.take(this.take(4).readUInt32BE());
  }
}
