import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Secret } from './secret.ts';
import { Expected } from './errors.ts';

/** The 32 bytes of a key in hex, base64 or base64url; null for anything else. */
export function readKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  const key = /^[\w+/-]+=?$/.test(text) ? Buffer.from(text, 'base64') : null;
  return key?.length === 32 ? key : null;
}

/** An encrypted text, and the name of its key. */
export interface Encrypted {
  box: Buffer;
  keyId: string;
}

const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM. The first key encrypts, all decrypt. Without a key, throws Expected `secret_key`. */
export class SecretBox {
  readonly #keys: { id: string; key: Buffer }[];

  /** @param keys 32 bytes each: see `readKey` @throws Expected `secret_key` */
  constructor(keys: readonly Secret[]) {
    this.#keys = keys.map((secret) => {
      const key = readKey(secret.reveal());
      if (!key) throw new Expected('secret_key', 'A key must be 32 bytes in hex or base64.');
      return { id: createHash('sha256').update(key).digest('hex').slice(0, 12), key };
    });
  }

  /** @param purpose binds the box to its row: it must be the same for decrypting */
  encrypt(text: string, purpose: string): Encrypted {
    const [first] = this.#keys;
    if (!first) throw noKey();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, first.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(purpose));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return { box: Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), encrypted]), keyId: first.id };
  }

  /** Whether one of its keys has this name: see {@link Encrypted}. */
  hasKey(keyId: string): boolean {
    return this.#keys.some(({ id }) => id === keyId);
  }

  /** @throws Expected `secret_key` */
  decrypt({ box, keyId }: Encrypted, purpose: string): string {
    if (this.#keys.length === 0) throw noKey();
    const found = this.#keys.find(({ id }) => id === keyId);
    if (!found) {
      throw new Expected(
        'secret_key',
        `It was encrypted with another key (${keyId}) than the ones in DOCENT_SECRET_KEY. Append that ` +
          'key after a comma, or enter the credential again.',
      );
    }
    const [nonceAt, tagAt, textAt] = [1, 1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES];
    try {
      if (box[0] !== VERSION) throw new Error('of another version');
      const decipher = createDecipheriv(CIPHER, found.key, box.subarray(nonceAt, tagAt), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(box.subarray(tagAt, textAt));
      return Buffer.concat([decipher.update(box.subarray(textAt)), decipher.final()]).toString('utf8');
    } catch {
      throw new Expected('secret_key', 'The stored value was damaged or modified. Enter the credential again.');
    }
  }
}

function noKey(): Expected {
  return new Expected(
    'secret_key',
    'This process has no key to decrypt it. Set DOCENT_SECRET_KEY (or DOCENT_SECRET_KEY_FILE) to the ' +
      'same key for every API process and worker; `openssl rand -hex 32` prints one.',
  );
}
