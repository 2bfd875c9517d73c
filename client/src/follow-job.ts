import { createParser } from 'eventsource-parser';
import type { Client } from 'openapi-fetch';
import type { components, paths } from './generated/openapi.ts';

type Schemas = components['schemas'];
export type JobStreamEvent = Schemas['JobStreamEvent'];

/** A server that says nothing for so long is gone: it says that it is there every 15 seconds. */
const SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

export interface FollowJobOptions {
  projectId: string;
  id: string;
  /** Only events with a higher number. Default 0: from the beginning. */
  after?: number;
  /** Goes on over rests of the job, until it is archived. Default false. */
  follow?: boolean;
  /** Ends it, without an error. */
  signal?: AbortSignal;
  /** Told when the stream breaks off, before it is opened again. What it throws ends the following. `awayMs`: for how long by now. */
  onBreak?: (reason: Error, awayMs: number) => void;
}

/** The server does not let the job be followed: asking again does not help. */
export class FollowRefused extends Error {
  /** Of the answer; null where the stream was open already. */
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
 * The events of a job as they happen, until the event `end`, which is the last one. A stream that breaks off is opened again where
 * it was: none of the job's events is missing, and none comes twice. The words of a running answer then begin anew, with offset 0.
 * A server that has no streams is asked for pages.
 * @throws FollowRefused
 */
export async function* followJob(
  client: Pick<Client<paths, 'application/json'>, 'GET'>,
  options: FollowJobOptions,
): AsyncGenerator<JobStreamEvent, void, undefined> {
  const { signal, onBreak } = options;
  const at = { after: options.after ?? 0, isPage: false };
  let pauseMs = FIRST_PAUSE_MS;
  let awaySince: number | undefined;
  const isOver = () => signal?.aborted ?? false;
  while (!isOver()) {
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
      // Of a server without streams, this was a page; it has waited for the next one.
      if (at.isPage) continue;
      broken = new Error('The stream broke off.');
    } catch (err) {
      if (signal?.aborted) return;
      if (err instanceof FollowRefused) throw err;
      broken = err instanceof Error ? err : new Error(String(err));
    }
    if (signal?.aborted) return;
    awaySince ??= Date.now();
    onBreak?.(broken, Date.now() - awaySince);
    await pause(broken instanceof Busy ? broken.ms : pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** The server takes no more streams now. */
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
  at: { after: number; isPage: boolean },
): AsyncGenerator<JobStreamEvent> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new Error('The server has said nothing for too long.')), SILENCE_MS);
  };
  const signals = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
  heard();
  try {
    const { data, error, response } = await client.GET('/v2/agent/{projectId}/job/{id}/events', {
      params: { path: { projectId, id }, query: { after: at.after, ...(follow ? { follow } : {}), waitSeconds: 20 } },
      headers: { Accept: 'text/event-stream' },
      parseAs: 'stream',
      signal: signals,
    });
    if (!response.ok) throw refusalOf(response, error);
    const body = data as ReadableStream<Uint8Array> | null | undefined;
    if (!body) throw new Error('The server answered without events.');
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      at.isPage = true;
      yield* ofPage((await new Response(body).json()) as Schemas['JobEvents'], follow);
      return;
    }
    yield* parsed(body, heard);
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

async function* parsed(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<JobStreamEvent> {
  const waiting: JobStreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ data }) => waiting.push(JSON.parse(data) as JobStreamEvent),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      parser.feed(decoder.decode(value, { stream: true }));
      yield* waiting.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => {
      // It broke already.
    });
  }
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
