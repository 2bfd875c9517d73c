import type { ModelProgress } from '@docent/models/model';
import { withoutInvisible } from '@docent/docs-check/read/visible-text';
import { messageOf } from '@docent/base/thrown';
import { lastWords, oneLine } from '@docent/base/one-line';
import type { Logger } from '../../platform/log.ts';
import type { Db } from '../../store/database.ts';
import { showProgress } from '../../store/jobs/model-calls.ts';

const WRITE_MS = 1_500;
const SLOW_MS = 2_000;
/** A faster answer is not streamed: that would cost more than the rest of the step. */
const FIRST_MS = 300;
const MAX_TAIL = 100;

/** Shows in the job's row what the model does, at most every 1.5 s. Failures do not matter. */
export class ModelWatch {
  readonly #db: Db;
  readonly #claim: { jobId: string; no: number; fence: number };
  readonly #step: number;
  readonly #log: Logger;
  #wanted: string | null = null;
  #shown: string | null = null;
  #writing: Promise<void> | null = null;
  #nextAt = 0;
  readonly #first = performance.now() + FIRST_MS;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #isBeginning = true;

  /** @param attempt from 2 on, what an earlier attempt has shown is cleared */
  constructor(
    db: Db,
    claim: { jobId: string; no: number; fence: number },
    { step, attempt, log }: { step: number; attempt: number; log: Logger },
  ) {
    this.#db = db;
    this.#claim = claim;
    this.#step = step;
    this.#log = log;
    if (attempt > 1) this.#shown = '';
  }

  /** Reports a model that is slow to begin. */
  begin(): void {
    this.#nextAt = Math.max(this.#nextAt, performance.now() + SLOW_MS);
    this.say('waiting for the model');
  }

  show({ characters, text, tool }: ModelProgress): void {
    this.#hurry();
    const doing = tool ? `writing a call of ${oneLine(withoutInvisible(tool)).slice(0, 40)}` : 'writing';
    const tail = tool ? '' : lastWords(withoutInvisible(text.slice(-MAX_TAIL * 2)), MAX_TAIL);
    this.say(`${doing}, ${characters.toLocaleString('en')} characters${tail && `: ${tail}`}`);
  }

  say(words: string): void {
    if (this.#stopped) return;
    this.#wanted = `Step ${this.#step}: ${words}`;
    this.#plan();
  }

  /** The first words need not wait for the time after which a model is called slow. */
  #hurry(): void {
    if (!this.#isBeginning) return;
    this.#isBeginning = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#nextAt = this.#first;
  }

  /** Waits for the pending write, and writes nothing more. `last` stays visible until the next attempt. */
  async stop(last: string | null = null): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#writing;
    if (last !== null || this.#shown !== null) await this.#write(last === null ? null : `Step ${this.#step}: ${last}`);
  }

  #plan(): void {
    if (this.#writing || this.#timer || this.#wanted === this.#shown) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#nextAt = performance.now() + WRITE_MS;
        this.#writing = this.#write(this.#wanted).finally(() => {
          this.#writing = null;
          if (!this.#stopped) this.#plan();
        });
      },
      Math.max(0, this.#nextAt - performance.now()),
    );
  }

  async #write(progress: string | null): Promise<void> {
    this.#shown = progress;
    try {
      await showProgress(this.#db, this.#claim, progress);
    } catch (err) {
      this.#log.debug({ reason: messageOf(err) }, 'the progress of the model could not be shown');
    }
  }
}
