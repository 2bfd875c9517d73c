import { createParser } from 'eventsource-parser';
import type { Client } from 'openapi-fetch';
import type { components, paths } from './generated/openapi.ts';

type Schemas = components['schemas'];
export type JobStreamEvent = Schemas['JobStreamEvent'];

/** A server that sends nothing for so long is gone: it sends a comment every 15 seconds. */
const SILENCE_MS = 45_000;
/**
 * A server that never answered is not at this address, or the browser may not ask it. A server that restarts
 * is back by then.
 */
const FIRST_ANSWER_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

export interface FollowJobOptions {
  projectId: string;
  id: string;
  /** Only events with a higher number. Default 0: from the beginning. */
  after?: number;
  /** Continues while the job is idle, until it is archived. Default false. */
  follow?: boolean;
  /** Ends it, without an error. */
  signal?: AbortSignal;
  /**
   * Called when the stream breaks off, before it is reopened. If it throws, following ends. `awayMs`: the
   * time so far.
   */
  onBreak?: (reason: Error, awayMs: number) => void;
}

/**
 * The first connection failed: the address is wrong, the server is down, or the browser refuses its answers
 * (CORS).
 */
export class FollowUnreachable extends Error {}

/** The server does not let the job be followed: asking again does not help. */
export class FollowRefused extends Error {
  /** Status of the response; null if the stream was already open. */
  readonly status: number | null;
  readonly body: Schemas['Error'] | undefined;

  constructor(message: string, status: number | null, body: Schemas['Error'] | undefined) {
    super(message);
    this.name = 'FollowRefused';
    this.status = status;
    this.body = body;
  }
}

/**
 * The events of a job as they happen, up to the event `end`, which is the last one. A broken stream is
 * reopened where it was: no event is missing or repeated. The text of a running answer then begins again,
 * with offset 0. Polls pages from servers without streams.
 * @throws FollowRefused
 * @throws FollowUnreachable if the server does not answer for 10 seconds
 */
export async function* followJob(
  client: Pick<Client<paths, 'application/json'>, 'GET'>,
  options: FollowJobOptions,
): AsyncGenerator<JobStreamEvent, void, undefined> {
  const { signal, onBreak } = options;
  const at: Position = { after: options.after ?? 0, isPage: false, isConnected: false };
  const begun = Date.now();
  let pauseMs = FIRST_PAUSE_MS;
  let awaySince: number | undefined;
  const isLeft = () => signal?.aborted ?? false;
  while (!isLeft()) {
    let broken: Error;
    try {
      for await (const event of once(client, options, at)) {
        pauseMs = FIRST_PAUSE_MS;
        awaySince = undefined;
        if ('no' in event) at.after = event.no;
        if (event.type === 'end' && event.reason === 'refused')
          throw new FollowRefused(event.error?.error ?? 'The server ended the stream.', null, event.error ?? undefined);
        yield event;
        if (event.type === 'end') return;
      }
      // From a server without streams, this was a page; the request has waited for it.
      if (at.isPage) continue;
      broken = new Error('The stream broke off.');
    } catch (err) {
      if (err instanceof FollowRefused) throw err;
      broken = err instanceof Error ? err : new Error(String(err));
    }
    if (isLeft()) return;
    const now = Date.now();
    if (!at.isConnected && now - begun + pauseMs >= FIRST_ANSWER_MS)
      throw new FollowUnreachable(`The server does not answer: ${broken.message}`, { cause: broken });
    awaySince ??= now;
    onBreak?.(broken, now - awaySince);
    await pause(broken instanceof Busy ? broken.ms : pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

interface Position {
  /** The number of the last event that was seen. */
  after: number;
  /** The server has no streams. */
  isPage: boolean;
  /** The server has answered, if only that it is busy. */
  isConnected: boolean;
}

/** The server accepts no more streams now. */
class Busy extends Error {
  readonly ms: number;

  constructor(message: string, ms: number) {
    super(message);
    this.ms = ms;
  }
}

/** One stream, or one page of events from a server without streams. */
async function* once(
  client: Pick<Client<paths, 'application/json'>, 'GET'>,
  { projectId, id, follow = false, signal }: FollowJobOptions,
  at: Position,
): AsyncGenerator<JobStreamEvent> {
  // Held here: Node forgets the signal of a Request after a garbage collection.
  const leaving = new AbortController();
  const leave = () => leaving.abort(signal?.reason);
  signal?.addEventListener('abort', leave);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = () => leaving.abort(new Error('The server has sent nothing for too long.'));
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(silent, at.isConnected ? SILENCE_MS : FIRST_ANSWER_MS);
  };
  heard();
  try {
    const request = client.GET('/v2/agent/{projectId}/job/{id}/events', {
      params: { path: { projectId, id }, query: { after: at.after, ...(follow ? { follow } : {}), waitSeconds: 20 } },
      headers: { Accept: 'text/event-stream' },
      parseAs: 'stream',
      signal: leaving.signal,
    });
    const { data, error, response } = await orAborted(request, leaving.signal);
    at.isConnected = true;
    heard();
    if (!response.ok) throw refusalOf(response, error);
    const body = data as ReadableStream<Uint8Array> | null | undefined;
    if (!body) throw new Error('The server answered without events.');
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      at.isPage = true;
      const page = orAborted(new Response(body).json(), leaving.signal);
      yield* ofPage((await page) as Schemas['JobEvents'], follow);
      return;
    }
    yield* parsed(body, heard, leaving.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    leaving.abort();
  }
}

async function* parsed(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
  signal: AbortSignal,
): AsyncGenerator<JobStreamEvent> {
  const waiting: JobStreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ data }) => waiting.push(JSON.parse(data) as JobStreamEvent),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const cancel = () =>
    reader.cancel().catch(() => {
      // It broke already.
    });
  const onAbort = () => void cancel();
  signal.addEventListener('abort', onAbort);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      heard();
      parser.feed(decoder.decode(value, { stream: true }));
      yield* waiting.splice(0);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    await cancel();
  }
}

/** Rejects with the signal's reason, whatever happens to the work. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function* ofPage({ events, status, progress }: Schemas['JobEvents'], follow: boolean): Generator<JobStreamEvent> {
  yield* events;
  yield { type: 'progress', progress };
  const isOver = status === 'archived' || (status !== 'active' && !follow);
  if (events.length === 0 && isOver)
    yield { type: 'end', reason: status === 'archived' ? 'archived' : 'rest', status, error: null };
}

function refusalOf(response: Response, error: unknown): Error {
  const body = error as Schemas['Error'] | undefined;
  const message = body?.error ?? `The server answered ${response.status}.`;
  if (response.status === 429 || response.status >= 500) {
    const seconds = Number(response.headers.get('retry-after') ?? NaN);
    return new Busy(message, Number.isFinite(seconds) ? Math.min(seconds, 60) * 1_000 : 2_000);
  }
  return new FollowRefused(message, response.status, body);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}
