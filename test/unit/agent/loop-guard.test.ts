import { describe, expect, test } from 'vitest';
import { askToSumUp, limitOf, sumUpWithoutModel } from '@docent/agent/last-message';
import type { CompactionMark } from '@docent/agent/compaction';
import { judgeLoop as judge, type TurnPart, type Verdict } from '@docent/agent/loop-guard';
import type { ToolResult } from '@docent/models/conversation/tool-call';
import type { ToolData } from '@docent/models/conversation/tool-data';
import type { TranscriptEntry } from '@docent/models/conversation/transcript';

const USER: TranscriptEntry = { role: 'user', no: 1, text: 'Fix it' };
let ids = 0;

type Made = [name: string, input: unknown, outcome: { data?: ToolData; changed?: string[]; text?: string } | 'refused'];
type Recorded = TranscriptEntry | CompactionMark;

/** A step: calls, and what they came to. What the files are known by afterwards, if they changed. */
function step(calls: Made[], state?: string): TranscriptEntry[] {
  const made = calls.map(([name, input, outcome]) => {
    const id = `c${(ids += 1)}`;
    const of = { callId: id, name, text: 'x' };
    const result: ToolResult =
      outcome === 'refused' ? { ...of, ok: false, reason: 'x' } : { ...of, ok: true, changed: [], ...outcome };
    return { call: { id, name, input }, result };
  });
  return [
    { role: 'assistant', text: '', toolCalls: made.map(({ call }) => call) },
    { role: 'tool', results: made.map(({ result }) => result), ...(state === undefined ? {} : { state }) },
  ];
}

const readCall = (path: string, first = 1, last = 50, version = 'v1'): Made => [
  'read',
  { path, offset: first, limit: last - first + 1 },
  { data: { tool: 'read', path, lines: { version, first, last, of: 100 }, titles: [] } },
];
const read = (...of: Parameters<typeof readCall>) => step([readCall(...of)]);
const fresh = (n: number) => read(`${n}.md`);
const searchCall = (query: string, hits: [path: string, ...lines: number[]][] = []): Made => [
  'search',
  { query },
  {
    data: {
      tool: 'search',
      matches: hits.length,
      files: hits.length,
      hits: hits.map(([path, ...lines]) => ({ path, version: 'v1', lines })),
    },
  },
];
const search = (...of: Parameters<typeof searchCall>) => step([searchCall(...of)]);
const list = (folders: string[], whole = true): Made => [
  'list',
  { folders },
  {
    data: {
      tool: 'list',
      site: { configured: false, extension: '.md', titles: 'headings' },
      matches: null,
      folders: { paths: folders, whole },
    },
  },
];
const check = (...targets: string[]): Made => [
  'check',
  {},
  {
    data: {
      tool: 'check',
      problems: targets.map((target) => ({ path: 'a.md', code: 'missing-page', target })),
      doubt: null,
      elsewhere: null,
    },
  },
];
const refusal = (i: number) => step([['edit', { path: 'a.md', oldText: `wrong ${i}` }, 'refused']]);
const edit = (from: string, to: string, state = `with ${to}`) =>
  step([['edit', { path: 'a.md', oldText: from, newText: to }, { changed: ['a.md'] }]], state);
const times = (n: number, make: (i: number) => Recorded[]) => Array.from({ length: n }, (_, i) => make(i)).flat();
const look = () => read('a.md');
const lookEitherWay = (i: number): Made => [
  'read',
  i % 2 ? { path: 'a.md', limit: 5 } : { limit: 5, path: 'a.md' },
  readCall('a.md')[2],
];
const fruitless = (i: number) => search(`word ${i}`);
const many = (i: number) => step(Array.from({ length: 10 }, (_, k) => searchCall(`word ${i}.${k}`)));
const again = (i: number) => search(`word ${i}`, [['a.md', 3 + i, 7]]);
const told = (text: string) => step([['read', { path: text }, { text }]]);
const change = (i: number) => step([['edit', { i }, { changed: ['a.md'] }]]);
const problems: TranscriptEntry = { role: 'notice', kind: 'problems', text: 'Broken link.' };

/**
 * The turn as it is recorded: each answer begins a step. A mark says from which step on the conversation is
 * whole.
 */
function judgeLoop(entries: readonly Recorded[]): Verdict {
  const parts: TurnPart[] = [];
  let stepNo = 0;
  for (const entry of entries) {
    if (entry.role === 'assistant') stepNo++;
    const at = { turnNo: 1, stepNo };
    if (entry.role === 'compaction') parts.push({ ...at, entries: [], mark: entry });
    else parts.push({ ...at, entries: [entry], mark: null });
  }
  return judge(parts);
}

