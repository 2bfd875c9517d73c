/**
 * An event at a code host, in the same form for every host, and for webhooks and polling. An event is
 * material: names, titles and bodies are written by anyone with access. Identify people only by
 * `HostAccount.id`.
 */
export type HostEvent =
  | PullRequestEvent
  | IssueEvent
  | CommentEvent
  | ReviewEvent
  | ReviewCommentEvent
  | CheckEvent
  | LabelEvent
  | PushEvent;

/** An account of the host. */
export interface HostAccount {
  /** The host's own id, which survives renames. */
  id: string;
  login: string;
}

export interface HostRepository {
  /** The host's own id, as in `projects.repository_id`. */
  id: string;
  /** Below the host's URL, at the time of the event: `acme/docs`. */
  path: string;
}

interface Base {
  repository: HostRepository;
  /** When it happened, by the host's clock: ISO 8601. Null if the host does not report it. */
  at: string | null;
}

/** A pull or merge request. */
export interface HostPullRequest {
  /** The number at the end of its URL. */
  number: number;
  title: string;
  isDraft: boolean;
  state: 'open' | 'merged' | 'closed';
  author: HostAccount;
  head: {
    branch: string;
    sha: string;
    /** Null if that repository is gone. */
    repositoryId: string | null;
  };
  base: { branch: string };
  /** Whether its head is in another repository than its base. */
  isFork: boolean;
  labels: string[];
  url: string;
}

export type PullRequestAction =
  | 'opened'
  /** No longer a draft. */
  | 'ready'
  | 'merged'
  | 'closed'
  | 'reopened'
  /** It has another base branch. */
  | 'retargeted'
  /** Its head branch has another commit, after a push or a force-push. */
  | 'pushed';

export interface PullRequestEvent extends Base {
  kind: 'pull_request';
  action: PullRequestAction;
  pullRequest: HostPullRequest;
  /** The description of one that was opened, cut to {@link MAX_BODY} characters; null in other events. */
  body: string | null;
}

/** An issue was opened. */
export interface IssueEvent extends Base {
  kind: 'issue';
  issue: {
    number: number;
    author: HostAccount;
    title: string;
    /** The description, cut to {@link MAX_BODY} characters. */
    body: string;
    url: string;
  };
}

/** An issue or pull request with comments. */
export interface Discussed {
  type: 'issue' | 'pull_request';
  number: number;
}

/** A comment in the conversation of an issue or a pull request. */
export interface CommentEvent extends Base {
  kind: 'comment';
  on: Discussed;
  comment: HostComment;
}

export interface HostComment {
  id: string;
  author: HostAccount;
  /** Markdown, as it was when it was delivered, cut to {@link MAX_BODY} characters. */
  body: string;
  url: string;
  /** The discussion that it is part of, for hosts that answer there (GitLab); null elsewhere. */
  discussionId: string | null;
}

/** A review as a whole. Its comments on lines are separate events. */
export interface ReviewEvent extends Base {
  kind: 'review';
  on: Discussed;
  review: {
    /** For an approval at GitLab, which has no id: the account and the approved commit. */
    id: string;
    author: HostAccount;
    state: 'approved' | 'changes_requested' | 'commented';
    body: string;
    /** The reviewed commit; null if the host does not report it. */
    commit: string | null;
  };
}

/** A comment on lines of a change. */
export interface ReviewCommentEvent extends Base {
  kind: 'review_comment';
  on: Discussed;
  comment: HostComment & {
    path: string;
    /** The last line that it is about, in the new file; null if the line is gone, or was deleted. */
    line: number | null;
    startLine: number | null;
    /** Unified diff around the line; null if the host does not show it. */
    diffHunk: string | null;
    /** The comment that it answers. */
    inReplyTo: string | null;
    /** The review that it is part of. */
    reviewId: string | null;
    commit: string | null;
  };
}

/** A check, build or pipeline of a commit that ended. */
export interface CheckEvent extends Base {
  kind: 'check';
  check: {
    /** Identifies its log: a check run (GitHub), a pipeline (GitLab), a commit status (Gitea). */
    id: string;
    name: string;
    conclusion: 'passed' | 'failed';
    /** The commit that was checked. */
    commit: string;
    /** The branch; null if the host does not report it. */
    branch: string | null;
    /** Its page for people. */
    url: string | null;
  };
}

export interface LabelEvent extends Base {
  kind: 'label';
  on: Discussed;
  action: 'added' | 'removed';
  label: string;
  /** The author; null if it was found by polling. */
  actor: HostAccount | null;
}

/** A branch has another commit, is new, or is gone. */
export interface PushEvent extends Base {
  kind: 'push';
  /** Without `refs/heads/`. */
  branch: string;
  /** Null for a new branch, and if the host does not report it. */
  before: string | null;
  /** Null for a branch that was deleted. */
  after: string | null;
}

/** Characters of a text that an event keeps: as much as GitHub takes. */
const MAX_BODY = 65_536;
/** The end of a diff hunk, which has the line. */
const MAX_HUNK = 8_000;
/** For a title, a name or a path. */
const MAX_NAME = 1_000;
/** For labels. */
const MAX_ITEMS = 100;

/** The event with its texts truncated to what a row stores. */
export function bounded(event: HostEvent): HostEvent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy of the event, with the same fields
  return JSON.parse(JSON.stringify(event, cut)) as HostEvent;
}

function cut(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS);
  if (typeof value !== 'string') return value;
  if (name === 'body') return value.slice(0, MAX_BODY);
  return name === 'diffHunk' ? value.slice(-MAX_HUNK) : value.slice(0, MAX_NAME);
}

/**
 * The event's key in the inbox, the same for every delivery of it and for polling. It identifies the event,
 * not the message.
 */
export function deliveryIdOf(event: HostEvent): string {
  const { repository } = event;
  switch (event.kind) {
    case 'pull_request': {
      const { number, head, base } = event.pullRequest;
      // Unique events need no more; repeatable ones have the commit or the time, to the second.
      const which = {
        opened: '',
        merged: '',
        // Once for each pull request, even if it becomes a draft again.
        ready: '',
        pushed: `:${head.sha}`,
        retargeted: `:${base.branch}:${head.sha}`,
        closed: `:${secondsOf(event.at)}`,
        reopened: `:${secondsOf(event.at)}`,
      };
      return key(`pull_request:${repository.id}#${number}:${event.action}${which[event.action]}`);
    }
    case 'issue':
      return key(`issue:${repository.id}#${event.issue.number}:opened`);
    case 'comment':
      return key(`comment:${repository.id}:${event.comment.id}`);
    case 'review':
      return key(`review:${repository.id}#${event.on.number}:${event.review.id}`);
    case 'review_comment':
      return key(`review_comment:${repository.id}:${event.comment.id}`);
    case 'check':
      return key(`check:${repository.id}:${event.check.commit}:${event.check.id}:${event.check.conclusion}`);
    case 'label': {
      const { type, number } = event.on;
      return key(`label:${repository.id}:${type}#${number}:${event.action}:${event.label}:${secondsOf(event.at)}`);
    }
    case 'push': {
      const after = event.after ?? `deleted:${event.before ?? secondsOf(event.at)}`;
      return key(`push:${repository.id}:${event.branch}:${after}`);
    }
  }
}

function secondsOf(at: string | null): string {
  const ms = Date.parse(at ?? '');
  return Number.isNaN(ms) ? '' : String(Math.floor(ms / 1_000));
}

/** A key that an index takes, with nothing in it that PostgreSQL refuses. */
function key(text: string): string {
  return text.replaceAll('\0', '').slice(0, 1_000);
}
