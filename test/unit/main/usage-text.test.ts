import { expect, test } from 'vitest';
import { dollars, usageText } from '@docent/cli/usage-text';

test('says what a job took as a person reads it, and never a price that is not known', () => {
  const usage = { modelCalls: 7, inputTokens: 61_240, cachedInputTokens: 48_011, outputTokens: 2_310, costUsd: 0.0614 };
  expect(usageText(usage)).toBe('61,240 input tokens (48,011 cached), 2,310 output tokens, $0.061');
  expect(usageText({ ...usage, costUsd: null })).toMatch(/price unknown$/);
  expect(usageText({ ...usage, inputTokens: 0, outputTokens: 0 })).toBeNull();
  expect([dollars(0), dollars(0.000012), dollars(12.5)]).toEqual(['$0.000', '$0.000012', '$12.500']);
});
