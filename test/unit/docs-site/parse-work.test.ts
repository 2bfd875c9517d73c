import { expect, test } from 'vitest';
import { spend, withinWork } from '@docent/docs-check/read/parse-work';
import { TimeUp, withinTime } from '@docent/docs-check/read/time-limit';

const forEver = () => {
  for (;;);
};

test('a page that a time limit ends takes nothing from the pages after it', () => {
  expect(() => withinTime(50, () => withinWork(10, forEver))).toThrow(TimeUp);
  expect(() => spend(50_000_000)).not.toThrow();
});
