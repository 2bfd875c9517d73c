import { createParser } from 'eventsource-parser';
import { fieldsOf, jsonOf } from '../json-fields.ts';

type Fields = Record<string, unknown>;
type TextSink = TransformStreamDefaultController<string>;

/**
 * A `fetch` for servers whose chat answers only resemble OpenAI's. Drops other chunks (pings, warnings),
 * reduces the others to the fields that the client needs in the types that it needs, and turns an unstreamed
 * answer into a stream, whatever the content type says. Passes on errors and web pages.
 */
export function tolerantChat(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    if (!response.ok || !response.body || !isStreamAsked(init?.body)) return response;
    if (response.headers.get('content-type')?.includes('text/html')) return response;
    const body = response.body
      .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
      .pipeThrough(repaired())
      .pipeThrough(new TextEncoderStream());
    return new Response(body, { status: response.status, headers: { 'content-type': 'text/event-stream' } });
  };
}

const isStreamAsked = (body: unknown): boolean => typeof body === 'string' && fieldsOf(jsonOf(body)).stream === true;

/** Events, or JSON: one value, or one a line. */
function repaired(): TransformStream<string, string> {
  let reader: { feed(text: string): void; end(): void } | null = null;
  return new TransformStream({
    transform(text, controller) {
      if (!reader && text.trim() === '') return;
      reader ??= /^\s*[[{]/.test(text) ? jsonReader(controller) : eventReader(controller);
      reader.feed(text);
    },
    flush: () => reader?.end(),
  });
}

function eventReader(controller: TextSink) {
  let isDone = false;
  let isUnfinished = false;
  const parser = createParser({
    onEvent({ data, event }) {
      if (isDone) return;
      isDone = data.trim() === '[DONE]';
      const chunk = isDone ? null : chunkOf(data, event === 'error');
      if (chunk !== null) controller.enqueue(eventOf(chunk));
      for (const { delta, finish_reason: reason } of typeof chunk === 'object' ? (chunk?.choices ?? []) : []) {
        isUnfinished = reason === null && (isUnfinished || Object.keys(delta).length > 0);
      }
      // Some servers end without a reason. One whose answer is cut does not say that it is done.
      if (isDone && isUnfinished) controller.enqueue(eventOf(FINISHED));
      if (isDone) controller.enqueue(eventOf('[DONE]'));
    },
  });
  // The last event may lack the empty line behind it.
  return { feed: (text: string) => parser.feed(text), end: () => parser.feed('\n\n') };
}

function jsonReader(controller: TextSink) {
  let whole = '';
  return {
    feed: (text: string) => void (whole += text),
    end() {
      const parts = jsonOf(whole) === undefined ? whole.split('\n') : [whole];
      const chunks = parts.filter((part) => part.trim() !== '').map((part) => chunkOf(part));
      for (const chunk of [...chunks, '[DONE]']) if (chunk !== null) controller.enqueue(eventOf(chunk));
    },
  };
}

interface Choice {
  index: unknown;
  finish_reason: string | null;
  delta: Fields;
}

interface Chunk {
  id?: string;
  usage?: Fields;
  choices?: Choice[];
  error?: Fields;
}

const FINISHED: Chunk = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const eventOf = (data: Chunk | string) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/**
 * An event's data as the client needs it; null for what is not part of the answer. Text that resembles JSON
 * is a broken answer, which the client reports.
 */
function chunkOf(data: string, isError = false): Chunk | string | null {
  const value = jsonOf(data);
  if (value === undefined) return /^\s*[[{]/.test(data) ? data : null;
  const chunk = fieldsOf(Array.isArray(value) ? (value as unknown[])[0] : value);
  const { choices } = chunk;
  const usage = usageOf(chunk.usage);
  const error = errorOf(chunk, isError);
  if (error) return { error };
  const id = typeof chunk.id === 'string' ? { id: chunk.id } : {};
  const more = { ...id, ...(usage ? { usage } : {}) };
  if (Array.isArray(choices) && choices.length > 0) {
    return { ...more, choices: choices.map(repairedChoice) };
  }
  return usage ? { ...more, choices: [] } : null;
}

/** An error where servers put it: in a field of that name, or in the place of a chunk. */
function errorOf(chunk: Fields, isError: boolean): Fields | null {
  const { error } = chunk;
  if (typeof error === 'string' && error !== '') return { message: error, ...(chunk.code ? { code: chunk.code } : {}) };
  if (typeof error === 'object' && error !== null) {
    const fields = fieldsOf(error);
    return { ...fields, message: textOf(fields.message ?? fields.detail ?? fields.msg) };
  }
  const isOne = isError || chunk.object === 'error' || chunk.type === 'error' || 'detail' in chunk;
  if (!isOne || chunk.choices) return null;
  const { type, code } = chunk;
  return {
    message: textOf(chunk.message ?? chunk.detail),
    ...(typeof type === 'string' ? { type } : {}),
    ...(code ? { code } : {}),
  };
}

/** Numbers that may be text, with their details. */
function usageOf(value: unknown): Fields | null {
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).map(([name, count]) => [
    name,
    typeof count === 'string' ? Number(count) : typeof count === 'object' ? usageOf(count) : count,
  ]);
  return Object.fromEntries(entries) as Fields;
}

/** Some servers send the whole message in place of a delta, or a completion's text. */
function repairedChoice(value: unknown, position: number): Choice {
  const choice = fieldsOf(value);
  const delta = fieldsOf(choice.delta ?? choice.message);
  const { finish_reason: reason } = choice;
  const { content = choice.text, tool_calls: calls, function_call: call } = delta;
  const given = calls ?? (call ? [{ function: call }] : null);
  const reasoning = [delta.reasoning_content, delta.reasoning].map(textOf).find(Boolean);
  const ended = isUnstreamed(choice) ? 'stop' : null;
  return {
    index: choice.index ?? position,
    finish_reason: reason === null || reason === undefined || reason === '' ? ended : String(reason),
    delta: {
      ...(content === null || content === undefined ? {} : { content: contentOf(content) }),
      ...(typeof delta.refusal === 'string' ? { refusal: delta.refusal } : {}),
      ...(reasoning ? { reasoning_content: reasoning } : {}),
      ...(given ? { tool_calls: [given].flat().map(repairedCall) } : {}),
    },
  };
}

/** A whole message is complete, even without a reason. */
const isUnstreamed = (choice: Fields): boolean => choice.delta === undefined && choice.message !== undefined;

/** Text, or parts as the client knows them. Anything else is unreadable. */
const contentOf = (content: unknown): unknown =>
  typeof content === 'object' && !Array.isArray(content) ? [content] : content;

/** Arguments are JSON in a string; some servers send the object itself. */
function repairedCall(value: unknown, position: number): Fields {
  const { index, id, type: _type, function: named, ...more } = fieldsOf(value);
  const { arguments: given, name } = fieldsOf(named);
  const input = given === undefined || given === null ? {} : { arguments: argumentsOf(given) };
  return {
    ...more,
    index: index === undefined || index === null ? position : Number(index),
    ...(id === undefined || id === null ? {} : { id: String(id) }),
    function: { ...(typeof name === 'string' ? { name: name.trim() } : {}), ...input },
  };
}

const argumentsOf = (given: unknown): string => (typeof given === 'string' ? given : JSON.stringify(given));

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
