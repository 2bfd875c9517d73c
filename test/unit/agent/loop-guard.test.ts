import { describe, expect, test } from 'vitest';
import { askToSumUp, limitOf, sumUpWithoutWords } from '../../../src/agent/last-message.ts';
import { judgeLoop } from '../../../src/agent/loop-guard.ts';
import type { ToolResult } from '../../../src/agent/tools/tool-call.ts';
import type { TranscriptEntry } from '../../../src/agent/transcript.ts';

const USER: TranscriptEntry = { role: 'user', no: 1, text: 'Fix it' };
let ids = 0;

type Made = [name: string, input: unknown, text: string, outcome?: { changed: string[] } | 'refused'];

/** A step: calls, and what they came to. */
function step(...calls: Made[]): TranscriptEntry[] {
  const made = calls.map(([name, input, text, outcome = { changed: [] }]) => {
    const id = `c${(ids += 1)}`;
    const of = { callId: id, name, text };
    const result: ToolResult =
      outcome === 'refused' ? { ...of, ok: false, reason: text } : { ...of, ok: true, changed: outcome.changed };
    return { call: { id, name, input }, result };
  });
  return [
    { role: 'assistant', text: '', toolCalls: made.map(({ call }) => call) },
    { role: 'tool', results: made.map(({ result }) => result) },
  ];
}

const look = () => step(['read', { path: 'a.md', limit: 5 }, 'a.md\n1\tx']);
const lookTheOtherWay = () => step(['read', { limit: 5, path: 'a.md' }, 'a.md\n1\tx']);
const refusal = (i: number) => step(['edit', { path: 'a.md', oldText: `wrong ${i}` }, `no such text ${i}`, 'refused']);
const edit = (from: string, to: string) =>
  step(['edit', { path: 'a.md', oldText: from, newText: to }, `Replaced ${from}.`, { changed: ['a.md'] }]);
const fresh = (n: number) => step(['read', { path: `${n}.md` }, `page ${n}`]);
const times = (n: number, make: (i: number) => TranscriptEntry[]) =>
  Array.from({ length: n }, (_, i) => make(i)).flat();

const claiming = (i: number) => step(['read', { path: `${i}.md` }, `A page that says, ${i}:\nChanged: "a.md"`]);
/** The same, told in other words. */
const reworded = (entries: TranscriptEntry[]): TranscriptEntry[] =>
  entries.map((entry) =>
    entry.role === 'tool'
      ? { ...entry, results: entry.results.map((one) => ({ ...one, text: `#${one.text.length}#${one.text}` })) }
      : entry,
  );

describe('an agent that repeats itself', () => {
  test('is told at the third same call with the same result, and stopped at the fifth', () => {
    expect(judgeLoop([USER, ...times(2, look)])).toEqual({ kind: 'go-on' });
    expect(judgeLoop([USER, ...times(3, look)])).toMatchObject({
      kind: 'warn',
      text: expect.stringContaining('3 times'),
    });
    expect(judgeLoop([USER, ...times(5, look)])).toEqual({
      kind: 'stop',
      limit: {
        code: 'limit_repeated_calls',
        message: 'The agent made the same call of read 5 times with the same result, and was stopped.',
      },
    });
  });

  test('is seen through other steps in between, and whatever the order of its inputs', () => {
    const steps = times(5, (i) => [...(i % 2 ? look() : lookTheOtherWay()), ...fresh(i)]);
    // The last step is one of the others: the repeated call is judged when it is made.
    expect(judgeLoop([USER, ...steps.slice(0, -2)])).toMatchObject({ limit: { code: 'limit_repeated_calls' } });
  });

  test('is stopped when it puts in and takes out the same text', () => {
    const flips = times(5, () => [...edit('a', 'b'), ...edit('b', 'a')]);
    expect(judgeLoop([USER, ...flips])).toMatchObject({ limit: { code: 'limit_repeated_calls' } });
  });

  test('may check and read again after each change, as often as it works on', () => {
    const steps = times(30, (i) => [
      ...edit(`text ${i}`, 'new'),
      ...step(['check', {}, 'Checked 9 pages: your changes introduced no problems.'], ['list', {}, 'the same']),
    ]);
    expect(judgeLoop([USER, ...steps])).toEqual({ kind: 'go-on' });
  });

  test('is known by what its calls came to, whatever the words', () => {
    for (const turn of [times(5, look), times(5, () => [...edit('a', 'b'), ...edit('b', 'a')]), times(8, refusal)]) {
      expect(judgeLoop([USER, ...reworded(turn)])).toEqual(judgeLoop([USER, ...turn]));
    }
    const looks = times(5, (i) => [...claiming(i), ...look()]);
    expect(judgeLoop([USER, ...looks])).toMatchObject({ limit: { code: 'limit_repeated_calls' } });
  });

  test('may make one call twice in one answer', () => {
    const same: [string, unknown, string] = ['list', {}, 'the same'];
    expect(judgeLoop([USER, ...step(same, same, same)])).toEqual({ kind: 'go-on' });
  });

  test('begins anew with what the user or the checks say, but not with its own warning', () => {
    const warning: TranscriptEntry = { role: 'notice', kind: 'repeating', text: 'Stop that.' };
    const problems: TranscriptEntry = { role: 'notice', kind: 'problems', text: 'Broken link.' };
    expect(judgeLoop([USER, ...times(3, look), warning, ...times(2, look)]).kind).toBe('stop');
    expect(judgeLoop([USER, ...times(4, look), problems, ...look()]).kind).toBe('go-on');
    expect(judgeLoop([USER, ...times(4, look), { ...USER, no: 2 }, ...look()]).kind).toBe('go-on');
  });
});

describe('an agent without progress', () => {
  test('is told after four steps of refusals, and stopped after eight', () => {
    expect(judgeLoop([USER, ...times(3, refusal)])).toEqual({ kind: 'go-on' });
    expect(judgeLoop([USER, ...times(4, refusal)])).toMatchObject({ kind: 'warn' });
    expect(judgeLoop([USER, ...times(8, refusal)])).toEqual({
      kind: 'stop',
      limit: {
        code: 'limit_no_progress',
        message: 'The agent changed nothing and found nothing new in 8 steps, and was stopped.',
      },
    });
  });

  test('makes progress with anything new that it sees, and with any change', () => {
    expect(judgeLoop([USER, ...times(7, refusal), ...fresh(1), ...times(3, refusal)]).kind).toBe('go-on');
    expect(judgeLoop([USER, ...times(7, refusal), ...edit('a', 'b'), ...times(3, refusal)]).kind).toBe('go-on');
    expect(judgeLoop([USER, ...times(40, fresh)])).toEqual({ kind: 'go-on' });
  });
});

describe('the last message', () => {
  const limit = { code: 'limit_steps', message: 'The agent used up its 50 steps.' } as const;

  test('is known by its record, so that a retry ends the turn in the same way', () => {
    expect(limitOf([askToSumUp(limit), { role: 'assistant', text: 'Done so far', toolCalls: [] }])).toEqual(limit);
    expect(limitOf([USER, { role: 'assistant', text: 'Done', toolCalls: [] }])).toBeNull();
  });

  test('names what was changed where the model says nothing', () => {
    const text = sumUpWithoutWords(
      limit,
      Array.from({ length: 25 }, (_, i) => `p${i}.md`),
    );
    expect(text).toContain('The agent used up its 50 steps.');
    expect(text).toContain('- p19.md\n- and 5 more');
    expect(sumUpWithoutWords(limit, [])).toContain('Nothing was changed.');
  });
});
