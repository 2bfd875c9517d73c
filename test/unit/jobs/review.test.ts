import { describe, expect, test } from 'vitest';
import { problemsLeft } from '@docent/docs-check/checks/problems-left';
import type { Problem } from '@docent/docs-check/checks/problem';
import type { DocsSite } from '@docent/docs-check/read/docs-site';
import { doubtsOfChange, doubtsOfMerge, reviewOf } from '../../../src/jobs/review.ts';
import type { StoredProblem } from '../../../src/store/jobs/changes-schema.ts';
import type { CheckRoundRow } from '../../../src/store/jobs/check-rounds.ts';
import type { PullRequestChecks } from '@docent/code-hosts/checks';

const problem = (of: Partial<StoredProblem> = {}): StoredProblem => ({
  path: 'a.mdx',
  line: 1,
  code: 'missing-page',
  severity: 'error',
  message: 'It is broken: its target does not exist.',
  ...of,
});
const round = (of: Partial<CheckRoundRow> = {}) =>
  ({ problems: [], notes: [], secrets: [], ...of }) as unknown as CheckRoundRow;
const note = (path: string) => ({ path, message: 'is new' });

describe('a review', () => {
  test('has what the last check found, errors first, and the notes of all', () => {
    const first = round({ problems: [problem({ path: 'repaired.mdx' })], notes: [note('a.mdx'), note('b.mdx')] });
    const last = round({
      problems: [problem({ severity: 'notice' }), problem({ severity: 'warning' }), problem()],
      notes: [note('b.mdx'), note('c.mdx')],
    });
    const review = reviewOf([first, last]);
    expect(review.problems.map(({ severity }) => severity)).toEqual(['error', 'warning', 'notice']);
    expect(review.notes.map(({ path }) => path)).toEqual(['a.mdx', 'b.mdx', 'c.mdx']);
    expect(review.isChecked).toBe(true);
  });

  test.each([[[]], [[null]], [[round(), null]], [[null, round()]]])(
    'says where a change was not checked (%#)',
    (rounds) => {
      expect(reviewOf(rounds).isChecked).toBe(false);
      expect(doubtsOfChange(reviewOf(rounds)).map(({ code }) => code)).toEqual(['docs_unchecked']);
    },
  );
});

const checks = (state: PullRequestChecks['state']): PullRequestChecks => ({
  state,
  total: 3,
  failed: state === 'failed' ? 1 : 0,
  url: null,
  items: [],
});

describe('the doubts of a merge', () => {
  const clean = reviewOf([round()]);
  const onHost = { number: 7, checks: checks('passed'), review: null, pollProblem: null };
  const local = { number: null, checks: null, review: null, pollProblem: null };

  test.each([
    ['nothing', clean, onHost, []],
    ['nothing of a local repository', clean, local, []],
    ['no checks', clean, { ...onHost, checks: checks('none') }, []],
    ['an error', reviewOf([round({ problems: [problem()] })]), local, ['docs_errors']],
    ['a warning', reviewOf([round({ problems: [problem({ severity: 'warning' })] })]), local, []],
    ['an unchecked change', reviewOf([null]), local, ['docs_unchecked']],
    ['failed checks', clean, { ...onHost, checks: checks('failed') }, ['checks_failed']],
    ['running checks', clean, { ...onHost, checks: checks('pending') }, ['checks_pending']],
    ['checks that were not asked for yet', clean, { ...onHost, checks: null }, ['checks_unknown']],
    ['a host that cannot be asked', clean, { ...onHost, pollProblem: 'It is away.' }, ['checks_unknown']],
    ['a reviewer', clean, { ...onHost, review: 'changes_requested' as const }, ['changes_requested']],
    [
      'all of it',
      reviewOf([round({ problems: [problem()] }), null]),
      { number: 7, checks: checks('pending'), review: 'changes_requested' as const, pollProblem: 'Away.' },
      ['docs_errors', 'docs_unchecked', 'checks_pending', 'checks_unknown', 'changes_requested'],
    ],
  ])('are named for %s', (_what, review, pull, expected) => {
    const doubts = doubtsOfMerge(review, pull);
    expect(doubts.map(({ code }) => code)).toEqual(expected);
    for (const { message } of doubts) expect(message).toMatch(/^[A-Z\d].*\.$/);
  });
});

const found = (of: Partial<Problem> = {}): Problem => ({
  ...problem({ message: 'x' }),
  code: 'missing-page',
  target: '/old',
  ...of,
});

const docs = (...paths: string[]) => ({ site: { files: new Set(paths) } }) as unknown as DocsSite;

describe('what is left of earlier problems', () => {
  test('is still on its page, at any position', () => {
    const now = [found({ line: 9 }), found({ path: 'other.mdx' })];
    expect(problemsLeft([found()], now, [], docs('a.mdx', 'other.mdx'))).toEqual([now[0]]);
    expect(problemsLeft([found()], [now[1]!], [], docs('a.mdx', 'other.mdx'))).toEqual([]);
    expect(problemsLeft([], now, [], docs('a.mdx'))).toEqual([]);
  });

  test('goes along with a page that moved, and is not a new problem', () => {
    const [moved, fresh] = [found({ path: 'moved.mdx' }), found()];
    expect(problemsLeft([found()], [moved], [], docs('moved.mdx'))).toEqual([moved]);
    expect(problemsLeft([found()], [fresh], [fresh], docs('a.mdx'))).toEqual([]);
  });
});
