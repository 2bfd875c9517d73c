import { describe, expect, test } from 'vitest';
import { createModels } from '../../../../src/agent/models/models.ts';

const NONE = { apiKey: undefined, baseUrl: undefined };

/** What a model answers whose server sends this. */
function answerTo(body: string | ReadableStream<Uint8Array>, type = 'text/event-stream') {
  const models = createModels({
    providers: {
      anthropic: NONE,
      openai: NONE,
      'openai-compatible': { apiKey: undefined, baseUrl: 'http://models.example.com/v1' },
    },
    overrides: {},
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
const CALL = { id: 'call1', type: 'function', function: { name: 'read', arguments: { path: 'a.md' } } };

describe('an answer is read where its server also sends', () => {
  test.each<[string, string]>([
    ['a ping', events({ type: 'ping' }, words('Fixed '), words('3 links.'), END)],
    ['a ping that is no JSON', events('ping', words('Fixed 3 links.'), END)],
    ['a warning', events({ warning: 'model is slow' }, words('Fixed 3 links.'), END)],
    ['chunks without choices', events({ id: 'c', choices: null }, { id: 'c' }, words('Fixed 3 links.'), END)],
    ['comments', `: keep-alive\n\n${events(words('Fixed 3 links.'), END)}`],
    ['a delta that is null', events({ id: 'c', choices: [{ index: 0, delta: null }] }, words('Fixed 3 links.'), END)],
  ])('%s', async (_what, body) => {
    expect(await answerTo(body)).toMatchObject({ text: 'Fixed 3 links.', toolCalls: [] });
  });

  test('its usage in a chunk of its own, without choices', async () => {
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
