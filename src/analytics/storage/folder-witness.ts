import type { ProcessRow } from '../../store/analytics-folder.ts';

/** What is known of whether another process has the same folder. */
export type Sight =
  /** Its newest nonces are in this folder. */
  | 'shared'
  /** It lives, and writes its nonces into another folder. */
  | 'apart'
  /** It gives no sign of life. */
  | 'gone'
  /** It may be any of these: to be looked at again. */
  | 'open';

interface Watched {
  /** Nonces that its row had, and when each was found to be replaced by another one. Null for the newest. */
  nonces: Map<string, number | null>;
  newest: string;
  /** When this process began to watch it, or went on after a pause of its own. */
  since: number;
  seenAt: number;
  /** When its row last got another nonce. */
  livedAt: number | null;
  /** The last moment at which what was found in this folder was its newest nonce. */
  provedAt: number;
}

/**
 * Tells whether other processes have the same folder, or a copy: every process writes a new nonce into the folder and into its row,
 * again and again. A copy holds old ones only. All is counted on this process's monotonic clock, so that no clock which somebody
 * sets makes a process look dead or alive; and network file systems may show a file late.
 */
export class FolderWitness {
  readonly #beatMs: number;
  readonly #patienceMs: number;
  readonly #watched = new Map<string, Watched>();

  /**
   * @param beatMs how often a process writes a nonce
   * @param patienceMs how late a file may show
   */
  constructor(beatMs: number, patienceMs: number) {
    this.#beatMs = beatMs;
    this.#patienceMs = patienceMs;
  }

  /**
   * @param row of the other process, just read
   * @param found the nonces of that process that were found in the folder
   */
  see({ id, nonce }: Pick<ProcessRow, 'id' | 'nonce'>, found: readonly string[], now: number): Sight {
    let watched = this.#watched.get(id);
    if (!watched) {
      const nonces = new Map([[nonce, null]]);
      watched = { nonces, newest: nonce, since: now, seenAt: now, livedAt: null, provedAt: -Infinity };
      this.#watched.set(id, watched);
    }
    // Much may have happened while this process was paused: nothing is concluded from that time.
    if (now - watched.seenAt > 3 * this.#beatMs) watched.since = now;
    watched.seenAt = now;
    const { nonces } = watched;
    if (nonce !== watched.newest) {
      nonces.set(watched.newest, now);
      nonces.set(nonce, null);
      watched.newest = nonce;
      watched.livedAt = now;
    }
    for (const [old, at] of nonces) if (at !== null && now - at > 2 * this.#patienceMs) nonces.delete(old);
    for (const one of found) {
      const replacedAt = nonces.get(one);
      if (replacedAt !== undefined) watched.provedAt = Math.max(watched.provedAt, replacedAt ?? now);
    }
    if (now - watched.provedAt <= this.#patienceMs) return 'shared';
    if (now - (watched.livedAt ?? watched.since) > 3 * this.#beatMs) return 'gone';
    const doubtSince = Math.max(watched.provedAt, watched.since);
    return watched.livedAt !== null && now - doubtSince > this.#patienceMs ? 'apart' : 'open';
  }

  /** Forgets processes that have no row any more. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#watched.keys()) if (!ids.has(id)) this.#watched.delete(id);
  }
}