/** Everything before step `step` was left out. */
const shortened = (step: number): CompactionMark => ({ role: 'compaction', turn: 1, step, form: 'digest' });

describe('an agent that repeats itself', () => {
  test('gets a hint at the third same call, and stopped at the fifth', () => {
    expect(judgeLoop([USER, ...times(2, look)])).toEqual({ kind: 'go-on' });
    expect(judgeLoop([USER, ...times(3, look)])).toMatchObject({
      kind: 'warn',
      text: expect.stringContaining('3 times'),
    });
    expect(judgeLoop([USER, ...times(5, look)])).toEqual({
      kind: 'stop',
      limit: {
        code: 'limit_repeated_calls',
        message: 'The agent was stopped: it made the same call of read 5 times with the same result.',
      },
    });
  });

  test('is seen through other steps in between, and whatever the order of its inputs', () => {
    const steps = times(5, (i) => [...step([lookEitherWay(i)]), ...fresh(i)]);
    // The last step is one of the others: the repeated call is judged when it is made.
    expect(judgeLoop([USER, ...steps.slice(0, -2)])).toMatchObject({ limit: { code: 'limit_repeated_calls' } });
  });

  test('is stopped when it puts in and takes out the same text', () => {
    const flips = times(5, () => [...edit('a', 'b'), ...edit('b', 'a')]);
    expect(judgeLoop([USER, ...flips])).toMatchObject({ kind: 'stop' });
  });

  test('and no less when it does so in ever other words', () => {
    const flips = times(5, (i) => [...edit(`a ${i}`, `b ${i}`, 'B'), ...edit(`b ${i}`, `a ${i}`, 'A')]);
    expect(judgeLoop([USER, ...flips])).toMatchObject({ limit: { code: 'limit_no_progress' } });
  });

  test('may check and read again after each change, as often as it works on', () => {
    const steps = times(30, (i) => [
      ...edit(`text ${i}`, `new ${i}`),
      ...step([check(), list(['']), readCall('a.md')]),
    ]);
    expect(judgeLoop([USER, ...steps])).toEqual({ kind: 'go-on' });
  });

  test('may make one call twice in one answer', () => {
    const same = list(['']);
    expect(judgeLoop([USER, ...step([same, same, same])])).toEqual({ kind: 'go-on' });
  });

  test('begins again with what the user or the checks say, but not with its own warning', () => {
    const warning: TranscriptEntry = { role: 'notice', kind: 'repeating', text: 'Stop that.' };
    const cut: TranscriptEntry = { role: 'notice', text: 'Your last answer was cut off.' };
    expect(judgeLoop([USER, ...times(3, look), warning, ...times(2, look)]).kind).toBe('stop');
    expect(judgeLoop([USER, ...times(3, look), cut, ...times(2, look)]).kind).toBe('stop');
    expect(judgeLoop([USER, ...times(4, look), problems, ...look()]).kind).toBe('go-on');
    expect(judgeLoop([USER, ...times(4, look), { ...USER, no: 2 }, ...look()]).kind).toBe('go-on');
  });
});

