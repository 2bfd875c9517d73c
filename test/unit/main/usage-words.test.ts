import { expect, test } from 'vitest';
import { budgetWords } from '../../../src/main/cli/commands/project-budgets.ts';
import { dollars, usageWords } from '../../../src/main/cli/commands/usage-words.ts';

test('says what a job took as a person reads it, and never a price that is not known', () => {
  const usage = { modelCalls: 7, inputTokens: 61_240, cachedInputTokens: 48_011, outputTokens: 2_310, costUsd: 0.0614 };
  expect(usageWords(usage)).toBe('61,240 tokens read (48,011 cached), 2,310 written, $0.061');
  expect(usageWords({ ...usage, costUsd: null })).toMatch(/price not known$/);
  expect(usageWords({ ...usage, inputTokens: 0, outputTokens: 0 })).toBeNull();
  expect([dollars(0), dollars(0.000012), dollars(12.5)]).toEqual(['$0.000', '$0.000012', '$12.500']);
});

test('shows the budgets of a project, and nothing where the installation’s hold', () => {
  const none = { budgetJobTokens: null, budgetJobUsd: null, budgetDayTokens: null, budgetDayUsd: null };
  expect(budgetWords(none)).toBeNull();
  expect(budgetWords({ ...none, budgetJobTokens: 100_000, budgetDayUsd: 5 })).toBe('job: 100,000 tokens, day: $5');
});
