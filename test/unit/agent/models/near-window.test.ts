import { APICallError, type LanguageModelV4 } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { redact } from '../../../../src/platform/log.ts';
import { createProviderModel } from '@docent/models/providers/provider-model';

const refusal = () =>
  new APICallError({
    message: 'Bad Request',
    url: 'u',
    requestBodyValues: {},
    statusCode: 400,
    responseBody: '{}',
    isRetryable: false,
    responseHeaders: {},
  });
const client = { doStream: () => Promise.reject(refusal()) } as unknown as LanguageModelV4;

const model = createProviderModel({
  id: 'openai-compatible/m',
  asked: {
    provider: 'openai-compatible',
    label: 'The server',
    model: 'm',
    keyVariable: 'KEY',
    baseUrl: 'http://models.example.com/v1',
    key: '',
    redact,
  },
  facts: { contextTokens: 8_000, maxOutputTokens: null, price: null, images: false },
  limits: { idleMs: 1_000, totalMs: 1_000 },
  fetch,
  load: async () => () => client,
  probeHeaders: {},
  providerOptions: () => ({}),
});
const asking = (text: string) =>
  model.respond(
    { system: '', transcript: [{ role: 'user', no: 1, text }], tools: [] },
    { signal: new AbortController().signal },
  );

test('a refusal without a reason is taken for too long near the window, and for itself otherwise', async () => {
  await expect(asking('word '.repeat(8_000))).rejects.toMatchObject({ code: 'model_context' });
  await expect(asking('word')).rejects.toMatchObject({ code: 'model_rejected', passing: false });
});
