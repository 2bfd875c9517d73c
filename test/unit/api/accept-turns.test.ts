import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { AcceptTurns } from '../../../src/api/accept-turns.ts';

/** Work that ends on request. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<string>();
  let begun = false;
  return { open: () => resolve('done'), begun: () => begun, work: () => ((begun = true), promise) };
}

test('one job of a project is accepted at a time, and another project does not wait', async () => {
  const turns = new AcceptTurns();
  const [first, second, other] = [gate(), gate(), gate()];
  const results = [turns.take('a', first.work), turns.take('a', second.work), turns.take('b', other.work)];
  await sleep(5);
  expect([first.begun(), second.begun(), other.begun()]).toEqual([true, false, true]);
  first.open();
  await results[0];
  second.open();
  other.open();
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done']);
});

test('a job that cannot be accepted fails for its own client only', async () => {
  const turns = new AcceptTurns();
  const failed = turns.take('a', () => Promise.reject(new Error('no such branch')));
  const next = turns.take('a', () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('no such branch');
  expect(await next).toBe('done');
});

test('a burst is accepted; a flood that would wait too long is refused at once, with the time to try again', async () => {
  const turns = new AcceptTurns();
  const now = performance.now.bind(performance);
  let laterMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
  const quick = Array.from({ length: 200 }, () => turns.take('a', () => Promise.resolve('done')));
  const slow = Array.from({ length: 4 }, () => turns.take('a', () => Promise.resolve((laterMs += 1_200))));
  await slow[0];
  // Each takes 1.2 s, and a pause.
  const refused = turns.take('a', () => Promise.resolve('done'));
  await expect(refused).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  expect(await Promise.all(quick)).toHaveLength(200);
  expect(await Promise.all(slow)).toHaveLength(4);
  expect(await turns.take('a', () => Promise.resolve('again'))).toBe('again');
  vi.restoreAllMocks();
});

test('while the database hangs, those that wait are not kept waiting for each one before them', async () => {
  const turns = new AcceptTurns();
  const hanging = gate();
  const work = vi.fn(() => Promise.resolve('done'));
  const first = turns.take('a', hanging.work);
  const others = Promise.allSettled([turns.take('a', work), turns.take('a', work)]);
  await sleep(5);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 6_000);
  hanging.open();
  await first;
  expect(await others).toMatchObject([{ reason: { code: 'unavailable' } }, { reason: { code: 'unavailable' } }]);
  expect(work).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
