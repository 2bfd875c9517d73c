import { RequestError } from '@octokit/request-error';
import { z } from 'zod';
import type { PullRequestCheck, PullRequestReview } from '../../store/pull-request-checks.ts';
import { pageUrlOrNull } from './answer-fields.ts';
import type { GitHubClient } from './github-client.ts';
import type { RemoteStanding } from './remote-api.ts';

const Runs = z.object({
  check_runs: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullish(),
      html_url: pageUrlOrNull,
    }),
  ),
});

const Statuses = z.object({
  statuses: z.array(z.object({ context: z.string(), state: z.string(), target_url: pageUrlOrNull })),
});

const Pull = z.object({
  mergeable: z.boolean().nullish(),
  requested_reviewers: z.array(z.unknown()).nullish(),
});

/** Oldest first. `user` is null where the account is gone. */
const Reviews = z.array(z.object({ user: z.object({ id: z.int() }).nullish(), state: z.string() }));

type At = { owner: string; repo: string };

/** Check runs and commit statuses, mergeability, and reviews of an open pull request. */
export async function githubStanding(
  rest: GitHubClient['rest'],
  at: At,
  number: number,
  ref: string,
): Promise<RemoteStanding> {
  const [runs, statuses, pull, reviews] = await Promise.all([
    orHidden(rest.checks.listForRef({ ...at, ref, per_page: 100 })),
    orHidden(rest.repos.getCombinedStatusForRef({ ...at, ref, per_page: 100 })),
    rest.pulls.get({ ...at, pull_number: number }),
    orHidden(rest.pulls.listReviews({ ...at, pull_number: number, per_page: 100 })),
  ]);
  const shown = Pull.parse(pull.data);
  const isAsked = (shown.requested_reviewers?.length ?? 0) > 0;
  return {
    // With one of the two unseen, a failure might be: then nothing is said.
    checks: runs === null || statuses === null ? null : [...checksOfRuns(runs), ...checksOfStatuses(statuses)],
    mergeable: shown.mergeable ?? null,
    review: reviews === null ? null : reviewOf(Reviews.parse(reviews), isAsked),
  };
}

function checksOfRuns(data: unknown): PullRequestCheck[] {
  return Runs.parse(data).check_runs.map(({ name, status, conclusion, html_url: url }) => ({
    name,
    state: status === 'completed' ? stateOf(conclusion) : 'pending',
    url,
  }));
}

function stateOf(conclusion: string | null | undefined): PullRequestCheck['state'] {
  if (conclusion === 'success' || conclusion === 'neutral') return 'passed';
  if (conclusion === 'skipped' || conclusion === 'stale') return 'skipped';
  return 'failed';
}

function checksOfStatuses(data: unknown): PullRequestCheck[] {
  return Statuses.parse(data).statuses.map(({ context, state, target_url: url }) => ({
    name: context,
    state: state === 'success' ? 'passed' : state === 'pending' ? 'pending' : 'failed',
    url,
  }));
}

/** Of each reviewer, the newest word that approves or asks for changes counts. */
function reviewOf(reviews: z.output<typeof Reviews>, isAsked: boolean): PullRequestReview | null {
  const last = new Map<number, string>();
  for (const { user, state } of reviews) {
    if (user && ['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'].includes(state)) last.set(user.id, state);
  }
  const words = [...last.values()];
  if (words.includes('CHANGES_REQUESTED')) return 'changes_requested';
  if (words.includes('APPROVED')) return 'approved';
  return isAsked ? 'pending' : null;
}

/** Null where the credential lacks the permission: checks and reviews have permissions of their own. */
async function orHidden(asked: Promise<{ data: unknown }>): Promise<unknown> {
  try {
    return (await asked).data;
  } catch (err) {
    if (err instanceof RequestError && isForbidden(err)) return null;
    throw err;
  }
}

/** 403 also stands for rate limits, which say so. */
function isForbidden({ status, message, response }: RequestError): boolean {
  const { headers } = response ?? {};
  const isLimit = headers?.['x-ratelimit-remaining'] === '0' || headers?.['retry-after'] !== undefined;
  return status === 404 || (status === 403 && !isLimit && !/rate limit/i.test(message));
}
