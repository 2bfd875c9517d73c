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
  let hasBegun = false;
  const parser = createParser({
    onEvent({ data, event }) {
      for (const part of linesIn(data)) {
        if (isDone) return;
        isDone = DONE.test(part);
        for (const chunk of isDone ? [] : chunksOf(part, { isError: event === 'error', hasBegun })) {
          controller.enqueue(eventOf(chunk));
          for (const { delta, finish_reason: reason } of typeof chunk === 'object' ? (chunk.choices ?? []) : []) {
            const hasMore = Object.keys(delta).length > 0;
            hasBegun ||= hasMore;
            isUnfinished = reason === null && (isUnfinished || hasMore);
          }
        }
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
      const chunks = linesIn(whole).flatMap((part) => chunksOf(part));
      for (const chunk of [...chunks, '[DONE]']) controller.enqueue(eventOf(chunk));
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

const DONE = /^\s*"?\[?done\]?"?\s*$/i;

/** A value, or one a line. */
const linesIn = (data: string): string[] =>
  jsonOf(data) === undefined ? data.split('\n').filter((line) => line.trim() !== '') : [data];

interface Position {
  /** The event is named an error. */
  isError?: boolean;
  /** Parts of the answer came before. */
  hasBegun?: boolean;
}

/**
 * An event's data as the client needs it; empty for what is not part of the answer. Text that resembles JSON
 * is a broken answer, which the client reports.
 */
function chunksOf(data: string, position: Position = {}): (Chunk | string)[] {
  const value = jsonOf(data);
  if (value === undefined) return /^\s*[[{]/.test(data) ? [data] : [];
  return [value].flat().flatMap((one) => chunkOf(fieldsOf(one), position) ?? []);
}

function chunkOf(outer: Fields, { isError = false, hasBegun = false }: Position): Chunk | null {
  const wrapped = ['data', 'result', 'response'].map((name) => fieldsOf(outer[name])).find((one) => 'choices' in one);
  const chunk = 'choices' in outer ? outer : (wrapped ?? outer);
  const choices = choicesIn(chunk.choices);
  const usage = usageOf(chunk.usage);
  const error = errorOf(chunk, isError);
  if (error) return { error };
  const id = typeof chunk.id === 'string' ? { id: chunk.id } : {};
  const more = { ...id, ...(usage ? { usage } : {}) };
  if (choices.length > 0) {
    return { ...more, choices: choices.map((choice, i) => repairedChoice(choice, i, hasBegun)) };
  }
  return usage ? { ...more, choices: [] } : null;
}

/** An error where servers put it: in a field of that name, or in the place of a chunk. */
function errorOf(chunk: Fields, isError: boolean): Fields | null {
  const { error } = chunk;
  const codeInChunk = chunk.code ?? (typeof chunk.status === 'number' ? chunk.status : undefined);
  if (typeof error === 'string' && error !== '') {
    const message = [error, chunk.message].map(textOf).filter(Boolean).join(': ');
    return { message, ...(codeInChunk ? { code: codeInChunk } : {}) };
  }
  if (typeof error === 'object' && error !== null) {
    const fields = fieldsOf(error);
    return { ...fields, message: textOf(fields.message ?? fields.detail ?? fields.msg) };
  }
  if (chunk.choices) return failedChoice(chunk.choices);
  const [first] = [chunk.errors].flat().map(fieldsOf);
  const { status_code: result, status_msg: said } = fieldsOf(chunk.base_resp);
  const isNamed =
    chunk.object === 'error' || chunk.type === 'error' || 'detail' in chunk || first?.message !== undefined;
  if (!isError && !isNamed && !(result && said) && !(chunk.code && typeof chunk.message === 'string')) return null;
  const { type, code } = chunk;
  return {
    message: textOf(chunk.message ?? chunk.detail ?? first?.message ?? said),
    ...(typeof type === 'string' ? { type } : {}),
    ...(code ? { code } : {}),
  };
}

/** An answer that its server gave up, whatever came before. */
function failedChoice(choices: unknown): Fields | null {
  const reason = choicesIn(choices)
    .map((choice) => textOf(fieldsOf(choice).finish_reason))
    .find(Boolean);
  return reason !== undefined &&
    /^(?:error|failed|abort(?:ed)?|network_error|insufficient_system_resource)$/i.test(reason)
    ? { message: `The answer ended with: ${reason}` }
    : null;
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

/** A list, or a single choice, or choices by their numbers. */
function choicesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const fields = fieldsOf(value);
  return 'delta' in fields || 'message' in fields ? [fields] : Object.values(fields);
}

/**
 * Some servers send the whole message in place of a delta, or a completion's text.
 * @param hasBegun a whole message then repeats what came before
 */
function repairedChoice(value: unknown, position: number, hasBegun: boolean): Choice {
  const choice = fieldsOf(value);
  const given = choice.delta ?? (hasBegun ? {} : choice.message);
  const delta = typeof given === 'string' ? { content: given } : fieldsOf(given);
  const { finish_reason: reason } = choice;
  const { content = choice.text, tool_calls: calls = delta.toolCalls, function_call: call } = delta;
  const written = calls ?? (call ? [{ function: call }] : null);
  const reasoning = [delta.reasoning_content, delta.reasoning].map(textOf).find(Boolean);
  const ended = isUnstreamed(choice) ? 'stop' : null;
  return {
    index: choice.index ?? position,
    finish_reason: reason === null || reason === undefined || reason === '' ? ended : reasonOf(String(reason)),
    delta: {
      ...(content === null || content === undefined ? {} : { content: contentOf(content) }),
      ...(typeof delta.refusal === 'string' ? { refusal: delta.refusal } : {}),
      ...(reasoning ? { reasoning_content: reasoning } : {}),
      ...(written ? { tool_calls: [written].flat().map(repairedCall) } : {}),
    },
  };
}

/** Reasons in the words of other APIs that mean more than an end. */
function reasonOf(reason: string): string {
  if (/^(?:max_?(?:output_?)?tokens?|max_?length|token_?limit|model_length)$/i.test(reason)) return 'length';
  return /^(?:safety|sensitive|prohibited_content|refusal)$/i.test(reason) ? 'content_filter' : reason;
}

/** A whole message is complete, even without a reason. */
const isUnstreamed = (choice: Fields): boolean => choice.delta === undefined && choice.message !== undefined;

/** Text, alone or in parts of any form, else parts as the client knows them. Anything else is unreadable. */
function contentOf(content: unknown): unknown {
  const parts = [content].flat();
  const texts = parts.map(textOfPart);
  return texts.includes(null) ? parts : texts.join('');
}

function textOfPart(part: unknown): string | null {
  if (typeof part === 'string') return part;
  const { type = 'text', text } = fieldsOf(part);
  const plain = typeof text === 'string' ? text : fieldsOf(text).value;
  return (type === 'text' || type === 'output_text') && typeof plain === 'string' ? plain : null;
}

/** Arguments are JSON in a string; some servers send the object itself. */
function repairedCall(value: unknown, position: number): Fields {
  const {
    index,
    id,
    type: _type,
    function: named,
    name: ownName,
    arguments: own,
    input: ownInput,
    ...more
  } = fieldsOf(value);
  const { arguments: given = own ?? ownInput, name = ownName } = fieldsOf(named);
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
