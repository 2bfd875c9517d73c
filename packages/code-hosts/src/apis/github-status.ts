import { RequestError } from '@octokit/request-error';
import { z } from 'zod';
import type { PullRequestCheck, PullRequestReview } from '../checks.ts';
import type { CommitCheck } from '../talk.ts';
import { pageUrlOrNull } from './answer-fields.ts';
import type { GitHubClient } from './github-client.ts';
import type { RemoteStatus } from '../remote-api.ts';

const Runs = z.object({
  check_runs: z.array(
    z.object({
      id: z.int().nullish(),
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullish(),
      html_url: pageUrlOrNull,
      output: z.object({ title: z.string().nullish(), summary: z.string().nullish() }).nullish(),
      app: z.object({ slug: z.string().nullish() }).nullish(),
    }),
  ),
});

const Statuses = z.object({
  statuses: z.array(
    z.object({
      context: z.string(),
      state: z.string(),
      target_url: pageUrlOrNull,
      description: z.string().nullish(),
    }),
  ),
});

const Pull = z.object({
  mergeable: z.boolean().nullish(),
  requested_reviewers: z.array(z.unknown()).nullish(),
});

/** Oldest first. `user` is null if the account is gone. */
const Reviews = z.array(z.object({ user: z.object({ id: z.int() }).nullish(), state: z.string() }));

type At = { owner: string; repo: string };

/** Check runs and commit statuses, mergeability, and reviews of an open pull request. */
export async function githubStatus(
  rest: GitHubClient['rest'],
  at: At,
  number: number,
  ref: string,
): Promise<RemoteStatus> {
  const [checks, pull, reviews] = await Promise.all([
    githubChecks(rest, at, ref),
    rest.pulls.get({ ...at, pull_number: number }),
    orHidden(rest.pulls.listReviews({ ...at, pull_number: number, per_page: 100 })),
  ]);
  const shown = Pull.parse(pull.data);
  const isAsked = (shown.requested_reviewers?.length ?? 0) > 0;
  return {
    checks,
    mergeable: shown.mergeable ?? null,
    review: reviews === null ? null : reviewOf(Reviews.parse(reviews), isAsked),
  };
}

/** Check runs and commit statuses. If one of the two is hidden, a failure may be, too: then null. */
export async function githubChecks(rest: GitHubClient['rest'], at: At, ref: string): Promise<CommitCheck[] | null> {
  const [runs, statuses] = await Promise.all([
    orHidden(rest.checks.listForRef({ ...at, ref, per_page: 100 })),
    orHidden(rest.repos.getCombinedStatusForRef({ ...at, ref, per_page: 100 })),
  ]);
  return runs === null || statuses === null ? null : [...checksOfRuns(runs), ...checksOfStatuses(statuses)];
}

/** A run of GitHub Actions has the id of its job, which has a log. */
function checksOfRuns(data: unknown): CommitCheck[] {
  return Runs.parse(data).check_runs.map(({ id, name, status, conclusion, html_url: url, output, app }) => ({
    name,
    state: status === 'completed' ? stateOf(conclusion) : 'pending',
    url,
    summary: [output?.title, output?.summary].filter(Boolean).join('\n\n'),
    logId: app?.slug === 'github-actions' && id ? String(id) : null,
  }));
}

function stateOf(conclusion: string | null | undefined): PullRequestCheck['state'] {
  if (conclusion === 'success' || conclusion === 'neutral') return 'passed';
  if (conclusion === 'skipped' || conclusion === 'stale') return 'skipped';
  return 'failed';
}

function checksOfStatuses(data: unknown): CommitCheck[] {
  return Statuses.parse(data).statuses.map(({ context, state, target_url: url, description }) => ({
    name: context,
    state: state === 'success' ? 'passed' : state === 'pending' ? 'pending' : 'failed',
    url,
    summary: description ?? '',
    logId: null,
  }));
}

/** For each reviewer, the newest approval or change request counts. */
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

/** Null if the credential lacks the permission: checks and reviews have separate permissions. */
async function orHidden(asked: Promise<{ data: unknown }>): Promise<unknown> {
  try {
    return (await asked).data;
  } catch (err) {
    if (err instanceof RequestError && isForbidden(err)) return null;
    throw err;
  }
}

/** 403 is also used for rate limits, which name themselves. */
function isForbidden({ status, message, response }: RequestError): boolean {
  const { headers } = response ?? {};
  const isLimit = headers?.['x-ratelimit-remaining'] === '0' || headers?.['retry-after'] !== undefined;
  return status === 404 || (status === 403 && !isLimit && !/rate limit/i.test(message));
}
