import { MODEL_OPTIONS } from '../../../support/models.ts';
import { expect, test } from 'vitest';
import { createModels, type StoredAccess } from '@docent/models/models';
import type { ModelRequest } from '@docent/models/model';
import { Secret } from '../../../../src/platform/secret.ts';

const REQUEST: ModelRequest = { system: '', transcript: [{ role: 'user', no: 1, text: 'Hello' }], tools: [] };
const USUAL = { apiKey: undefined, baseUrl: 'https://api.anthropic.com' };

/** The keys that requests of a model were sent with. */
async function keysSent(stored: () => StoredAccess | null, own = USUAL, times = 1) {
  const sent: [string, string | null][] = [];
  const models = createModels({
    providers: { anthropic: own },
    ...MODEL_OPTIONS,
    limits: { idleMs: 5_000, totalMs: 5_000 },
    stored: async () => stored(),
    fetch: async (input, init) => {
      const { host } = new URL(input instanceof Request ? input.url : input);
      sent.push([host, new Headers(init?.headers).get('x-api-key')]);
      return Response.json({ type: 'error', error: { type: 'authentication_error', message: 'no' } }, { status: 401 });
    },
  });
  const problems: string[] = [];
  for (let i = 0; i < times; i += 1) {
    const model = await models.resolve('anthropic/claude-sonnet-5');
    const answer = model.respond(REQUEST, { signal: AbortSignal.timeout(5_000) });
    problems.push(await answer.then(String, (err: Error) => err.message));
  }
  return { sent, problems };
}

test('a stored key is used as it is now, and a wrong one is named as the stored one', async () => {
  const keys = ['sk-first', 'sk-second'];
  const { sent, problems } = await keysSent(
    () => ({ apiKey: new Secret(keys.shift() ?? ''), baseUrl: undefined }),
    USUAL,
    2,
  );
  expect(sent).toEqual([
    ['api.anthropic.com', 'sk-first'],
    ['api.anthropic.com', 'sk-second'],
  ]);
  expect(problems[0]).toMatch(/does not accept the key on the Model page/);
  expect(problems.join()).not.toContain('sk-');
});

test('a key in the environment takes precedence over a stored one', async () => {
  const own = { ...USUAL, apiKey: new Secret('sk-own') } as unknown as typeof USUAL;
  const { sent } = await keysSent(() => ({ apiKey: new Secret('sk-stored'), baseUrl: undefined }), own);
  expect(sent).toEqual([['api.anthropic.com', 'sk-own']]);
});

test('without either, the problem says where to enter one', async () => {
  const models = createModels({
    providers: { anthropic: USUAL },
    ...MODEL_OPTIONS,
    limits: { idleMs: 1, totalMs: 1 },
    stored: async () => null,
  });
  await expect(models.resolve('anthropic/claude-sonnet-5')).rejects.toThrow(/ANTHROPIC_API_KEY.*docent model key set/);
});
