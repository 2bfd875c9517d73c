import { expect, test } from 'vitest';
import { spend, withinWork } from '../../../src/docs-site/read/parse-work.ts';
import { TimeUp, withinTime } from '../../../src/docs-site/read/time-limit.ts';

const forEver = () => {
  for (;;);
};

test('a page that a time limit ends takes nothing from the pages after it', () => {
  expect(() => withinTime(50, () => withinWork(10, forEver))).toThrow(TimeUp);
  expect(() => spend(50_000_000)).not.toThrow();
});
