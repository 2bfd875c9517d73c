import { z } from 'zod';
import type {
  CheckEvent,
  CommentEvent,
  HostAccount,
  HostPullRequest,
  HostRepository,
  IssueEvent,
  LabelEvent,
  PullRequestAction,
  PullRequestEvent,
  ReviewCommentEvent,
  ReviewEvent,
} from './host-event.ts';
import {
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
 * GitHub's webhooks have the objects of its REST API
 * (https://docs.github.com/en/webhooks/webhook-events-and-payloads): both are parsed here.
 */

/** GitHub's replacement for deleted accounts. */
const GHOST: HostAccount = { id: '10137', login: 'ghost' };

const Account = z
  .object({ id, login: z.string() })
  .nullish()
  .transform((found) => found ?? GHOST);

export const Repository = z
  .object({ id, full_name: z.string() })
  .transform((found): HostRepository => ({ id: found.id, path: found.full_name }));

export const Pull = z.object({
  number: z.int(),
  title: z.string(),
  body: text,
  draft: z.boolean().nullish(),
  state: z.enum(['open', 'closed']),
  user: Account,
  html_url: z.string(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  created_at: instant,
  updated_at: instant,
  closed_at: instant,
  merged_at: instant,
  head: z.object({ ref: z.string(), sha, repo: z.object({ id }).nullish() }),
  base: z.object({ ref: z.string(), repo: z.object({ id }).nullish() }),
});

export const IssueComment = z.object({
  id,
  user: Account,
  body: text,
  html_url: z.string(),
  created_at: instant,
});

export const Review = z.object({
  id,
  user: Account,
  body: text,
  state: z.string(),
  commit_id: sha.nullish(),
  submitted_at: instant,
});

export const ReviewComment = IssueComment.extend({
  path: z.string(),
  line: z.int().nullish(),
  start_line: z.int().nullish(),
  diff_hunk: z.string().nullish(),
  in_reply_to_id: id.nullish(),
  pull_request_review_id: id.nullish(),
  commit_id: sha.nullish(),
});

export const CheckRun = z.object({
  id,
  name: z.string(),
  head_sha: sha,
  status: z.string(),
  conclusion: z.string().nullish(),
  completed_at: instant,
  html_url: z.string().nullish(),
});

export const Status = z.object({
  id,
  context: text,
  state: z.string(),
  target_url: z.string().nullish(),
  updated_at: instant,
});

export function pullRequestOf(pull: z.output<typeof Pull>): HostPullRequest {
  const { head, base } = pull;
  const headId = head.repo?.id ?? null;
  return {
    number: pull.number,
    title: pull.title,
    isDraft: pull.draft ?? false,
    state: pull.merged_at === null ? pull.state : 'merged',
    author: pull.user,
    head: { branch: head.ref, sha: head.sha, repositoryId: headId },
    base: { branch: base.ref },
    isFork: headId === null || headId !== base.repo?.id,
    labels: (pull.labels ?? []).map(({ name }) => name),
    url: pull.html_url,
  };
}

export function pullRequestEvent(
  repository: HostRepository,
  action: PullRequestAction,
  pull: z.output<typeof Pull>,
): PullRequestEvent {
  const times: Partial<Record<PullRequestAction, string | null>> = {
    opened: pull.created_at,
    merged: pull.merged_at,
    closed: pull.closed_at,
  };
  const at = times[action] ?? pull.updated_at;
  const body = action === 'opened' ? pull.body : null;
  return { kind: 'pull_request', repository, at, action, pullRequest: pullRequestOf(pull), body };
}

/** Gitea uses the same form. */
export const Issue = z.object({
  number: z.int(),
  title: text,
  body: text,
  user: Account,
  html_url: z.string(),
  created_at: instant,
});

export function issueEvent(repository: HostRepository, found: z.output<typeof Issue>): IssueEvent {
  const { number, title, body, user: author, html_url: url, created_at: at } = found;
  return { kind: 'issue', repository, at, issue: { number, title, body, author, url } };
}

export function commentEvent(
  repository: HostRepository,
  on: CommentEvent['on'],
  found: z.output<typeof IssueComment>,
): CommentEvent {
  return { kind: 'comment', repository, at: found.created_at, on, comment: commentOf(found) };
}

function commentOf(found: z.output<typeof IssueComment>): CommentEvent['comment'] {
  return { id: found.id, author: found.user, body: found.body, url: found.html_url, discussionId: null };
}

/** Null for one that is not submitted, or was dismissed. */
export function reviewEvent(
  repository: HostRepository,
  number: number,
  found: z.output<typeof Review>,
): ReviewEvent | null {
  const state = found.state.toLowerCase();
  if (state !== 'approved' && state !== 'changes_requested' && state !== 'commented') return null;
  const { id: reviewId, user: author, body, commit_id: commit = null } = found;
  const review = { id: reviewId, author, state, body, commit } as const;
  return { kind: 'review', repository, at: found.submitted_at, on: { type: 'pull_request', number }, review };
}

export function reviewCommentEvent(
  repository: HostRepository,
  number: number,
  found: z.output<typeof ReviewComment>,
): ReviewCommentEvent {
  const comment = {
    ...commentOf(found),
    path: found.path,
    line: found.line ?? null,
    startLine: found.start_line ?? null,
    diffHunk: found.diff_hunk ?? null,
    inReplyTo: found.in_reply_to_id ?? null,
    reviewId: found.pull_request_review_id ?? null,
    commit: found.commit_id ?? null,
  };
  return { kind: 'review_comment', repository, at: found.created_at, on: { type: 'pull_request', number }, comment };
}

const CONCLUSIONS: Readonly<Record<string, 'passed' | 'failed'>> = {
  success: 'passed',
  neutral: 'passed',
  skipped: 'passed',
  failure: 'failed',
  timed_out: 'failed',
  startup_failure: 'failed',
  // For commit statuses.
  error: 'failed',
};

/** Null for a check that is running or was canceled. */
export function checkRunEvent(
  repository: HostRepository,
  branch: string | null,
  run: z.output<typeof CheckRun>,
): CheckEvent | null {
  const conclusion = run.status === 'completed' ? CONCLUSIONS[run.conclusion ?? ''] : undefined;
  if (conclusion === undefined) return null;
  const check = { id: run.id, name: run.name, conclusion, commit: run.head_sha, branch, url: run.html_url ?? null };
  return { kind: 'check', repository, at: run.completed_at, check };
}

/** Null for a pending status. */
export function statusEvent(
  repository: HostRepository,
  at: { branch: string | null; commit: string },
  found: z.output<typeof Status>,
): CheckEvent | null {
  const conclusion = CONCLUSIONS[found.state];
  if (conclusion === undefined) return null;
  const { context: name, target_url: url = null } = found;
  const check = { id: `status-${found.id}`, name, conclusion, commit: at.commit, branch: at.branch, url };
  return { kind: 'check', repository, at: found.updated_at, check };
}

export function labelEvent(
  repository: HostRepository,
  on: LabelEvent['on'],
  change: Pick<LabelEvent, 'action' | 'label' | 'actor' | 'at'>,
): LabelEvent {
  return { kind: 'label', repository, on, ...change };
}

const Action = z.object({ action: text, repository: Repository });
const Label = z.object({ name: z.string() });

const PullRequestPayload = Action.extend({
  pull_request: Pull,
  label: Label.nullish(),
  changes: z.object({ base: z.unknown() }).partial().nullish(),
  sender: Account,
});
const CommentPayload = Action.extend({
  issue: z.object({ number: z.int(), pull_request: z.unknown().optional() }),
  comment: IssueComment,
});
const ReviewPayload = Action.extend({ pull_request: z.object({ number: z.int() }), review: Review });
const ReviewCommentPayload = Action.extend({ pull_request: z.object({ number: z.int() }), comment: ReviewComment });
const CheckRunPayload = Action.extend({
  check_run: CheckRun.extend({ check_suite: z.object({ head_branch: z.string().nullish() }).nullish() }),
});
const StatusPayload = Status.extend({
  repository: Repository,
  sha,
  branches: z.array(z.object({ name: z.string(), commit: z.object({ sha: z.string() }) })).nullish(),
});
const IssuesPayload = Action.extend({
  issue: z.object({ number: z.int(), updated_at: instant }),
  label: Label.nullish(),
  sender: Account,
});
const OpenedIssuePayload = z.object({ issue: Issue });
export const PushPayload = z.object({ ref: z.string(), before: z.string(), after: z.string(), repository: Repository });

const ACTIONS: Readonly<Record<string, PullRequestAction>> = {
  opened: 'opened',
  ready_for_review: 'ready',
  reopened: 'reopened',
  synchronize: 'pushed',
};

/** Events that repeat what others report. */
const TOLD_BY: Readonly<Record<string, string>> = {
  check_suite: 'check_run',
  workflow_run: 'check_run',
  workflow_job: 'check_run',
  delete: 'push',
  create: 'push',
};

/** @param event the value of `X-GitHub-Event` */
export function readGitHubDelivery(event: string, payload: unknown): Reading {
  switch (event) {
    case 'pull_request':
      return readPayload(PullRequestPayload, payload, readPullRequest);
    case 'issue_comment':
      return readPayload(Action, payload, ({ action }) => {
        if (action !== 'created') return ignoredAction(event, action);
        return readPayload(CommentPayload, payload, ({ repository, issue, comment }) => {
          const type = issue.pull_request ? 'pull_request' : 'issue';
          return { events: [commentEvent(repository, { type, number: issue.number }, comment)] };
        });
      });
    case 'pull_request_review':
      return readPayload(ReviewPayload, payload, ({ action, repository, pull_request: pull, review }) => {
        const found = action === 'submitted' ? reviewEvent(repository, pull.number, review) : null;
        return found ? { events: [found] } : ignoredAction(event, action);
      });
    case 'pull_request_review_comment':
      return readPayload(ReviewCommentPayload, payload, ({ action, repository, pull_request: pull, comment }) =>
        action === 'created'
          ? { events: [reviewCommentEvent(repository, pull.number, comment)] }
          : ignoredAction(event, action),
      );
    case 'check_run':
      return readPayload(CheckRunPayload, payload, ({ action, repository, check_run: run }) => {
        const found = checkRunEvent(repository, run.check_suite?.head_branch ?? null, run);
        return action === 'completed' && found ? { events: [found] } : ignoredAction(event, action);
      });
    case 'status':
      return readPayload(StatusPayload, payload, ({ repository, branches, sha: commit, ...status }) => {
        const branch = branches?.find((one) => one.commit.sha === commit)?.name ?? null;
        const found = statusEvent(repository, { branch, commit }, status);
        return found ? { events: [found] } : { ignored: `The status is ${status.state}, not a result.` };
      });
    case 'issues':
      return readPayload(IssuesPayload, payload, ({ action, repository, issue, label, sender: actor }) => {
        if (action === 'opened') {
          return readPayload(OpenedIssuePayload, payload, (opened) => ({
            events: [issueEvent(repository, opened.issue)],
          }));
        }
        const change = labelChange(action);
        if (change === null || !label) return ignoredAction(event, action);
        const on = { type: 'issue', number: issue.number } as const;
        const made = { action: change, label: label.name, actor, at: issue.updated_at };
        return { events: [labelEvent(repository, on, made)] };
      });
    case 'push':
      return readPayload(PushPayload, payload, ({ repository, ...push }) => readPush(repository, push));
    default: {
      const other = TOLD_BY[event];
      if (other !== undefined) return { ignored: `Docent takes this from the event \`${other}\`.` };
      return ignoredEvent(event);
    }
  }
}

function readPullRequest(found: z.output<typeof PullRequestPayload>): Reading {
  const { action, repository, pull_request: pull, label, changes, sender: actor } = found;
  const change = labelChange(action);
  if (change !== null && label) {
    const on = { type: 'pull_request', number: pull.number } as const;
    return { events: [labelEvent(repository, on, { action: change, label: label.name, actor, at: pull.updated_at })] };
  }
  const known = ACTIONS[action];
  if (known) return { events: [pullRequestEvent(repository, known, pull)] };
  if (action === 'closed') {
    return { events: [pullRequestEvent(repository, pull.merged_at === null ? 'closed' : 'merged', pull)] };
  }
  if (action === 'edited' && changes?.base) return { events: [pullRequestEvent(repository, 'retargeted', pull)] };
  return ignoredAction('pull_request', action);
}

function labelChange(action: string): LabelEvent['action'] | null {
  if (action === 'labeled') return 'added';
  return action === 'unlabeled' ? 'removed' : null;
}
