import { z } from 'zod';
import type { PullRequestCheck, PullRequestReview } from '../checks.ts';
import type { CommitCheck } from '../talk.ts';
import { pageUrlOrNull } from './answer-fields.ts';

/** A merge request's mergeability. `detailed_merge_status` exists since 15.6. */
export const PullRequestFields = z.object({
  has_conflicts: z.boolean().nullish(),
  merge_status: z.string().nullish(),
  detailed_merge_status: z.string().nullish(),
});

/** Jobs of pipelines, and external statuses; the newest of each name. */
export const Statuses = z.array(
  z.object({
    name: z.string(),
    status: z.string(),
    target_url: pageUrlOrNull,
    allow_failure: z.boolean().nullish(),
    id: z.int().nullish(),
    description: z.string().nullish(),
  }),
);

/** While GitLab has not looked yet, nothing is known. */
export function mergeableOf(shown: z.output<typeof PullRequestFields>): boolean | null {
  if (shown.has_conflicts) return false;
  const status = shown.merge_status;
  return status === 'can_be_merged' ? true : status === 'cannot_be_merged' ? false : null;
}

/** GitLab reports one obstacle at a time, and of reviews only that they are one. */
export function reviewOf({
  detailed_merge_status: status,
}: z.output<typeof PullRequestFields>): PullRequestReview | null {
  if (status === 'requested_changes') return 'changes_requested';
  return status === 'not_approved' ? 'pending' : null;
}

/** Statuses that GitLab's own jobs have set have the ids of these jobs. */
export function checkOf(found: z.output<typeof Statuses>[number]): CommitCheck {
  return {
    name: found.name,
    state: stateOf(found.status, found.allow_failure ?? false),
    url: found.target_url,
    summary: found.description ?? '',
    logId: found.id ? String(found.id) : null,
  };
}

/** A job that waits for a person holds up nothing; one that may fail fails nothing. */
function stateOf(status: string, mayFail: boolean): PullRequestCheck['state'] {
  if (status === 'success') return 'passed';
  if (status === 'skipped' || status === 'manual') return 'skipped';
  if (status === 'failed' || status === 'canceled') return mayFail ? 'skipped' : 'failed';
  return 'pending';
}
