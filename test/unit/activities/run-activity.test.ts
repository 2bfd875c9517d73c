import { expect, test } from 'vitest';
import { failureOf, tryLater } from '../../../src/activities/run-activity.ts';
import { HostProblem } from '@docent/code-hosts/host-problem';
import { RepositoryProblem } from '@docent/git/repository-problem';
import { WorkspaceRefusal } from '@docent/git/workspace';
import { jobFailure } from '../../../src/platform/errors.ts';
import { Shortage } from '@docent/base/shortage';
import { rowsBehind } from '../../../src/store/jobs/turn-fence.ts';

const HOUR = 3_600_000;
const unreachable = new RepositoryProblem('unreachable', 'Nothing answers.', { retryAfterMs: 2_000 });
const busy = new HostProblem('host_rate_limited', 'Later.', { retryAfterMs: 60_000 });

test.each([
  ['a server that does not answer', unreachable, 11, { type: 'repository_unreadable', nextRetryDelay: 2_000 }],
  ['a host that asks for a short pause', busy, 11, { type: 'host_rate_limited', nextRetryDelay: 60_000 }],
  ['a full disk', new Shortage('disk', 'Full.'), 1_000, { type: 'Shortage' }],
  [
    'a webhook with a pause of hours',
    tryLater('Attempt 5: 503.', 'Webhook', 10 * HOUR),
    5,
    { nextRetryDelay: 10 * HOUR },
  ],
  ['an unforeseen error', new TypeError('x is undefined'), 5, { type: 'TypeError' }],
])('%s is tried again', (_what, err, attempt, expected) => {
  expect(failureOf(err, attempt)).toMatchObject({ nonRetryable: false, ...expected });
});

test.each([
  ['a server that never answers', unreachable, 12, 'repository_unreadable', 'Nothing answers.'],
  ['a missing branch', new RepositoryProblem('branch_missing', 'Gone.'), 1, 'branch_missing', 'Gone.'],
  ['a host that forbids it', new HostProblem('host_forbidden', 'No.'), 1, 'host_forbidden', 'No.'],
  [
    'a host that asks for an hour',
    new HostProblem('host_rate_limited', 'Later.', { retryAfterMs: HOUR }),
    1,
    'host_rate_limited',
    'Later.',
  ],
  ['a failed job', jobFailure('push_refused', 'Refused.'), 1, 'push_refused', 'Refused.'],
  [
    'a turn that the rows do not know',
    rowsBehind('j', 2),
    1,
    'TurnSuperseded',
    /^The database has an older state of turn 2/,
  ],
  [
    'a refused change',
    WorkspaceRefusal.revived('a.mdx', 'a.mdx: too long.'),
    1,
    'change_refused',
    'The change is not allowed: a.mdx: too long.',
  ],
  ['an unforeseen error', new TypeError('x is undefined'), 6, 'internal', /did not foresee: x is undefined$/],
])('%s is final', (_what, err, attempt, type, message) => {
  expect(failureOf(err, attempt)).toMatchObject({ nonRetryable: true, type, message: expect.stringMatching(message) });
});