describe('an agent without progress', () => {
  test('gets a hint after four steps of refusals, and stopped after eight', () => {
    expect(judgeLoop([USER, ...times(3, refusal)])).toEqual({ kind: 'go-on' });
    expect(judgeLoop([USER, ...times(4, refusal)])).toMatchObject({ kind: 'warn' });
    expect(judgeLoop([USER, ...times(8, refusal)])).toEqual({
      kind: 'stop',
      limit: {
        code: 'limit_no_progress',
        message: 'The agent was stopped: it changed nothing and found nothing new in 8 steps.',
      },
    });
  });

  test('gets a hint after eight searches that find nothing, whatever their words, and stopped after sixteen', () => {
    expect(judgeLoop([USER, ...times(7, fruitless)])).toEqual({ kind: 'go-on' });
    expect(judgeLoop([USER, ...times(8, fruitless)])).toMatchObject({ kind: 'warn' });
    expect(judgeLoop([USER, ...times(16, fruitless)])).toMatchObject({
      limit: { message: expect.stringContaining('in 16 steps') },
    });
    expect(judgeLoop([USER, ...times(8, many)])).toMatchObject({ kind: 'warn' });
  });

  test('does not count finding lines again that were already shown', () => {
    expect(judgeLoop([USER, ...read('a.md'), ...times(8, again)])).toMatchObject({ kind: 'warn' });
    expect(judgeLoop([USER, ...read('a.md', 1, 2), ...times(8, again)])).toEqual({ kind: 'go-on' });
    const parts = (i: number) => read('a.md', 1 + i, 20 + i);
    expect(judgeLoop([USER, ...read('a.md'), ...times(8, parts)])).toMatchObject({ kind: 'warn' });
    const globs = (i: number) => step([['list', { glob: `*${i}` }, list(['', 'guides'], false)[2]]]);
    expect(judgeLoop([USER, ...step([list(['', 'guides'])]), ...times(8, globs)])).toMatchObject({ kind: 'warn' });
  });

  test('makes progress with anything new that it sees, and with any change', () => {
    const news = [
      fresh(1),
      read('a.md', 1, 50, 'v2'),
      search('x', [['b.md', 4]]),
      step([list(['guides'])]),
      step([check('/nope')]),
      edit('a', 'b'),
      step([searchCall('nothing'), readCall('c.md')]),
    ];
    for (const entries of news) {
      const turn = [USER, ...read('a.md'), ...times(7, refusal), ...entries, ...times(3, refusal)];
      expect(judgeLoop(turn).kind).toBe('go-on');
    }
    expect(judgeLoop([USER, ...times(40, fresh)])).toEqual({ kind: 'go-on' });
  });

  test('of tools without data is recognized by its text', () => {
    expect(judgeLoop([USER, ...times(40, (i) => told(`page ${i}`))])).toEqual({ kind: 'go-on' });
    expect(judgeLoop([USER, ...times(40, () => told('the same'))])).toMatchObject({ kind: 'stop' });
    expect(judgeLoop([USER, ...times(40, change)])).toEqual({ kind: 'go-on' });
  });
});

describe('an agent whose conversation was shortened', () => {
  const pages = times(10, fresh);

  test('may read again what was left out of it', () => {
    expect(judgeLoop([USER, ...pages, ...pages])).toMatchObject({ kind: 'stop' });
    expect(judgeLoop([USER, ...pages, shortened(11), ...pages])).toEqual({ kind: 'go-on' });
    expect(judgeLoop([USER, ...pages, shortened(11), ...pages, ...edit('a', 'b')])).toEqual({ kind: 'go-on' });
  });

  test('makes no progress with what it still sees', () => {
    const last = times(8, (i) => read('9.md', 1 + i, 20 + i));
    expect(judgeLoop([USER, ...pages, shortened(10), ...last])).toMatchObject({ kind: 'warn' });
  });

  test('gets a hint when all that it did was to read again until it was shortened again, and stopped the third time', () => {
    const twice = [USER, ...pages, shortened(11), ...pages, shortened(21)];
    expect(judgeLoop([...twice, ...fresh(1)])).toMatchObject({
      kind: 'warn',
      text: expect.stringContaining('page by'),
    });
    const thrice = [...twice, ...pages, shortened(31), ...fresh(1)];
    expect(judgeLoop(thrice)).toEqual({
      kind: 'stop',
      limit: {
        code: 'limit_no_progress',
        message:
          "The agent was stopped: it changed nothing, and filled the model's window 3 times with text that it had read before.",
      },
    });
    // A change, or a page that it never read, makes it work.
    expect(judgeLoop([...twice, ...edit('a', 'b'), shortened(22), ...fresh(1)])).toEqual({ kind: 'go-on' });
    expect(judgeLoop([...twice, ...fresh(77), shortened(22), ...fresh(1)])).toEqual({ kind: 'go-on' });
    expect(judgeLoop([...twice, problems, ...fresh(1)])).toEqual({ kind: 'go-on' });
  });

  test('is not held to what was shortened in an earlier turn', () => {
    const mark: CompactionMark = { role: 'compaction', turn: 0, step: 40, form: 'trimmed' };
    expect(judgeLoop([USER, mark, ...pages, ...fresh(1)])).toEqual({ kind: 'go-on' });
  });
});

describe('the last message', () => {
  const limit = { code: 'limit_steps', message: 'The agent reached the limit of 50 steps.' } as const;

  test('is known by its record, so that a retry ends the turn in the same way', () => {
    expect(limitOf([askToSumUp(limit), { role: 'assistant', text: 'Done so far', toolCalls: [] }])).toEqual(limit);
    expect(limitOf([USER, { role: 'assistant', text: 'Done', toolCalls: [] }])).toBeNull();
  });

  test('names what was changed if the model says nothing', () => {
    const text = sumUpWithoutModel(
      limit,
      Array.from({ length: 25 }, (_, i) => `p${i}.md`),
    );
    expect(text).toContain('The agent reached the limit of 50 steps.');
    expect(text).toContain('- p19.md\n- and 5 more');
    expect(sumUpWithoutModel(limit, [])).toContain('Nothing was changed.');
  });
});
