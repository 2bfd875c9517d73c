import { EventSourceParserStream } from 'eventsource-parser/stream';
import { fieldsOf, jsonOf } from '../json-fields.ts';

type Fields = Record<string, unknown>;

/**
 * A `fetch` for servers whose chat answers only resemble OpenAI's. Drops other chunks (pings, warnings), adds
 * the fields that the client needs, and turns an unstreamed answer into a stream. Passes on everything else.
 */
export function tolerantChat(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    if (!response.ok || !response.body) return response;
    const type = response.headers.get('content-type') ?? '';
    if (type.includes('text/event-stream')) return streamOf(repaired(response.body), response);
    if (!type.includes('application/json') || !isStreamAsked(init?.body)) return response;
    const whole = await response.text();
    const chunks = chunksOf(whole);
    return chunks === null ? new Response(whole, response) : streamOf(encoded(chunks), response);
  };
}

function streamOf(body: ReadableStream<Uint8Array>, { status }: Response): Response {
  return new Response(body, { status, headers: { 'content-type': 'text/event-stream' } });
}

const isStreamAsked = (body: unknown): boolean => typeof body === 'string' && fieldsOf(jsonOf(body)).stream === true;

function repaired(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream())
    .pipeThrough(
      new TransformStream<{ data: string }, string>({
        transform({ data }, controller) {
          const chunk = repairedData(data);
          if (chunk !== null) controller.enqueue(eventOf(chunk));
        },
      }),
    )
    .pipeThrough(new TextEncoderStream());
}

const eventOf = (data: string) => `data: ${data}\n\n`;
const encoded = (chunks: readonly string[]): ReadableStream<Uint8Array> =>
  new Blob([...chunks, '[DONE]'].map(eventOf)).stream();

/** The data of an event as the client needs it; null for events outside the answer. */
function repairedData(data: string): string | null {
  if (data.trim() === '[DONE]') return data;
  const value = jsonOf(data);
  // Not JSON: if it looks like it, the answer is broken, which the client reports.
  if (value === undefined) return /^\s*[[{]/.test(data) ? data : null;
  const chunk = fieldsOf(value);
  if ('error' in chunk) return data;
  if (Array.isArray(chunk.choices)) return JSON.stringify({ ...chunk, choices: chunk.choices.map(repairedChoice) });
  return chunk.usage ? JSON.stringify({ ...chunk, choices: [] }) : null;
}

function repairedChoice(value: unknown): Fields {
  const choice = fieldsOf(value);
  const delta = fieldsOf(choice.delta);
  const { tool_calls: calls } = delta;
  return { ...choice, delta: Array.isArray(calls) ? { ...delta, tool_calls: calls.map(repairedCall) } : delta };
}

/** Arguments are JSON in a string; some servers send the object itself. */
function repairedCall(value: unknown, index: number): Fields {
  const call = fieldsOf(value);
  const { arguments: given, ...named } = fieldsOf(call.function);
  const isObject = typeof given === 'object' && given !== null;
  const input = given === undefined || given === null ? {} : { arguments: isObject ? JSON.stringify(given) : given };
  return { index, ...call, function: { ...named, ...input } };
}

/** An answer that is not streamed as the chunks of one that is. Null for anything else. */
function chunksOf(text: string): string[] | null {
  const answer = fieldsOf(jsonOf(text));
  if (!Array.isArray(answer.choices)) return null;
  const { choices, usage, ...head } = answer;
  const asChunks = (choices as unknown[]).map((value) => {
    const { message, ...choice } = fieldsOf(value);
    return JSON.stringify({ ...head, choices: [repairedChoice({ ...choice, delta: message })] });
  });
  return usage ? [...asChunks, JSON.stringify({ ...head, choices: [], usage })] : asChunks;
}
