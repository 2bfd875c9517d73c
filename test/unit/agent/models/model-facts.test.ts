import { MODEL_OPTIONS } from '../../../support/models.ts';
import { describe, expect, test } from 'vitest';
import { costInNanoUsd } from '@docent/models/cost';
import { factsOf, readModelOverrides } from '@docent/models/model-facts';
import { parseModelId } from '@docent/models/model-id';
import { createModels, type ModelsOptions } from '@docent/models/models';

const none = { apiKey: undefined, baseUrl: undefined };
const options: ModelsOptions = {
  providers: { anthropic: { ...none, baseUrl: 'https://api.anthropic.com' }, openai: none, 'openai-compatible': none },
  ...MODEL_OPTIONS,
  limits: { idleMs: 1_000, totalMs: 1_000 },
};

describe('the cost of an answer', () => {
  test('is the sum of what was read, cached, written to the cache, and written', () => {
    const { price } = factsOf('anthropic', 'claude-sonnet-4-5-20250929', {});
    const usage = { inputTokens: 10_000, cachedInputTokens: 6_000, cacheWriteTokens: 3_000, outputTokens: 500 };
    // 1,000 × $3 + 6,000 × $0.30 + 3,000 × $3.75 + 500 × $15, for a million.
    expect(costInNanoUsd(usage, price)).toBe(23_550_000);
  });

  test('is not known for a model whose price is not, and a guess at a relative is not taken', () => {
    expect(factsOf('anthropic', 'claude-sonnet-5-turbo', {}).price).toBeNull();
    expect(factsOf('openai', 'claude-sonnet-5', {}).price).toBeNull();
    expect(
      costInNanoUsd({ inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1 }, null),
    ).toBeNull();
  });

  test('is that of the model that an ARN of Bedrock names', () => {
    const id = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
    const named = factsOf('amazon-bedrock', `arn:aws:bedrock:us-east-1:123456789012:inference-profile/${id}`, {});
    expect(named).toEqual(factsOf('amazon-bedrock', id, {}));
    expect(named.price).not.toBeNull();
    const own = factsOf('amazon-bedrock', 'arn:aws:bedrock:us-east-1:1:application-inference-profile/a1b2c3', {});
    expect(own.price).toBeNull();
  });

  test('follows the file of the operator, which may give part of what is known', () => {
    const overrides = readModelOverrides(
      '{"openai-compatible/qwen3":{"contextTokens":40960,"price":{"input":0.5,"output":1},"images":true},"openai/gpt-5.4":{"maxOutputTokens":9000}}',
    );
    expect(factsOf('openai-compatible', 'qwen3', overrides)).toEqual({
      contextTokens: 40_960,
      maxOutputTokens: null,
      price: { input: 0.5, cachedInput: 0.5, cacheWrite: 0.5, output: 1 },
      images: true,
    });
    expect(factsOf('openai', 'gpt-5.4', overrides)).toMatchObject({
      contextTokens: 272_000,
      maxOutputTokens: 9_000,
      price: { input: 2.5 },
    });
  });

  test.each(['no json', '{"a/b": {"price": {"input": -1, "output": 1}}}', '{"a/b": {"prise": 1}}', '[]'])(
    'says where the file is wrong: %s',
    (text) => {
      expect(() => readModelOverrides(text)).toThrow(/\w/);
    },
  );
});

describe('the name of a model', () => {
  test('says the provider and the model, slashes in it included', () => {
    expect(parseModelId('openai-compatible/Qwen/Qwen3-32B')).toEqual({
      provider: 'openai-compatible',
      model: 'Qwen/Qwen3-32B',
    });
    expect(parseModelId('builtin')).toEqual({ provider: 'builtin' });
    for (const wrong of ['gpt-5', 'acme/x', 'openai/', 'openai/ x', '/x', 'builtin/x', `openai/${'x'.repeat(200)}`]) {
      expect(parseModelId(wrong), wrong).toMatch(/anthropic\/<model>/);
    }
  });

  test('has a sentence about the missing setting if it cannot work', () => {
    const models = createModels(options);
    expect(models.find('builtin').id).toBe('builtin');
    expect(() => models.find('anthropic/claude-sonnet-5')).toThrow(/set ANTHROPIC_API_KEY/);
    expect(() => models.find('anthropic/claude-sonnet-5')).toThrow(/docent model key set/);
    expect(() => models.find('openai-compatible/qwen3')).toThrow(/set OPENAI_COMPATIBLE_BASE_URL.*Ollama/);
  });
});
