import { describe, expect, test } from 'vitest';
import { JOB_STATES, jobStateOf, type JobPullRequest, type JobState } from '../../../src/store/jobs/job-state.ts';
import { OUTCOMES, PULL_REQUEST_STATES, type Outcome } from '../../../src/store/schema.ts';

/**
 * What has become of a job at rest: the last turn's outcome by the newest pull request. `*`: settled after
 * that turn.
 */
const TABLE = `
  outcome    none        open      merged    merged*   closed    closed*
  changed    pushed      open      merged    merged    closed    closed
  unchanged  unchanged   open      merged    merged    closed    closed
  answered   answered    open      merged    merged    closed    closed
  discarded  discarded   open      merged    merged    closed    closed
  null       cancelled   open      merged    merged    closed    closed
  refused    refused     refused   refused   merged    refused   closed
  asked      asked       asked     asked     merged    asked     closed
  failed     failed      failed    failed    merged    failed    closed
`;
const [head = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

const CHANGE = { files: 1, additions: 2, deletions: 0 };
const REST = { queueNo: null, pendingChanges: null, branch: null };
const outcomeIn = (word: string) => (word === 'null' ? null : (word as Outcome));

function pullRequestIn(column: string): JobPullRequest | null {
  const [, state, star] = /^(\w+)(\*?)$/.exec(column) ?? [];
  if (state === 'none') return null;
  return { state: state as JobPullRequest['state'], isSettledSince: star === '*' };
}

const CASES = rows.flatMap(([outcome = '', ...states]) =>
  states.map((state, i) => [outcome, head[i + 1] ?? '', state as JobState] as const),
);

describe('the state of a job', () => {
  test('is defined for every outcome and every state of a pull request', () => {
    expect(new Set(rows.map(([outcome]) => outcome))).toEqual(new Set([...OUTCOMES, 'null']));
    expect(new Set(head.slice(2).map((word) => word.replace('*', '')))).toEqual(new Set(PULL_REQUEST_STATES));
  });

  test.each(CASES)('%s with pull request %s is %s', (word, column, expected) => {
    const outcome = outcomeIn(word);
    const pullRequest = pullRequestIn(column);
    for (const status of ['completed', 'failed', 'archived'] as const) {
      const job = { ...REST, status, outcome };
      expect(jobStateOf(job, pullRequest)).toBe(expected);
      // What waits to be published hides what earlier turns published, and nothing that was not done.
      const isUndone = ['refused', 'asked', 'failed'].includes(expected);
      expect(jobStateOf({ ...job, pendingChanges: CHANGE }, pullRequest)).toBe(isUndone ? expected : 'ready');
      // A branch without a pull request: the job has pushed to the base branch before.
      const isOnBase = pullRequest === null && !isUndone;
      expect(jobStateOf({ ...job, branch: 'main' }, pullRequest)).toBe(isOnBase ? 'pushed' : expected);
    }
  });

  test.each(CASES)('of a job at work is that alone: %s, %s', (word, column) => {
    const job = { ...REST, status: 'active' as const, outcome: outcomeIn(word), pendingChanges: CHANGE, branch: 'x' };
    expect(jobStateOf(job, pullRequestIn(column))).toBe('working');
    expect(jobStateOf({ ...job, queueNo: 7 }, pullRequestIn(column))).toBe('queued');
  });

  test('reaches every state', () => {
    const found = new Set<string>([...CASES.map(([, , state]) => state), 'ready', 'queued', 'working']);
    expect([...found].toSorted()).toEqual([...JOB_STATES].toSorted());
  });
});
