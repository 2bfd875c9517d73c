/** The parts that the writer and the readers of a backup agree on. */

/** The first entry: what the backup is. */
export const HEAD = 'backup.json';
/**
 * The keys of a home, encrypted; the second entry, so that a wrong passphrase is found before anything is
 * done.
 */
export const KEYS = 'keys.sealed';
/** Event files that earlier backups hold. */
export const ELSEWHERE = 'analytics/elsewhere.jsonl';
/** The state of the embedded Temporal. */
export const TEMPORAL = 'home/temporal/temporal.db';
/**
 * The last entry: every other one with its size and SHA-256, a line each, and a line with what was found out
 * on the way.
 */
export const LIST = 'entries.jsonl';

/**
 * Behind the end of the tar are the checksums of all of it, so that a flipped bit is found wherever it is:
 * SHA-256, and HMAC-SHA256 where the backup was made with a passphrase. Tar programs do not read that far.
 */
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

/** A file is not a whole backup. The message says what is wrong with it. */
export class BackupDamaged extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'BackupDamaged';
  }
}
