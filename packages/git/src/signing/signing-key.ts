import { pgpSigner } from './pgp-key.ts';
import { readSshKey, sshSignature } from './ssh-key.ts';

/** Signs the bytes of a commit of this time (seconds since the epoch), always the same way. */
export type CommitSigner = (unsigned: Buffer, seconds: number) => Promise<string>;

/** Whether it looks like an OpenPGP key; else it has to be an SSH key. */
export function isPgpKey(key: string): boolean {
  return key.includes('-----BEGIN PGP ');
}

/**
 * @param key a private key without a passphrase, of OpenSSH or OpenPGP
 * @throws Error that says why it cannot sign, without content of the key
 */
export async function commitSigner(key: string): Promise<CommitSigner> {
  if (isPgpKey(key)) return pgpSigner(key);
  const ssh = readSshKey(key);
  return async (unsigned) => sshSignature(unsigned, 'git', ssh);
}
