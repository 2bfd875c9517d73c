import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { presentCalls } from '../../../src/api/presenters/job-calls.ts';
import { findSecrets } from '@docent/find-secrets/find-secrets';
import { awsKey, fakeSecrets } from '../../support/fake-secrets.ts';

const answer = (input: unknown, id = 'c1', name = 'edit') => ({
  role: 'assistant',
  text: 'I edit.',
  toolCalls: [{ id, name, input }],
});
const results = (text: string, ok = true) => ({
  role: 'tool',
  results: [{ callId: 'c1', name: 'edit', ok, text, ...(ok ? { changed: [] } : { reason: text }) }],
});

describe('the calls of a step', () => {
  test('have what was given and what came of it, each at its call, and nothing if it still runs', async () => {
    const said = { role: 'user', no: 2, text: 'And this.' };
    const shown = await presentCalls(
      [said, answer({ path: 'a.md', lines: [1, 2] })],
      [results('No such page.', false)],
      [],
    );
    expect(shown).toEqual([
      {
        name: 'edit',
        arguments: [
          { name: 'path', value: 'a.md', cut: false },
          { name: 'lines', value: '[\n  1,\n  2\n]', cut: false },
        ],
        result: { ok: false, text: 'No such page.', cut: false },
      },
    ]);
    expect((await presentCalls([answer({})], [], []))[0]).toEqual({ name: 'edit', arguments: [], result: null });
    expect(await presentCalls([], [], [])).toEqual([]);
  });

  test.each(['not JSON {', 7, null, true])('shows what a model wrote instead of arguments: %j', async (input) => {
    const [call] = await presentCalls([answer(input)], [], []);
    expect(call?.arguments).toEqual([{ name: '', value: String(input), cut: false }]);
  });

  test('stay small however much a model writes', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`name ${i}`, 'word '.repeat(3_000)]));
    const [call] = await presentCalls([answer(many)], [results('🙂 '.repeat(9_000))], []);
    expect(JSON.stringify(call).length).toBeLessThan(8_000);
    expect(call?.arguments.map(({ cut }) => cut)).toEqual(Array.from({ length: 20 }, () => true));
    expect(call?.result).toMatchObject({ cut: true });
    const step = {
      role: 'assistant',
      text: '',
      toolCalls: Array.from({ length: 300 }, (_, i) => ({ id: `${i}`, name: 'read' })),
    };
    expect(await presentCalls([step], [], [])).toHaveLength(100);
  });

  test('contain no secret at any position, even a truncated one, except those that the project allows', async () => {
    for (const [kind, secret] of Object.entries(fakeSecrets())) {
      for (const text of [
        secret,
        `# Page\n\n${secret}\n`,
        `${'x'.repeat(1_900)}\n${secret}\n${'rest '.repeat(4_000)}`,
      ]) {
        const given = { text, nested: { deep: [`first\n${text}`] } };
        const shown = JSON.stringify(await presentCalls([answer(given)], [results(text)], []));
        expect(shown.includes(secret.slice(0, 60)), kind).toBe(false);
        if (!text.startsWith('x')) expect(shown, kind).toContain('[secret]');
      }
    }
    const key = awsKey();
    const [found] = await findSecrets(key);
    const [call] = await presentCalls([answer({ text: key })], [], [found?.id ?? '']);
    expect(call?.arguments[0]?.value).toBe(key);
  });

  test('are what they are for whatever a model wrote', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.string(), async (input, text) => {
        const [call] = await presentCalls([answer(input)], [results(text)], []);
        expect(call?.arguments.length).toBeLessThanOrEqual(20);
        expect(call?.result?.ok).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
