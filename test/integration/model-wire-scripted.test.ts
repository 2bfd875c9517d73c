import { afterEach, describe, expect, test } from 'vitest';
import { ModelProblem, type Model, type ModelRequest } from '@docent/models/model';
import { Secret } from '../../src/platform/secret.ts';
import { ASKED, modelAt, requestOf, TEST_KEY } from '../support/models.ts';
import {
  anthropicBeginning,
  anthropicEnd,
  chatAnswer,
  startScriptedProvider,
  type ScriptedAnswer,
  type ScriptedProvider,
} from '../support/scripted-provider.ts';

const signal = new AbortController().signal;
const open: ScriptedProvider[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

async function provider(...script: ScriptedAnswer[]): Promise<ScriptedProvider> {
  const server = await startScriptedProvider(script);
  open.push(server);
  return server;
}

const claude = (url: string) => modelAt('anthropic/claude-sonnet-5', url, { limits: { idleMs: 200, totalMs: 1_000 } });
const local = (url: string) => modelAt('openai-compatible/qwen3', url, { limits: { idleMs: 200, totalMs: 1_000 } });

const openai = (url: string) => modelAt('openai/gpt-5.4', `${url}/v1`, { limits: { idleMs: 200, totalMs: 1_000 } });
const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const error = (type: string) => event('error', { error: { type, message: 'No.' } });

function readOnce(id: string): ModelRequest['transcript'][number][] {
  const call = { id, name: 'read', input: { path: 'a.mdx' } };
  const result = { callId: id, name: 'read', ok: true as const, text: 'text', changed: [] };
  return [
    { role: 'assistant', text: '', toolCalls: [call] },
    { role: 'tool', results: [result] },
  ];
}

async function problemOf(model: Model): Promise<ModelProblem> {
  const outcome = await model.respond(requestOf(ASKED), { signal }).catch((err: unknown) => err);
  expect(outcome).toBeInstanceOf(ModelProblem);
  return outcome as ModelProblem;
}

describe('a provider with faults', () => {
  test('is aborted when it sends nothing: before its answer, and in the middle', async () => {
    for (const script of [
      { body: [], end: 'hang' },
      { body: [anthropicBeginning('Half')], end: 'hang' },
    ] as ScriptedAnswer[]) {
      const { url } = await provider(script);
      // Only silence can end it: the test does not wait for the total limit.
      const patient = modelAt('anthropic/claude-sonnet-5', url, { limits: { idleMs: 200, totalMs: 600_000 } });
      expect(await problemOf(patient)).toMatchObject({ code: 'model_unavailable', passing: true });
    }
  });

  test('is accepted while it sends keep-alives, and aborted when that never ends', async () => {
    const pings = Array.from({ length: 8 }, (): (string | number)[] => [
      60,
      'event: ping\ndata: {"type":"ping"}\n\n',
    ]).flat();
    const patient = await provider({ body: [anthropicBeginning('All of it'), ...pings, anthropicEnd()] });
    expect((await claude(patient.url).respond(requestOf(ASKED), { signal })).text).toBe('All of it');
    const endless = await provider({ body: [anthropicBeginning('Never'), ...pings, ...pings, ...pings] });
    expect((await problemOf(claude(endless.url))).message).toMatch(/longer than 1 s/);
  });

  test.each(['break', 'end'] as const)('gives no half answer when the connection comes to a %s', async (end) => {
    for (const [model, body] of [
      [claude, anthropicBeginning('The first half')],
      [local, chatAnswer({ content: 'The first half' }, null)],
      [
        local,
        chatAnswer(
          {
            tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"in' } }],
          },
          null,
        ),
      ],
    ] as const) {
      const { url } = await provider({ body: [body], end });
      expect(await problemOf(model(url))).toMatchObject({ code: 'model_unavailable', passing: true });
    }
  });

  test('distinguishes an overload within a stream from an invalid request', async () => {
    const busy = await provider({ body: [anthropicBeginning('Half'), error('overloaded_error')] });
    expect(await problemOf(claude(busy.url))).toMatchObject({ code: 'model_unavailable', passing: true });
    const strict = await provider({ body: [anthropicBeginning('Half'), error('invalid_request_error')] });
    expect(await problemOf(claude(strict.url))).toMatchObject({ code: 'model_rejected', passing: false });
  });

  test('is not followed elsewhere with the key', async () => {
    const elsewhere = await provider({ body: [anthropicBeginning('stolen'), anthropicEnd()] });
    const { url } = await provider({ status: 307, headers: { location: `${elsewhere.url}/v1/messages` } });
    const problem = await problemOf(claude(url));
    expect(problem).toMatchObject({ code: 'model_rejected', passing: false });
    expect(problem.message).toMatch(/redirects/);
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('that is missing, or answers nonsense, is a temporary problem', async () => {
    expect(await problemOf(claude('http://127.0.0.1:9'))).toMatchObject({ code: 'model_unavailable', passing: true });
    const nonsense = await provider({ headers: { 'content-type': 'text/html' }, body: ['<html>Bad gateway</html>'] });
    expect(await problemOf(claude(nonsense.url))).toMatchObject({ code: 'model_unavailable', passing: true });
  });

  test('may give the retry time as a date or in milliseconds', async () => {
    const inTen = new Date(Date.now() + 10_000).toUTCString();
    const date = await provider({ status: 429, headers: { 'retry-after': inTen }, body: ['{}'] });
    const { retryAfterMs } = await problemOf(claude(date.url));
    expect(retryAfterMs).toBeGreaterThan(7_000);
    expect(retryAfterMs).toBeLessThanOrEqual(10_000);
    const exact = await provider({
      status: 529,
      headers: { 'retry-after-ms': '1500', 'retry-after': '99' },
      body: ['{}'],
    });
    expect(await problemOf(claude(exact.url))).toMatchObject({ retryAfterMs: 1_500 });
  });

  test('that quotes a key back does not get it into a message', async () => {
    const said = {
      error: { type: 'invalid_request_error', message: `bad header x-api-key: ${TEST_KEY}, or sk-abc***xyz` },
    };
    const { url } = await provider({ status: 400, body: [JSON.stringify(said)] });
    const problem = await problemOf(claude(url));
    expect(problem.message).toMatch(/bad header/);
    expect(JSON.stringify([problem.message, problem.stack, problem.cause])).not.toMatch(/sk-/);
  });

  test('does not get a key of any other shape into one either', async () => {
    const apiKey = new Secret('quite-plain-words');
    const { url } = await provider({ status: 400, body: ['{"error":{"message":"not quite-plain-words, please"}}'] });
    const access = { apiKey, baseUrl: url };
    const problem = await problemOf(
      modelAt('openai-compatible/qwen3', url, {
        providers: { anthropic: access, openai: access, 'openai-compatible': access },
      }),
    );
    expect(problem.message).toContain('not [key], please');
  });
});

describe('malformed answers', () => {
  test('keep the arguments of a call as text if Anthropic sends no JSON', async () => {
    const [start] = anthropicBeginning('').split('event: content_block_start');
    const { url } = await provider({
      body: [
        start!,
        event('content_block_start', {
          index: 0,
          content_block: { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
        }),
        event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: '{"path": "inde' } }),
        anthropicEnd('max_tokens'),
      ],
    });
    const answer = await claude(url).respond(requestOf(ASKED), { signal });
    expect(answer).toMatchObject({
      stop: 'cut',
      toolCalls: [{ id: 'toolu_1', name: 'read', input: '{"path": "inde' }],
    });
  });

  test('are sent back to Anthropic in a valid form', async () => {
    const { url, requests } = await provider({ body: [anthropicBeginning('Done'), anthropicEnd()] });
    const said = {
      role: 'assistant' as const,
      text: ' ',
      toolCalls: [{ id: 'toolu_1', name: 'no such tool!', input: '{"path": "inde' }],
    };
    await claude(url).respond({ ...requestOf(ASKED, said), toolChoice: 'none' }, { signal });
    expect(requests[0]!.body).toMatchObject({
      tool_choice: { type: 'none' },
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', name: 'no_such_tool_', input: { unreadable: '{"path": "inde' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true }] },
      ],
    });
  });

  test("are cut or refused on OpenAI's wire too", async () => {
    const response = { id: 'resp_1', created_at: 1, model: 'gpt-5.4', service_tier: null };
    const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 6 }, output_tokens: 5 };
    const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    const part = { type: 'output_text', text: '', annotations: [] };
    const beginning = [
      event('response.created', { sequence_number: 0, response }),
      event('response.output_item.added', { sequence_number: 1, output_index: 0, item }),
      event('response.content_part.added', {
        sequence_number: 2,
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        part,
      }),
    ];
    const cut = await provider({
      body: [
        ...beginning,
        event('response.output_text.delta', {
          sequence_number: 3,
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          delta: 'Half a',
        }),
        event('response.incomplete', {
          sequence_number: 4,
          response: { ...response, incomplete_details: { reason: 'max_output_tokens' }, usage },
        }),
      ],
    });
    expect(await openai(cut.url).respond(requestOf(ASKED), { signal })).toMatchObject({ text: 'Half a', stop: 'cut' });
    const refused = await provider({
      body: [
        ...beginning,
        event('response.refusal.delta', {
          sequence_number: 3,
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          delta: 'No, I will not.',
        }),
        event('response.refusal.done', {
          sequence_number: 4,
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          refusal: 'No, I will not.',
        }),
        event('response.completed', { sequence_number: 5, response: { ...response, incomplete_details: null, usage } }),
      ],
    });
    expect(await openai(refused.url).respond(requestOf(ASKED), { signal })).toMatchObject({
      text: 'No, I will not.',
      stop: 'refused',
      usage: { inputTokens: 10, cachedInputTokens: 6, cacheWriteTokens: 0, outputTokens: 5 },
    });
    expect(refused.requests[0]!.body).toMatchObject({
      store: false,
      prompt_cache_key: 'job1',
      include: ['reasoning.encrypted_content'],
    });
  });
});

