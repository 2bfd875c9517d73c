import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endingOf } from '../../../src/activities/publish/publish-turn.ts';
import { budgetsOf } from '../../../src/activities/step/await-budget.ts';
import { baseRefOf, pullRequestTarget, mustHaveRoomForNamed } from '../../../src/activities/open/branch-target.ts';
import { pullRequestText } from '../../../src/activities/publish/pull-request-text.ts';
import type { JobRow } from '../../../src/store/jobs/jobs.ts';
import type { ProjectRow } from '../../../src/store/projects/projects.ts';

const project = { id: 'p', ref: 'main', settings: {} } as ProjectRow;
const amount = fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: undefined });

test('a job’s own budget only lowers its limit', () => {
  fc.assert(
    fc.property(amount, amount, amount, (installed, ofProject, own) => {
      const settings = ofProject === undefined ? {} : { budgetJobTokens: ofProject };
      const options = own === undefined ? {} : { budget: { tokens: own } };
      const without = budgetsOf({ jobTokens: installed }, { settings }, { options: {} }).jobTokens;
      const limit = budgetsOf({ jobTokens: installed }, { settings }, { options }).jobTokens;
      expect(without).toBe(ofProject ?? installed);
      expect(limit).toBe(own === undefined ? without : Math.min(own, without ?? Infinity));
    }),
  );
  const usd = budgetsOf(
    { jobUsd: 2, dayUsd: 9 },
    { settings: { budgetJobUsd: 3 } },
    { options: { budget: { usd: 5 } } },
  );
  expect(usd).toMatchObject({ jobUsd: 3, dayUsd: 9 });
});

test('a job goes by its own base branch, else by the project’s as it is now', () => {
  expect(baseRefOf({ options: {} }, project)).toBe('main');
  expect(pullRequestTarget({ job: { options: { ref: 'next' } }, project }, 'x')).toMatchObject({ baseBranch: 'next' });
});

describe('a named branch', () => {
  const branches = new Map(['main', 'docs', 'a/b/c'].map((name) => [name, 'f'.repeat(40)]));
  test.each(['fix', 'docsy', 'a/b/d', 'a/b/cc'])('%s has room', (name) => {
    expect(() => mustHaveRoomForNamed(name, 'main', branches)).not.toThrow();
  });
  test.each(['main', 'docs/x', 'docs/x/y', 'a', 'a/b', 'a/b/c/d'])('%s has none', (name) => {
    expect(() => mustHaveRoomForNamed(name, 'main', branches)).toThrow(/exists/);
  });
});

test('a title of the client takes precedence over the agent’s words, and nothing in it makes a code host act', () => {
  const job = { id: 'j', projectId: 'p', title: 'x', options: { title: '@boss fixes #1' } } as JobRow;
  const review = { isChecked: true, problems: [], notes: [], secrets: [] };
  const { title } = pullRequestText(job, [{ prompts: ['Do'], closing: 'I did something else' }], review);
  expect(title.replaceAll('\u2060', '')).toBe('@boss fixes #1');
  expect(title).not.toMatch(/@boss|fixes #/);
});

test.each([
  ['published', 'published', 'Its changes so far are in the pull request.'],
  ['ready', 'ready', 'Its changes so far can be published.'],
  ['unchanged', 'failed', 'Nothing was published.'],
] as const)(
  'a turn at a limit whose work is %s ends as %s, and its error says what was kept',
  (kind, outcome, kept) => {
    const limit = { code: 'limit_steps', message: 'The agent reached the limit of 2 steps.' } as const;
    const input = { jobId: 'j', turn: 1, step: 3, answered: true };
    const error = { code: 'limit_steps', message: `${limit.message} ${kept} Send a message to continue.` };
    expect(endingOf({ ...input, limit }, { kind })).toMatchObject({ outcome, error });
    expect(endingOf({ ...input, limit: null }, { kind })).toEqual({ ...input, outcome: kind });
  },
);
