import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextInQueue, type QueuedProject } from '../../../src/jobs/queue.ts';

const waiting = (...nos: number[]) => nos.map((queueNo) => ({ id: `j${queueNo}`, queueNo }));

describe('the next job', () => {
  test('is who has waited longest, as many as there are slots', () => {
    const project: QueuedProject = { taken: 1, limit: 4, waiting: waiting(3, 4, 9, 12, 13) };
    expect(nextInQueue(10, [project])).toEqual(['j3', 'j4', 'j9']);
    expect(nextInQueue(2, [project])).toEqual(['j3', 'j4']);
    expect(nextInQueue(0, [project])).toEqual([]);
    expect(nextInQueue(-3, [project])).toEqual([]);
  });

  test('is the project with the fewest at work, not the one with the most to do', () => {
    const noisy: QueuedProject = { taken: 5, limit: 100, waiting: waiting(1, 2, 3, 4, 5, 6) };
    const quiet: QueuedProject = { taken: 0, limit: 100, waiting: waiting(50) };
    expect(nextInQueue(1, [noisy, quiet])).toEqual(['j50']);
    expect(nextInQueue(3, [noisy, quiet])).toEqual(['j50', 'j1', 'j2']);
  });

  const projects = fc.array(
    fc.record({
      taken: fc.integer({ min: 0, max: 6 }),
      limit: fc.integer({ min: 1, max: 5 }),
      count: fc.integer({ min: 0, max: 8 }),
    }),
    { maxLength: 6 },
  );

  test('is never more than are free and allowed, never fewer, and in each project the first ones', () => {
    fc.assert(
      fc.property(projects, fc.integer({ min: -2, max: 12 }), (given, free) => {
        const all = given.map(({ taken, limit, count }, p) => ({
          taken,
          limit,
          waiting: Array.from({ length: count }, (_, i) => ({ id: `${p}.${i}`, queueNo: i * given.length + p })),
        }));
        const next = nextInQueue(free, all);
        const taken = all.map((_, p) => next.filter((id) => id.startsWith(`${p}.`)));
        all.forEach((project, p) => {
          expect(taken[p]).toEqual(project.waiting.slice(0, taken[p]?.length).map(({ id }) => id));
        });
        const allowed = all.map(({ taken, limit, waiting: w }) => Math.min(w.length, Math.max(0, limit - taken)));
        all.forEach((_, p) => expect(taken[p]?.length).toBeLessThanOrEqual(allowed[p] ?? 0));
        expect(next).toHaveLength(
          Math.max(
            0,
            Math.min(
              free,
              allowed.reduce((sum, n) => sum + n, 0),
            ),
          ),
        );
      }),
    );
  });
});