describe('caching', () => {
  test('is, at Anthropic, all up to the end of this request and of the previous one, with the system text', async () => {
    const { url, requests } = await provider({ body: [anthropicBeginning('Done'), anthropicEnd()] });
    const conversation = [ASKED, ...['a', 'b', 'c'].flatMap((id) => readOnce(id))];
    await claude(url).respond(requestOf(...conversation), { signal });
    const { system, messages, tools } = requests[0]!.body as Record<'system' | 'messages' | 'tools', object[]>;
    const marked = messages.map((message) => JSON.stringify(message).includes('cache_control'));
    expect(marked).toEqual([false, false, false, false, true, false, true]);
    expect(JSON.stringify(system)).toContain('cache_control');
    expect(JSON.stringify([system, messages, tools]).match(/cache_control/g)!.length).toBeLessThanOrEqual(4);
  });
});

describe('usage and stored answers', () => {
  test('counts tokens read from and written to the cache', async () => {
    const { url, requests } = await provider({ body: [anthropicBeginning('Hello'), anthropicEnd()] });
    const { usage } = await claude(url).respond(requestOf(ASKED), { signal });
    expect(usage).toEqual({ inputTokens: 180, cachedInputTokens: 60, cacheWriteTokens: 20, outputTokens: 25 });
    expect(requests[0]).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': TEST_KEY } });
  });

  test('guesses the tokens of a server that does not count, so that budgets mean something', async () => {
    const { url } = await provider({ body: [chatAnswer({ content: 'Done. '.repeat(20) }, 'stop', null)] });
    const { usage } = await local(url).respond(requestOf(ASKED), { signal });
    expect(usage.inputTokens).toBeGreaterThan(500);
    expect(usage.outputTokens).toBeGreaterThan(20);
  });

  test('gives every call its own id if a server counts from zero each time', async () => {
    const call = {
      tool_calls: [
        { index: 0, id: 'call_0', type: 'function', function: { name: 'read', arguments: '{"path":"a.mdx"}' } },
      ],
    };
    const { url } = await provider({ body: [chatAnswer(call, 'tool_calls')] });
    const model = local(url);
    const first = await model.respond(requestOf(ASKED), { signal });
    const said = { role: 'assistant' as const, text: '', toolCalls: first.toolCalls };
    const results = [{ callId: first.toolCalls[0]!.id, name: 'read', ok: true as const, text: 'text', changed: [] }];
    const second = await model.respond(requestOf(ASKED, said, { role: 'tool', results }), { signal });
    expect([first.toolCalls[0]!.id, second.toolCalls[0]!.id]).toEqual(['call_0', 'call_0-2']);
  });

  test("returns a model's reasoning to it in the provider's form", async () => {
    const [start] = anthropicBeginning('').split('event: content_block_start');
    const thinking = [
      start!,
      event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Let me see.' } }),
      event('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmVk' } }),
      event('content_block_stop', { index: 0 }),
      event('content_block_start', {
        index: 1,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
      }),
      event('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: '{"path":"a.mdx"}' } }),
      event('content_block_stop', { index: 1 }),
      event('message_delta', { delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } }),
      event('message_stop', {}),
    ];
    const { url, requests } = await provider(
      { body: thinking },
      { body: [anthropicBeginning('Done'), anthropicEnd()] },
    );
    const model = claude(url);
    const { text, toolCalls, native } = await model.respond(requestOf(ASKED), { signal });
    // As the database keeps it.
    const said = JSON.parse(JSON.stringify({ role: 'assistant', text, toolCalls, native })) as Parameters<
      typeof requestOf
    >[0];
    await model.respond(
      requestOf(ASKED, said, {
        role: 'tool',
        results: [{ callId: 'toolu_1', name: 'read', ok: true, text: 'a', changed: [] }],
      }),
      { signal },
    );
    expect(JSON.stringify(requests[1]!.body)).toContain('"thinking":"Let me see.","signature":"c2lnbmVk"');
  });
});

