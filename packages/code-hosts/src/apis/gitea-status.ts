import { z } from 'zod';
import type { PullRequestCheck, PullRequestReview } from '../checks.ts';
import type { CommitCheck } from '../talk.ts';
import { pageUrlOrNull } from './answer-fields.ts';

export const PullRequestFields = z.object({ mergeable: z.boolean().nullish() });

/** `statuses` is null if there is none. Forgejo and older versions of Gitea also have `state` for each. */
export const CombinedStatus = z.object({
  statuses: z
    .array(
      z.object({
        context: z.string(),
        status: z.string(),
        target_url: pageUrlOrNull,
        description: z.string().nullish(),
      }),
    )
    .nullish(),
});

/** Oldest first. Stale ones are of an earlier commit. */
export const Reviews = z
  .array(
    z.object({
      user: z.object({ id: z.int() }).nullish(),
      state: z.string(),
      dismissed: z.boolean().nullish(),
      stale: z.boolean().nullish(),
    }),
  )
  .nullish();

/** A status does not name its job of Gitea's Actions. */
export function checksIn({ statuses }: z.output<typeof CombinedStatus>): CommitCheck[] {
  return (statuses ?? []).map(({ context, status, target_url: url, description }) => ({
    name: context,
    state: stateOf(status),
    url,
    summary: description ?? '',
    logId: null,
  }));
}

function stateOf(status: string): PullRequestCheck['state'] {
  if (status === 'success' || status === 'warning') return 'passed';
  if (status === 'skipped') return 'skipped';
  return status === 'pending' ? 'pending' : 'failed';
}

/** For each reviewer, the newest approval or change request counts. */
export function reviewOf(reviews: z.output<typeof Reviews>): PullRequestReview | null {
  const last = new Map<number, string>();
  let isAsked = false;
  for (const { user, state, dismissed, stale } of reviews ?? []) {
    if (state === 'REQUEST_REVIEW') isAsked = true;
    const counts = state === 'REQUEST_CHANGES' || (state === 'APPROVED' && !stale);
    if (user && counts && !dismissed) last.set(user.id, state);
  }
  const words = [...last.values()];
  if (words.includes('REQUEST_CHANGES')) return 'changes_requested';
  if (words.includes('APPROVED')) return 'approved';
  return isAsked ? 'pending' : null;
}
