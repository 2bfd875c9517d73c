import { expect, test } from 'vitest';
import { StatusLines } from '@docent/cli/job-progress';
import { retryText } from '@docent/base/retry-text';

test('a pipe gets every retry at once, and what the model is doing after ten seconds without a line', () => {
  const printed: string[] = [];
  const lines = new StatusLines((line) => printed.push(line), 0);
  const retry = `Step 1: ${retryText('Anthropic is overloaded (529).', 2_000)}`;
  lines.show('Step 1: waiting for the model', 2_000);
  lines.show(retry, 3_000);
  lines.show(retry, 5_000);
  lines.show('Step 1: writing, 40 characters', 14_000);
  lines.show('Step 1: writing, 900 characters', 15_500);
  lines.printed(16_000);
  lines.show('Step 2: writing, 40 characters', 25_000);
  lines.show('Step 2: writing, 900 characters', 26_000);
  expect(printed).toEqual([retry, retry, 'Step 1: writing, 900 characters', 'Step 2: writing, 900 characters']);
});
