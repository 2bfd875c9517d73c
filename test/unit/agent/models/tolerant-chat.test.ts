import { MODEL_OPTIONS } from '../../../support/models.ts';
import { describe, expect, test } from 'vitest';
import { createModels } from '@docent/models/models';

const NONE = { apiKey: undefined, baseUrl: undefined };

/** What a model answers whose server sends this. */
function answerTo(body: string | ReadableStream<Uint8Array>, type = 'text/event-stream') {
  const models = createModels({
    providers: {
      anthropic: NONE,
      openai: NONE,
      'openai-compatible': { apiKey: undefined, baseUrl: 'http://models.example.com/v1' },
    },
    ...MODEL_OPTIONS,
    limits: { idleMs: 5_000, totalMs: 5_000 },
    fetch: async () => new Response(body, { headers: { 'content-type': type } }),
  });
  const request = {
    system: '',
    transcript: [{ role: 'user' as const, no: 1, text: 'Fix links' }],
    tools: [{ name: 'read', description: 'Reads', inputSchema: { type: 'object' } }],
  };
  return models.find('openai-compatible/m').respond(request, { signal: new AbortController().signal });
}

const events = (...chunks: unknown[]) =>
  [...chunks, '[DONE]']
    .map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`)
    .join('');
const words = (content: string, more: object = {}) => ({
  id: 'c',
  choices: [{ index: 0, delta: { content }, ...more }],
});
const END = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const TEXT = { type: 'text', text: 'Fixed 3 links.' };
const CALL = { id: 'call1', type: 'function', function: { name: 'read', arguments: { path: 'a.md' } } };

describe('an answer is read where its server also sends', () => {
  test.each<[string, string]>([
    ['a ping', events({ type: 'ping' }, words('Fixed '), words('3 links.'), END)],
    ['a ping that is no JSON', events('ping', words('Fixed 3 links.'), END)],
    ['a warning', events({ warning: 'model is slow' }, words('Fixed 3 links.'), END)],
    ['chunks without choices', events({ id: 'c', choices: null }, { id: 'c' }, words('Fixed 3 links.'), END)],
    ['comments', `: keep-alive\n\n${events(words('Fixed 3 links.'), END)}`],
    ['a delta that is null', events({ id: 'c', choices: [{ index: 0, delta: null }] }, words('Fixed 3 links.'), END)],
    ['usage as text', events(words('Fixed 3 links.'), { ...END, usage: { prompt_tokens: '7', total_tokens: '9' } })],
    [
      'fields of other types',
      events({ ...words('Fixed 3 links.'), id: 7, created: '2026', model: 1, error: null }, END),
    ],
    ['the role of another API', events({ choices: [{ delta: { role: 'model', content: 'Fixed 3 links.' } }] }, END)],
    ['a message in place of a delta', events({ choices: [{ message: { content: 'Fixed 3 links.' } }] })],
    ['a completion', events({ choices: [{ index: 0, text: 'Fixed 3 links.' }] }, END)],
    ['the text as an object', events({ choices: [{ delta: { content: TEXT } }] }, END)],
    ['reasoning as an object', events({ choices: [{ delta: { reasoning: {}, content: 'Fixed 3 links.' } }] }, END)],
    ['a number as reason', events(words('Fixed 3 links.', { finish_reason: 1 }))],
    [
      'two chunks in one event',
      `data: ${JSON.stringify(words('Fixed '))}\ndata: ${JSON.stringify(words('3 links.'))}\n\n${events(END)}`,
    ],
    ['no empty lines', `${events(words('Fixed '), words('3 links.'), END).replaceAll('\n\n', '\n')}\n`],
    ['a choice that is in no list', events({ choices: { delta: { content: 'Fixed 3 links.' } } }, END)],
    ['a delta that is text', events({ choices: [{ index: 0, delta: 'Fixed 3 links.' }] }, END)],
    [
      'the text in parts',
      events({ choices: [{ delta: { content: ['Fixed ', { type: 'output_text', text: '3 links.' }] } }] }, END),
    ],
    [
      'text with a value',
      events({ choices: [{ delta: { content: [{ type: 'text', text: { value: 'Fixed 3 links.' } }] } }] }, END),
    ],
    ['chunks in a field', events({ result: words('Fixed 3 links.') }, { result: END })],
    [
      'the whole message again at its end',
      events(words('Fixed '), words('3 links.'), {
        choices: [{ message: { content: 'Fixed 3 links.' }, finish_reason: 'stop' }],
      }),
    ],
    ['an end in quotes', `data: ${JSON.stringify(words('Fixed 3 links.'))}\n\ndata: "[DONE]"\n\n`],
    ['no reason, but an end', events(words('Fixed 3 links.'))],
    ['something behind the end', `${events(words('Fixed 3 links.'), END)}data: {bad\n\n`],
    ['no empty line at the end', `data: ${JSON.stringify(words('Fixed 3 links.', { finish_reason: 'stop' }))}`],
  ])('%s', async (_what, body) => {
    expect(await answerTo(body)).toMatchObject({ text: 'Fixed 3 links.', toolCalls: [] });
  });

  test.each(['text/plain', 'application/json', 'application/octet-stream'])('events as %s', async (type) => {
    expect(await answerTo(events(words('Fixed 3 links.'), END), type)).toMatchObject({ text: 'Fixed 3 links.' });
  });

  test.each(['application/x-ndjson', 'text/event-stream', 'text/plain'])('JSON as %s', async (type) => {
    const lines = [words('Fixed 3 links.'), END].map((chunk) => JSON.stringify(chunk)).join('\n');
    expect(await answerTo(lines, type)).toMatchObject({ text: 'Fixed 3 links.' });
    const whole = { choices: [{ message: { role: 'assistant', content: 'Fixed 3 links.', tool_calls: null } }] };
    expect(await answerTo(JSON.stringify(whole, null, 2), type)).toMatchObject({ text: 'Fixed 3 links.' });
  });

  test.each<[string, unknown]>([
    ['in the older form', { function_call: { name: 'read', arguments: '{"path": "a.md"}' } }],
    ['in a field in camel case', { toolCalls: [CALL] }],
    ['without a function', { tool_calls: [{ id: 'call1', name: 'read', arguments: { path: 'a.md' } }] }],
    ['with an input', { tool_calls: [{ id: 'call1', type: 'tool_use', name: 'read', input: { path: 'a.md' } }] }],
    ['that is not in a list', { tool_calls: CALL }],
    ['with a number as id and text as index', { tool_calls: [{ ...CALL, id: 5, index: '0' }] }],
    ['with spaces around its name', { tool_calls: [{ ...CALL, function: { ...CALL.function, name: ' read ' } }] }],
  ])('a call %s', async (_what, delta) => {
    const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
    expect((await answerTo(events({ choices: [{ index: 0, delta }] }, end))).toolCalls).toMatchObject([
      { name: 'read', input: { path: 'a.md' } },
    ]);
  });

  test('its usage in its own chunk, without choices', async () => {
    const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
    const answer = await answerTo(events(words('Fixed 3 links.'), END, { id: 'c', usage }));
    expect(answer).toMatchObject({ text: 'Fixed 3 links.', usage: { inputTokens: 7, outputTokens: 3 } });
  });

  test('the arguments of a call as an object', async () => {
    const end = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
    const answer = await answerTo(events({ id: 'c', choices: [{ index: 0, delta: { tool_calls: [CALL] } }] }, end));
    expect(answer.toolCalls).toMatchObject([{ name: 'read', input: { path: 'a.md' } }]);
  });

  test('all of it at once, not streamed', async () => {
    const message = { role: 'assistant', content: 'I read it.', tool_calls: [CALL] };
    const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
    const whole = { id: 'c', choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage };
    expect(await answerTo(JSON.stringify(whole), 'application/json')).toMatchObject({
      text: 'I read it.',
      toolCalls: [{ name: 'read', input: { path: 'a.md' } }],
      usage: { inputTokens: 7, outputTokens: 3 },
    });
  });
});

describe('an error is read in the place of an answer', () => {
  const error = { message: 'prompt is too long: 3000 tokens > 2000 maximum' };
  test.each<[string, string]>([
    ['as a field', events({ error })],
    ['as text', events({ error: error.message })],
    ['as a chunk of vLLM', events({ object: 'error', ...error, code: 400 })],
    ['as a detail', events({ detail: error.message })],
    ['as an event of its kind', `event: error\ndata: ${JSON.stringify(error)}\n\n`],
    ['with status 200, not streamed', JSON.stringify({ error })],
    ['in a list, not streamed', JSON.stringify({ success: false, errors: [error] })],
    ['beside a code, not streamed', JSON.stringify({ code: 'InvalidParameter', ...error, request_id: 'r' })],
    [
      'in the form of MiniMax',
      JSON.stringify({ choices: null, base_resp: { status_code: 2013, status_msg: 'context window exceeds limit' } }),
    ],
  ])('%s', async (_where, body) => {
    await expect(answerTo(body)).rejects.toMatchObject({ code: 'model_context' });
  });
});

test('a reason in the words of another API is understood', async () => {
  expect(await answerTo(events(words('Fixed', { finish_reason: 'MAX_TOKENS' })))).toMatchObject({ stop: 'cut' });
  expect(await answerTo(events(words('No', { finish_reason: 'sensitive' })))).toMatchObject({ stop: 'refused' });
  for (const reason of ['error', 'network_error', 'insufficient_system_resource']) {
    const failed = { code: 'model_unavailable', passing: true };
    await expect(answerTo(events(words('Fixed', { finish_reason: reason })))).rejects.toMatchObject(failed);
  }
});

describe('unusable answers are reported to the model, which is asked again', () => {
  test.each([
    ['JSON that is broken', 'data: {"choices": [{"delta": \n\n', 'text/event-stream'],
    ['another shape', events({ id: 'c', choices: [{ index: 0, delta: { content: 7 } }] }), 'text/event-stream'],
  ])('%s', async (_what, body, type) => {
    await expect(answerTo(body, type)).rejects.toMatchObject({
      code: 'model_unavailable',
      passing: true,
      message: expect.stringMatching(/sent a response that Docent cannot read/),
    });
  });

  test.each(['', ': ping\n\n', events()])('an empty answer, %j', async (body) => {
    await expect(answerTo(body)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(/sent no answer that Docent can read/),
    });
  });

  test('an answer without an end', async () => {
    const body = events(words('Fixed ')).replace('data: [DONE]\n\n', '');
    await expect(answerTo(body)).rejects.toMatchObject({
      message: expect.stringMatching(/broke off in the middle of an answer/),
    });
  });

  test('a page in place of an answer', async () => {
    await expect(answerTo('<html>Welcome</html>', 'text/html')).rejects.toMatchObject({
      code: 'model_unavailable',
      passing: true,
      message: expect.not.stringMatching(/could not be reached|502/),
    });
  });

  test('a connection that breaks behind the first words', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(words('Fixed '))}\n\n`));
        setTimeout(() => controller.error(new TypeError('terminated')), 10);
      },
    });
    await expect(answerTo(body)).rejects.toMatchObject({
      code: 'model_unavailable',
      passing: true,
      message: expect.stringMatching(/broke off in the middle of an answer/),
    });
  });
});
