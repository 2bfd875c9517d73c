import {
  FollowRefused,
  followJob as follow,
  FollowUnreachable,
  type components,
  type JobStreamEvent,
} from '@docent/client';
import { answerOf } from '@docent/base/terminal/api-answer';
import { ServerRefusal, ServerUnreachable } from '@docent/base/terminal/failures';
import { isRetryText } from '@docent/base/retry-text';
import { networkReason } from '@docent/base/net/network-reason';
import { lastWords } from '@docent/base/one-line';
import type { Server } from './server.ts';

/** What requests need. */
export type Asked = Pick<Server, 'client' | 'url'>;

export interface JobRef {
  projectId: string;
  id: string;
}

export type JobEvent = components['schemas']['JobEvent'];

/** A server that is away for this long has failed; a restart takes seconds. */
const PATIENCE_MS = 90_000;
/** As much of the model's text as fits into a line. */
const MAX_TAIL = 100;

/** A job's visible events after number `after`, until it is not active; `onProblem` gets reconnects. */
export async function* followJob(
  { client, url }: Asked,
  { projectId, id }: JobRef,
  {
    after = 0,
    onProblem,
    onProgress,
    onStatus,
    onEvent,
    signal,
  }: {
    after?: number;
    /** Ends it immediately: the caller that aborts it gives the reason. */
    signal?: AbortSignal;
    onProblem?: (sentence: string) => void;
    /** Called when the model's activity changes; null when there is nothing to show. */
    onProgress?: (progress: string | null) => void;
    /** Receives what the job's row shows of its model, words apart, each time that it changes. */
    onStatus?: (status: string) => void;
    /** Called with every server event, before it is handled. */
    onEvent?: (event: JobStreamEvent) => void;
  } = {},
): AsyncGenerator<JobEvent> {
  let words = '';
  const unreachable = (reason: unknown) =>
    new ServerUnreachable(`Docent is not reachable at ${url} (${networkReason(reason)}).`, { cause: reason });
  const onBreak = (reason: Error, awayMs: number) => {
    if (awayMs > PATIENCE_MS) throw unreachable(reason);
    // The first interruption is not reported: it looks like a restart.
    if (awayMs > 0) onProblem?.(unreachable(reason).message);
  };
  try {
    for await (const event of follow(client, { projectId, id, after, onBreak, ...(signal ? { signal } : {}) })) {
      onEvent?.(event);
      if (event.type === 'words') {
        words = event.offset === 0 ? event.text : words + event.text;
        if (words !== '') onProgress?.(`Step ${event.step}: ${lastWords(words, MAX_TAIL)}`);
      } else if (event.type === 'progress') {
        if (event.progress !== null) onStatus?.(event.progress);
        // While its text arrives, that is more informative.
        if (words === '' || event.progress === null) onProgress?.(event.progress);
      } else if (event.type !== 'end') {
        words = '';
        if (isShown(event)) yield event;
      }
    }
  } catch (err) {
    if (err instanceof FollowRefused)
      throw new ServerRefusal(err.message, err.body?.code ?? `http_${err.status}`, err.body?.requestId ?? 'unknown');
    throw err instanceof FollowUnreachable ? unreachable(err.cause) : err;
  }
}

/** Something is printed at least this often while a model is slow. */
const SILENCE_MS = 10_000;

/** Without a heading: prints retries, and what the model does when nothing was printed for a while. */
export class StatusLines {
  readonly #print: (line: string) => void;
  #printedAt: number;

  constructor(print: (line: string) => void, now = performance.now()) {
    this.#print = print;
    this.#printedAt = now;
  }

  /** Another line was printed. */
  printed(now = performance.now()): void {
    this.#printedAt = now;
  }

  show(status: string, now = performance.now()): void {
    if (!isRetryText(status) && now - this.#printedAt < SILENCE_MS) return;
    this.#print(status);
    this.printed(now);
  }
}

/** Whether an event has its own line. Successful calls are in their step's, final texts in the result. */
const isShown = ({ type, data }: JobEvent): boolean =>
  type !== 'answer' && !(type === 'tools' && data?.results?.every(({ ok }) => ok));

/** The number of the event before the current or last turn, or before the next one if one follows. */
export async function beforeLastTurn({ client, url }: Asked, { projectId, id }: JobRef): Promise<number> {
  let [last, start] = [0, 0];
  let isOver = false;
  for (;;) {
    const params = { path: { projectId, id }, query: { after: last, limit: 500 } };
    const { events, status } = await answerOf(url, client.GET('/v2/agent/{projectId}/job/{id}/events', { params }));
    for (const { no, type } of events) {
      if (type === 'turn_started') start = no - 1;
      if (type === 'turn_started') isOver = false;
      else if (type === 'turn_ended') isOver = true;
      last = no;
    }
    if (events.length === 0) return isOver && status === 'active' ? last : start;
  }
}

export function getJob({ client, url }: Asked, { projectId, id }: JobRef) {
  return answerOf(url, client.GET('/v2/agent/{projectId}/job/{id}', { params: { path: { projectId, id } } }));
}
