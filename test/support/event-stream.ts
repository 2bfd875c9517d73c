import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { createParser } from 'eventsource-parser';
import type { components } from '@docent/client';
import { until } from './patience.ts';

export type StreamEvent = components['schemas']['JobStreamEvent'];

export interface Received {
  id: string | undefined;
  type: string | undefined;
  data: StreamEvent;
  /** On the clock of performance.now(). */
  at: number;
}

/** An open stream of server-sent events, as a client sees it. */
export interface OpenStream {
  response: IncomingMessage;
  events: Received[];
  comments: string[];
  /** All bytes as they came. */
  raw: () => string;
  /** Resolves when it has ended: `whole` is false if it broke off in the middle of the answer. */
  ended: Promise<{ whole: boolean }>;
  until(what: string, isTrue: (events: Received[]) => boolean): Promise<void>;
  close(): void;
}

export async function openStream(
  url: string,
  {
    token,
    lastEventId,
    headers = {},
  }: { token: string | null; lastEventId?: string; headers?: Record<string, string> },
): Promise<OpenStream> {
  const asked: ClientRequest = request(url, {
    headers: {
      accept: 'text/event-stream',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...headers,
    },
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  asked.on('error', () => {});
  const events: Received[] = [];
  const comments: string[] = [];
  let raw = '';
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      events.push({ id, type: event, data: JSON.parse(data) as StreamEvent, at: performance.now() }),
    onComment: (comment) => comments.push(comment),
  });
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    raw += text;
    if (response.statusCode === 200) parser.feed(text);
  });
  response.on('error', () => {});
  const ended = new Promise<{ whole: boolean }>((resolve) => {
    response.once('close', () => resolve({ whole: response.complete }));
  });
  return {
    response,
    events,
    comments,
    raw: () => raw,
    ended,
    until: (what, isTrue) => until(what, () => isTrue(events)),
    close: () => asked.destroy(),
  };
}