const json = (status: number, body: object): ScriptedAnswer => ({ status, body: [JSON.stringify(body)] });
const probed = async (id: string, answer: ScriptedAnswer) => {
  const server = await provider(answer);
  const base = id.startsWith('anthropic') ? server.url : `${server.url}/v1`;
  return { server, outcome: await modelAt(id, base).probe!(signal).catch((err: unknown) => err) };
};

describe('looking whether a model can be used', () => {
  test('reports a wrong key and an unknown model', async () => {
    const noKey = await probed('anthropic/claude-sonnet-5', json(401, { error: { type: 'authentication_error' } }));
    expect(noKey.outcome).toMatchObject({ code: 'model_key', message: expect.stringContaining('ANTHROPIC_API_KEY') });
    expect(noKey.server.requests[0]).toMatchObject({
      path: '/v1/models/claude-sonnet-5',
      headers: { 'x-api-key': TEST_KEY },
    });
    const noModel = await probed(
      'openai/gpt-99',
      json(404, { error: { code: 'model_not_found', message: 'No gpt-99.' } }),
    );
    expect(noModel.outcome).toMatchObject({ code: 'model_unknown', message: expect.stringContaining('No gpt-99.') });
    expect(noModel.server.requests[0]).toMatchObject({
      path: '/v1/models/gpt-99',
      headers: { authorization: `Bearer ${TEST_KEY}` },
    });
  });

  test('reports nothing if the server has no such route, is down, or redirects', async () => {
    for (const answer of [
      json(200, {}),
      json(404, { detail: 'Not Found' }),
      json(500, {}),
      { status: 302, headers: { location: 'http://127.0.0.1:9' } },
    ]) {
      expect((await probed('openai-compatible/Qwen/Qwen3', answer)).outcome).toBeUndefined();
    }
    expect(await modelAt('openai/gpt-5.4', 'http://127.0.0.1:9').probe!(signal)).toBeUndefined();
  });
});

test.each([
  ['openai/gpt-5.4', { reasoning: { effort: 'low' } }],
  ['openai/gpt-4.1', {}],
  ['openai-compatible/qwen3', { reasoning_effort: 'low' }],
  ['anthropic/claude-sonnet-5', { output_config: { effort: 'low' } }],
])('%s learns how much to think in its own words, and nothing where it is not set', async (id, told) => {
  const server = await provider({ status: 400, body: ['{"error":{"message":"No."}}'] });
  const model = modelAt(id, `${server.url}/v1`, { limits: { idleMs: 500, totalMs: 1_000 } });
  await model.respond({ ...requestOf(ASKED), effort: 'low' }, { signal }).catch(() => {});
  await model.respond(requestOf(ASKED), { signal }).catch(() => {});
  const [withEffort, without] = server.requests.map(({ body }) => body as Record<string, unknown>);
  expect(withEffort).toMatchObject(told);
  const { reasoning, reasoning_effort, output_config, thinking } = without!;
  expect([reasoning, reasoning_effort, output_config, thinking]).toEqual([undefined, undefined, undefined, undefined]);
  if (Object.keys(told).length === 0) expect(withEffort).toEqual(without);
});
