import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../../platform/log.ts';
import type { Db } from '../../store/database.ts';
import { MAX_EVENT_TEXT } from '../../store/job-event-data.ts';
import { showLiveText } from '../../store/jobs/live-text.ts';
import { storableText } from '../../store/storable.ts';
import type { TurnClaim } from '../../store/jobs/turn-fence.ts';
import { hideSecrets } from './outgoing-secrets.ts';

const WRITE_MS = 150;
/** How often it is looked whether someone watches by now. */
const UNWATCHED_MS = 1_000;
const LONGEST_PAUSE_MS = 1_000;
/** Searching for secrets and writing take at most 1 / SHARE of the time. */
const SHARE = 10;

/** Streams the model's text to watching clients, without secrets: see {@link shownPart}. */
export class LiveText {
  readonly #db: Db;
  readonly #claim: TurnClaim;
  readonly #at: { step: number; attempt: number };
  readonly #allowed: readonly string[];
  readonly #log: Logger;
  #wanted = '';
  #seen = '';
  /** The row's text from this attempt; null if unknown. */
  #shown: string | null;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | null = null;
  #nextAt = 0;
  #stopped = false;
  #isWatched = false;

  /** @param options.attempt what an earlier one has shown is taken away when the model is asked */
  constructor(
    db: Db,
    claim: TurnClaim,
    options: { step: number; attempt: number; allowed: readonly string[]; log: Logger },
  ) {
    this.#db = db;
    this.#claim = claim;
    this.#at = { step: options.step, attempt: options.attempt };
    this.#allowed = options.allowed;
    this.#log = options.log;
    this.#shown = options.attempt > 1 ? null : '';
  }

  /** The model is asked, for the first time or again: its text begins empty. */
  begin(): void {
    this.#wanted = '';
    // Loads the secret scanner while the model thinks. If loading fails, the first words load it again and
    // fail.
    hideSecrets('', []).catch(() => {});
    if (this.#shown !== '') this.#plan();
  }

  show(text: string): void {
    if (text.length > MAX_EVENT_TEXT || text === this.#wanted) return;
    this.#wanted = text;
    this.#plan();
  }

  /** Waits for the pending write, clears the text, and writes nothing more. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#writing;
    if (this.#shown === '' || (this.#shown === null && this.#seen === '')) return;
    await this.#put('').catch((err: unknown) => {
      this.#log.debug({ reason: messageOf(err) }, "the model's live text could not be cleared");
    });
  }

  #plan(): void {
    if (this.#stopped || this.#writing || this.#timer) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#writing = this.#write();
      },
      Math.max(0, this.#nextAt - performance.now()),
    );
  }

  async #write(): Promise<void> {
    const startedAt = performance.now();
    const given = this.#wanted;
    let pauseMs = WRITE_MS;
    try {
      // Without a watcher, the text is not scanned.
      this.#isWatched ||= await this.#put('');
      const text = this.#isWatched ? await shownPart(given, this.#allowed) : '';
      if (this.#isWatched && text !== this.#shown) this.#isWatched = await this.#put(text);
      if (!this.#isWatched) pauseMs = UNWATCHED_MS;
    } catch (err) {
      this.#log.debug({ reason: messageOf(err) }, "the model's live text could not be shown");
      pauseMs = UNWATCHED_MS;
    }
    const now = performance.now();
    const restMs = Math.min((now - startedAt) * (SHARE - 1), LONGEST_PAUSE_MS);
    this.#nextAt = Math.max(startedAt + pauseMs, now + restMs);
    this.#seen = given;
    this.#writing = null;
    if (this.#wanted !== this.#seen) this.#plan();
  }

  /** @returns whether someone watches */
  async #put(text: string): Promise<boolean> {
    this.#shown = null;
    const isWatched = await showLiveText(this.#db, this.#claim, { ...this.#at, text: storableText(text) });
    this.#shown = isWatched ? text : null;
    return isWatched;
  }
}

/** The beginning of a multi-line secret: from there on, nothing is shown until the answer is complete. */
const LONG_SECRET = /-----BEGIN|"type"\s*:\s*"service_account"/;

/**
 * The part of a growing text to show: without the last word or an unfinished multi-line key; complete secrets
 * become `[secret]`.
 * @param allowed ids of allowed secrets
 */
export async function shownPart(text: string, allowed: readonly string[]): Promise<string> {
  const begins = LONG_SECRET.exec(text)?.index ?? text.length;
  const known = text.slice(0, begins);
  const end = /\s(?=\S*$)/.exec(known)?.index;
  return end === undefined ? '' : hideSecrets(known.slice(0, end), allowed);
}
