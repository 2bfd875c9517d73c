/** The parts that the writer and the readers of a backup agree on. */

/** The first entry: a description of the backup. */
export const HEAD = 'backup.json';
/** A home's encrypted keys: the second entry, to detect a wrong passphrase first. */
export const KEYS = 'keys.sealed';
/** Event files that earlier backups hold. */
export const ELSEWHERE = 'analytics/elsewhere.jsonl';
/** The state of the embedded Temporal. */
export const TEMPORAL = 'home/temporal/temporal.db';
/** The last entry: a line with size and SHA-256 for each other one, and a line with findings. */
export const LIST = 'entries.jsonl';

/** SHA-256, and HMAC-SHA256 with a passphrase, after the tar's end, where tar programs do not read. */
export const TRAILER_BYTES = 512;
const TRAILER = /^docent backup sha256 ([0-9a-f]{64})(?: hmac-sha256 ([0-9a-f]{64}))?\n\0*$/;

/** Both in hex. */
export interface Checksums {
  sha256: string;
  hmac: string | null;
}

export const trailerOf = ({ sha256, hmac }: Checksums): Buffer => {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.write(`docent backup sha256 ${sha256}${hmac === null ? '' : ` hmac-sha256 ${hmac}`}\n`, 'latin1');
  return trailer;
};

/** Null for anything but a trailer. */
export function checksumsIn(trailer: Buffer): Checksums | null {
  const [, sha256, hmac = null] = TRAILER.exec(trailer.toString('latin1')) ?? [];
  return sha256 === undefined ? null : { sha256, hmac };
}
