import { errorBody } from '../contract/error-body.ts';
import { AppError } from '../../platform/errors.ts';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../../platform/log.ts';
import type { Db } from '../../store/database.ts';
import { listEvents, type JobEventRow } from '../../store/jobs/job-events.ts';
import type { LiveText } from '../../store/jobs/live-text.ts';
import type { components } from '@docent/client';
import { presentEvent } from '../presenters/job.ts';
import type { JobWatch } from './job-feed.ts';
/** How long a reader waits before it opens a broken stream again, in milliseconds. */
const RETRY_MS = 1_000;

/** The beginning of a stream: readers see immediately that it is open. */
export const BEGINNING = `retry: ${RETRY_MS}\n\n`;

/** A server-sent event (WHATWG HTML standard); JSON escapes line ends. @param event.type a declared name */
export function serverSentEvent(event: { id?: number; type: string; data: unknown }): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

/** A line that readers pass over. @param text without line ends */
export const comment = (text: string): string => `: ${text}\n\n`;

/** The most rows per query. */
const ROWS = 100;
const FAILED_MS = 1_000;

type Schemas = components['schemas'];

export interface JobStreamOptions {
  db: Db;
  log: Logger;
  watch: JobWatch;
  /** Events with a higher number. */
  after: number;
  /** Whether the stream continues while the job is idle. */
  follow: boolean;
  /** Aborts when the reader has gone or the server stops. */
  signal: AbortSignal;
  /** Aborts when the server stops. */
  draining: AbortSignal;
  requestId: string;
  /** The path of this server's first page, as browsers see it. */
  homePath: string;
  /** @throws AppError if the caller may no longer read the job */
  authorizeAgain: () => Promise<void>;
  heartbeatMs: number;
  authorizeMs: number;
}

/** A job's events, each once, in order, as the reader takes them, and the model's growing text. */
export async function* jobStream(options: JobStreamOptions): AsyncGenerator<string> {
  const { db, log, watch, follow, signal, draining } = options;
  const { job } = watch;
  const words = new WordsSent();
  let sent = options.after;
  let progress: string | null = null;
  let { fallbacks } = job;
  let [quietSince, authorizedAt] = [performance.now(), performance.now()];
  yield BEGINNING;
  while (!signal.aborted) {
    const { status, lastEventNo } = job;
    if (job.fallbacks !== fallbacks) {
      // A restored database: its next events reuse numbers that were already sent.
      fallbacks = job.fallbacks;
      sent = Math.min(sent, lastEventNo);
    }
    if (lastEventNo > sent) {
      const rows = await read(() => listEvents(db, job.id, { after: sent, limit: ROWS }), log);
      for (const row of rows) {
        yield serverSentEvent({ id: row.no, type: row.type, data: presentEvent(row) });
        sent = row.no;
        words.receive(row);
        quietSince = performance.now();
      }
      if (rows.length > 0) continue;
      await watch.changed(FAILED_MS, signal);
    } else if (isAtEnd(job, follow) && sent <= Math.max(lastEventNo, options.after)) {
      // If more was read than this query returned, the next query decides.
      yield ended({ reason: job.isGone || status === 'archived' ? 'archived' : 'rest', status, error: null });
      return;
    }
    const delta = words.next(job.words);
    if (delta) {
      yield serverSentEvent({ type: 'words', data: delta });
      quietSince = performance.now();
    }
    const doing = status === 'active' ? job.progress : null;
    if (doing !== progress) {
      progress = doing;
      const data: Schemas['JobProgressEvent'] = { type: 'progress', progress };
      yield serverSentEvent({ type: 'progress', data });
      quietSince = performance.now();
    }
    const now = performance.now();
    if (now - quietSince >= options.heartbeatMs) {
      yield comment('still here');
      quietSince = now;
    }
    if (now - authorizedAt >= options.authorizeMs) {
      const refused = await refusal(options);
      if (refused) {
        yield ended({ reason: 'refused', status, error: refused });
        return;
      }
      authorizedAt = performance.now();
    }
    await watch.changed(Math.min(quietSince + options.heartbeatMs - now, options.authorizeMs), signal);
  }
  if (draining.aborted) yield comment('this server stops: open the stream again');
}

const isAtEnd = ({ isGone, status }: JobWatch['job'], follow: boolean) =>
  isGone || status === 'archived' || (status !== 'active' && !follow);

function ended(end: Omit<Schemas['JobEndEvent'], 'type'>): string {
  const data: Schemas['JobEndEvent'] = { type: 'end', ...end };
  return serverSentEvent({ type: 'end', data });
}

/** Empty while the database is unavailable: the stream stays open, and continues when it is back. */
async function read(rows: () => Promise<JobEventRow[]>, log: Logger): Promise<JobEventRow[]> {
  try {
    return await rows();
  } catch (err) {
    log.debug({ reason: messageOf(err) }, 'the events of a stream could not be read');
    return [];
  }
}

/** Why the caller may not read on, or null. */
async function refusal({
  authorizeAgain,
  requestId,
  homePath,
  log,
}: JobStreamOptions): Promise<Schemas['Error'] | null> {
  try {
    await authorizeAgain();
    return null;
  } catch (err) {
    if (err instanceof AppError) return errorBody(err, requestId, homePath);
    log.debug({ reason: messageOf(err) }, 'the caller of a stream could not be looked up');
    return null;
  }
}

/** What a reader has received of the model's growing text. */
class WordsSent {
  #sent: LiveText | null = null;
  #last = { turn: 0, step: 0 };

  /** From now on, the row has the text of this step. */
  receive({ turnNo, type, data }: JobEventRow): void {
    if (turnNo === null) return;
    const step = type === 'step' || type === 'answer' ? (data?.step ?? 0) : 0;
    const isOver = type === 'turn_ended';
    this.#last = {
      turn: turnNo,
      step: isOver ? Infinity : Math.max(step, this.#last.turn === turnNo ? this.#last.step : 0),
    };
  }

  next(words: LiveText | null): Schemas['JobWordsEvent'] | null {
    if (!words) return null;
    const { turn, step, attempt, text } = words;
    if (turn < this.#last.turn || (turn === this.#last.turn && step <= this.#last.step)) return null;
    const before = this.#sent;
    const isSame = before?.turn === turn && before.step === step && before.attempt === attempt;
    if (isSame && before.text === text) return null;
    // Nothing of it was shown, and there is nothing to show.
    if (!isSame && text === '' && !(before?.turn === turn && before.step === step && before.text !== '')) return null;
    const offset = isSame && text.startsWith(before.text) ? before.text.length : 0;
    this.#sent = words;
    return { type: 'words', turn, step, attempt, offset, text: text.slice(offset) };
  }
}
