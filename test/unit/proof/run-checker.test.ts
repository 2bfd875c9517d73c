import { expect, test } from 'vitest';
import {
  wrongEvents,
  wrongRuns,
  wrongSignals,
  type EventRow,
  type RunRow,
} from '../../faults/proof/checker/automations.ts';
import type { LedgerAutomation } from '../../faults/proof/checker/ledger-file.ts';

const HOOK: LedgerAutomation = {
  id: 'a',
  trigger: 'webhook',
  createdAt: '2026-11-27T10:01:00.000Z',
  deliveries: ['d1', 'd2'],
  jobs: [],
};
const END = new Date('2026-11-27T10:40:00Z');
const event = (id: string, run: string | null = 'r1'): EventRow => ({ delivery_id: id, state: 'done', run_id: run });
const signal = (page: string, id = page): EventRow => ({ ...event(id), page });
const RUN: RunRow = { id: 'r1', status: 'review_needed', events: 2, job_id: 'j1' };
const BOTH = [event('d1'), event('d2')];

test('nothing is wrong with two events in one run', () => {
  expect(wrongEvents(HOOK, BOTH, END)).toEqual([]);
  expect(wrongRuns(HOOK, { runs: [RUN], events: BOTH, jobs: ['j1'] })).toEqual([]);
  const called = { ...HOOK, trigger: 'api' as const, deliveries: [], jobs: ['j1', 'j2'] };
  const runs = [RUN, { ...RUN, id: 'r2', job_id: 'j2' }].map((run) => ({ ...run, events: 1 }));
  expect(wrongRuns(called, { runs, events: [], jobs: ['j1', 'j2'] })).toEqual([]);
});

test.each<[string, RunRow[], EventRow[], string[], RegExp]>([
  [
    'a run of its own for an event',
    [RUN, { ...RUN, id: 'r2', events: 1, job_id: 'j2' }],
    BOTH,
    ['j1', 'j2'],
    /stand for 3/,
  ],
  ['an event in no run', [{ ...RUN, events: 1 }], [event('d1'), event('d2', null)], ['j1'], /d2 of a is done/],
  ['an event that waits', [RUN], [event('d1'), { ...event('d2'), state: 'waiting' }], ['j1'], /d2 of a is waiting/],
  ['a run that failed', [{ ...RUN, status: 'failed' }], BOTH, ['j1'], /r1 of a is failed/],
  ['a run without a job', [{ ...RUN, job_id: null }], BOTH, [], /r1 of a is review_needed/],
  ['a second job of a run', [RUN], BOTH, ['j1', 'j2'], /Job j2 of a has no run/],
  ['a job of two runs', [RUN, { ...RUN, id: 'r2', events: 0 }], BOTH, ['j1'], /Two runs of a/],
])('finds %s', (_what, runs, events, jobs, wrong) => {
  expect(wrongRuns(HOOK, { runs, events, jobs }).join('\n')).toMatch(wrong);
});

test('finds events that are lost, or that were never sent, and times that passed without a run', () => {
  expect(wrongEvents(HOOK, [event('d1'), event('d3')], END)).toHaveLength(2);
  const schedule = { ...HOOK, trigger: 'schedule' as const, deliveries: [] };
  expect(wrongEvents(schedule, [event('2026-11-27T10:15:00.000Z')], END)).toEqual([
    'Event 2026-11-27T10:30:00.000Z of a is not there.',
  ]);
});

test("finds readers' feedback that is lost, starts no run, starts two, or too early", () => {
  const readers = { id: 'a', deliveries: ['/a', '/a', '/a', '/b', '/b'] };
  const stored = [
    { path: '/a', n: 4, visitors: 3 },
    { path: '/b', n: 3, visitors: 2 },
  ];
  expect(wrongSignals(readers, [signal('/a')], stored)).toEqual([]);
  expect(wrongSignals(readers, [], stored)).toEqual(['3 agents with feedback on /a started no run of a.']);
  expect(wrongSignals(readers, [signal('/a'), signal('/a', 'again'), signal('/b')], stored)).toEqual([
    '2 events of a are about /a, with 3 agents.',
    '1 events of a are about /b, with 2 agents.',
  ]);
  const lost = stored.filter(({ path }) => path === '/a');
  expect(wrongSignals(readers, [signal('/a')], lost)).toEqual(['Of 2 messages about /b, 0 are there.']);
});
