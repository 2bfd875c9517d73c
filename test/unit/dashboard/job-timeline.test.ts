import type { JobEvent } from '@docent/client';
import { expect, test } from 'vitest';
import { emptyTimeline, shownOf, take, type Timeline } from '../../../packages/dashboard/src/pages/jobs/timeline.ts';

const event = (no: number, type: JobEvent['type'], turn: number | null, data: JobEvent['data'] = null): JobEvent => ({
  no,
  type,
  turn,
  data,
  text: `Event ${no}.`,
  createdAt: '2026-11-23T10:00:00.000Z',
});
const call = { id: 'c1', name: 'read', summary: 'read index.mdx' };
const result = { id: 'c1', name: 'read', ok: true, changed: [], summary: 'index.mdx' };

const stepOf = (timeline: Timeline) => timeline.turns[1]?.parts.find((part) => part.kind === 'step')?.step;

function told(...events: JobEvent[]): { timeline: Timeline; next: (...more: JobEvent[]) => Timeline } {
  const working = emptyTimeline();
  let timeline = emptyTimeline();
  const next = (...more: JobEvent[]) => {
    for (const each of more) take(working, each);
    timeline = shownOf(working, timeline);
    return timeline;
  };
  return { timeline: next(...events), next };
}

test('a shown turn is a new object after an addition, and the same object otherwise', () => {
  const { timeline: first, next } = told(
    event(1, 'turn_started', 1),
    event(2, 'turn_ended', 1),
    event(3, 'turn_started', 2),
    event(4, 'step', 2, { step: 1, words: 'I read.', calls: [call] }),
  );
  const second = next(event(5, 'tools', 2, { step: 1, results: [result] }));
  expect(second.turns[0]).toBe(first.turns[0]);
  expect(second.turns[1]).not.toBe(first.turns[1]);
  expect(second.turns[1]?.parts).not.toBe(first.turns[1]?.parts);
  expect([stepOf(first)?.isOver, stepOf(first)?.results.size]).toEqual([false, 0]);
  expect([stepOf(second)?.isOver, stepOf(second)?.results.size]).toEqual([true, 1]);
  expect(next().turns[1]).toBe(second.turns[1]);
  expect(next(event(6, 'step', 2, { step: 2, calls: [] })).turns[1]?.parts).toHaveLength(3);
  expect(second.turns[1]?.parts, 'what was shown stays as it was').toHaveLength(2);
});

test('shows events outside of turns, and a replay changes nothing', () => {
  const { timeline: first, next } = told(event(1, 'created', null), event(2, 'archived', null));
  expect(first.others.map(({ no }) => no)).toEqual([2]);
  const again = next(event(1, 'created', null), event(2, 'archived', null));
  expect(again.others).toBe(first.others);
  expect(again.counts).toEqual({ created: 1, archived: 1 });
});
