import { z } from 'zod';
import {
  commentEvent,
  Issue,
  IssueComment,
  issueEvent,
  pullRequestEvent,
  Pull,
  PushPayload,
  Repository,
  Status,
  statusEvent,
} from './github-events.ts';
import type { HostRepository, PullRequestAction, ReviewEvent } from './host-event.ts';
import {
  branchOf,
  id,
  ignoredAction,
  ignoredEvent,
  instant,
  readPayload,
  readPush,
  sha,
  text,
  type Reading,
} from './payload-fields.ts';

/*
 * Webhooks of Gitea and Forgejo (https://docs.gitea.com/usage/webhooks,
 * https://forgejo.org/docs/latest/user/webhooks/) have the objects of their APIs, most of which have GitHub's
 * fields. What a delivery lacks is requested.
 */

export const GiteaReview = z.object({
  user: z.object({ id, login: z.string() }),
  body: text,
  state: z.string(),
  commit_id: sha.nullish().catch(null),
  submitted_at: instant,
});

const STATES: Readonly<Record<string, ReviewEvent['review']['state']>> = {
  APPROVED: 'approved',
  REQUEST_CHANGES: 'changes_requested',
  COMMENT: 'commented',
};

/** Null for one that is pending, or a request for one. */
export function giteaReviewEvent(
  repository: HostRepository,
  number: number,
  found: z.output<typeof GiteaReview> & { id: string },
): ReviewEvent | null {
  const state = STATES[found.state];
  if (!state) return null;
  const { id: reviewId, user: author, body, commit_id: commit = null } = found;
  return {
    kind: 'review',
    repository,
    at: found.submitted_at,
    on: { type: 'pull_request', number },
    review: { id: reviewId, author, state, body, commit },
  };
}

const Action = z.object({ action: text, repository: Repository });
const PullRequestPayload = Action.extend({
  pull_request: Pull.extend({ merged: z.boolean().nullish() }),
  changes: z
    .object({ title: z.object({ from: z.string() }), ref: z.object({ from: z.string() }) })
    .partial()
    .nullish(),
});
const CommentPayload = Action.extend({
  issue: z.object({ number: z.int(), pull_request: z.unknown().optional() }),
  comment: IssueComment,
  is_pull: z.boolean().nullish(),
});
const OpenedIssue = z.object({ issue: Issue });
const DeletePayload = z.object({
  ref: z.string(),
  ref_type: z.string(),
  repository: z.object({ id, full_name: z.string(), updated_at: instant }),
});
const StatusPayload = Status.extend({ repository: Repository, sha });

const ACTIONS: Readonly<Record<string, PullRequestAction>> = {
  opened: 'opened',
  reopened: 'reopened',
  synchronized: 'pushed',
  synchronize: 'pushed',
};

/** The prefixes of titles that make drafts, as they are by default. */
const DRAFT = /^\s*(?:WIP:|\[WIP\]|Draft:|\[Draft\])/i;

/** @param event the value of `X-Gitea-Event` */
export function readGiteaDelivery(event: string, payload: unknown): Reading {
  switch (event) {
    case 'pull_request':
      return readPayload(PullRequestPayload, payload, readPullRequest);
    case 'issue_comment':
      return readPayload(CommentPayload, payload, ({ action, repository, issue, comment, is_pull: isPull }) => {
        if (action !== 'created') return ignoredAction(event, action);
        const type = (isPull ?? issue.pull_request) ? 'pull_request' : 'issue';
        return { events: [commentEvent(repository, { type, number: issue.number }, comment)] };
      });
    case 'issues':
      return readPayload(Action, payload, ({ action, repository }) => {
        if (action !== 'opened') return incomplete(repository);
        return readPayload(OpenedIssue, payload, ({ issue }) => ({ events: [issueEvent(repository, issue)] }));
      });
    case 'pull_request_approved':
    case 'pull_request_rejected':
    case 'pull_request_comment':
    case 'pull_request_review_approved':
    case 'pull_request_review_rejected':
    case 'pull_request_review_comment':
    case 'issue_label':
    case 'pull_request_label':
      // They lack the review's id, its comments, and the label.
      return readPayload(Action, payload, ({ repository }) => incomplete(repository));
    case 'status':
      return readPayload(StatusPayload, payload, ({ repository, sha: commit, ...status }) => {
        const found = statusEvent(repository, { branch: null, commit }, status);
        return found ? { events: [found] } : { ignored: `The status is ${status.state}, not a result.` };
      });
    case 'push':
      return readPayload(PushPayload, payload, ({ repository, ...push }) => readPush(repository, push));
    case 'delete':
      return readPayload(DeletePayload, payload, ({ ref, ref_type: type, repository: found }) => {
        if (type !== 'branch') return { ignored: 'What was deleted is not a branch.' };
        const repository = { id: found.id, path: found.full_name };
        const branch = branchOf(ref) ?? ref;
        return { events: [{ kind: 'push', repository, at: found.updated_at, branch, before: null, after: null }] };
      });
    default:
      return ignoredEvent(event);
  }
}

function readPullRequest(found: z.output<typeof PullRequestPayload>): Reading {
  const { action, repository, pull_request: pull, changes } = found;
  const known = ACTIONS[action];
  if (known) return { events: [pullRequestEvent(repository, known, pull)] };
  if (action === 'closed') {
    return { events: [pullRequestEvent(repository, pull.merged_at === null ? 'closed' : 'merged', pull)] };
  }
  if (action === 'edited' && changes?.ref) return { events: [pullRequestEvent(repository, 'retargeted', pull)] };
  if (action === 'edited' && DRAFT.test(changes?.title?.from ?? '') && !DRAFT.test(pull.title)) {
    return { events: [pullRequestEvent(repository, 'ready', pull)] };
  }
  if (action === 'reviewed' || action === 'label_updated' || action === 'label_cleared') return incomplete(repository);
  return ignoredAction('pull_request', action);
}

function incomplete({ id: repositoryId, path }: HostRepository): Reading {
  return { events: [], incomplete: { repositoryId, path } };
}
