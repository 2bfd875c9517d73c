import { expect, test } from 'vitest';
import { guarded, TimeUp, withinTime } from '@docent/docs-check/read/time-limit';

test('ends work after its time at any point, and passes on its errors', () => {
  expect(() =>
    withinTime(100, () => {
      for (;;);
    }),
  ).toThrow(TimeUp);
  expect(() => withinTime(100, () => /^(a+)+$/.test(`${'a'.repeat(60)}b`))).toThrow(TimeUp);
  expect(() =>
    withinTime(10_000, () => {
      throw new RangeError('deep');
    }),
  ).toThrow(RangeError);
  expect(withinTime(10_000, () => 7)).toBe(7);
});

test('does not charge a page for time that the machine spends elsewhere', () => {
  const wait = new Int32Array(new SharedArrayBuffer(4));
  let runs = 0;
  const slow = () => {
    Atomics.wait(wait, 0, 0, 200);
    for (let i = 0; i < 1e6; i++);
    return ++runs;
  };
  expect(guarded(slow, 100)).toBe(1);
  expect(() =>
    guarded(() => {
      for (;;);
    }, 100),
  ).toThrow(TimeUp);
});
