import { afterEach, describe, expect, test } from 'vitest';
import { testModel } from '../../src/activities/requests/check-model.ts';
import type { Models } from '@docent/models/model';
import { createModels } from '@docent/models/models';
import { MODEL_OPTIONS, modelsAt, TEST_KEY } from '../support/models.ts';
import {
  chatAnswer,
  startScriptedProvider,
  type ScriptedAnswer,
  type ScriptedProvider,
} from '../support/scripted-provider.ts';

let provider: ScriptedProvider | undefined;
afterEach(() => provider?.close());

const { signal } = new AbortController();
const ask = (models: Models, model = 'openai-compatible/local', ms?: number) =>
  testModel({ model }, { models }, { signal }, ms);

/** Under load, silence is longer: only the provider that never answers has a short limit. */
async function answered(script: ScriptedAnswer): Promise<ReturnType<typeof testModel>> {
  provider = await startScriptedProvider([script]);
  return ask(modelsAt(provider.url), undefined, script.end === 'hang' ? 600 : 60_000);
}

const call = {
  tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'report', arguments: '{"word":"ready"}' } }],
};
const problem = (status: number, error: object): ScriptedAnswer => ({ status, body: [JSON.stringify({ error })] });

describe('a test of a model', () => {
  test('asks one short question with one tool, and reports the usage', async () => {
    const result = await answered({ body: [chatAnswer(call, 'tool_calls')] });
    expect(result).toEqual({ ok: true, ms: expect.any(Number), inputTokens: 50, outputTokens: 7, costUsd: null });
    expect(provider?.requests).toHaveLength(1);
    expect(JSON.stringify(provider?.requests[0]?.body).length).toBeLessThan(1_000);
  });

  test('knows a model that speaks but calls no tool: no job could work with it', async () => {
    expect(await answered({ body: [chatAnswer({ content: 'ready' })] })).toMatchObject({
      ok: false,
      code: 'model_no_tool_call',
      message: expect.stringContaining('--enable-auto-tool-choice'),
    });
  });

  test.each<[string, ScriptedAnswer, string, RegExp]>([
    [
      'a wrong key',
      problem(401, { message: `Incorrect API key: ${TEST_KEY}` }),
      'model_key',
      /OPENAI_COMPATIBLE_API_KEY/,
    ],
    ['an unknown model', problem(404, { message: 'no such model' }), 'model_unknown', /local/],
    ['a broken server', problem(500, { message: 'oh' }), 'model_unavailable', /500|oh/],
    ['silence', { end: 'hang' }, 'model_unavailable', /did not answer within 0\.6 seconds/],
  ])('tells %s, and shows no key', async (_what, script, code, words) => {
    const result = await answered(script);
    expect(result).toMatchObject({ ok: false, code, message: expect.stringMatching(words) });
    expect(JSON.stringify(result)).not.toContain(TEST_KEY);
  });

  test('reports an unreachable server and a missing key or address; builtin needs neither', async () => {
    expect(await ask(modelsAt('http://127.0.0.1:9/v1'))).toMatchObject({ ok: false, code: 'model_unavailable' });
    const nothing = { apiKey: undefined, baseUrl: undefined };
    const models = createModels({
      providers: {
        anthropic: { ...nothing, baseUrl: 'http://127.0.0.1:9' },
        openai: nothing,
        'openai-compatible': nothing,
      },
      ...MODEL_OPTIONS,
      limits: { idleMs: 1_000, totalMs: 1_000 },
    });
    expect(await ask(models, 'anthropic/x')).toMatchObject({
      code: 'model_key',
      message: expect.stringContaining('set ANTHROPIC_API_KEY'),
    });
    expect(await ask(models, 'openai-compatible/x')).toMatchObject({
      code: 'model_key',
      message: expect.stringContaining('set OPENAI_COMPATIBLE_BASE_URL'),
    });
    expect(await ask(models, 'acme/x')).toMatchObject({ code: 'model_unknown' });
    expect(await ask(models, 'builtin')).toMatchObject({ ok: true, costUsd: 0 });
  });
});
