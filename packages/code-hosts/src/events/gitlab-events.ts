import { z } from 'zod';
import type {
  CheckEvent,
  HostAccount,
  HostEvent,
  HostPullRequest,
  HostRepository,
  IssueEvent,
  LabelEvent,
  PullRequestAction,
  PullRequestEvent,
  ReviewEvent,
} from './host-event.ts';
import { id, ignoredEvent, instant, readPayload, readPush, sha, text, type Reading } from './payload-fields.ts';

/* GitLab's webhooks: https://docs.gitlab.com/user/project/integrations/webhook_events/ */

const Project = z
  .object({ id, path_with_namespace: z.string() })
  .transform((found): HostRepository => ({ id: found.id, path: found.path_with_namespace }));

export const Account = z
  .object({ id, username: z.string() })
  .transform((found): HostAccount => ({ id: found.id, login: found.username }));

const Label = z.object({ title: z.string() });
const LabelChange = z.object({ previous: z.array(Label), current: z.array(Label) });

const MergeRequest = z.object({
  iid: z.int(),
  title: z.string(),
  description: text,
  state: z.string(),
  draft: z.boolean().nullish(),
  work_in_progress: z.boolean().nullish(),
  author_id: id,
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: id.nullish(),
  target_project_id: id,
  last_commit: z.object({ id: sha }).nullish(),
  url: text,
  created_at: instant,
  updated_at: instant,
});

const MergeRequestPayload = z.object({
  user: Account,
  project: Project,
  object_attributes: MergeRequest.extend({ action: text, oldrev: z.string().nullish() }),
  labels: z.array(Label).nullish(),
  changes: z
    .object({
      labels: LabelChange,
      draft: z.object({ previous: z.boolean().nullish(), current: z.boolean().nullish() }),
      target_branch: z.unknown(),
    })
    .partial()
    .nullish(),
});

const NotePayload = z.object({
  user: Account,
  project: Project,
  object_attributes: z.object({
    id,
    note: text,
    noteable_type: z.string(),
    system: z.boolean().nullish(),
    action: z.string().nullish(),
    discussion_id: z.string().nullish(),
    url: text,
    created_at: instant,
    type: z.string().nullish(),
    position: z
      .object({
        new_path: z.string().nullish(),
        old_path: z.string().nullish(),
        new_line: z.int().nullish(),
        head_sha: sha.nullish().catch(null),
        line_range: z
          .object({ start: z.object({ new_line: z.int().nullish() }).nullish() })
          .nullish()
          .catch(null),
      })
      .nullish(),
    st_diff: z.object({ diff: z.string().nullish() }).nullish(),
  }),
  merge_request: z.object({ iid: z.int() }).nullish(),
  issue: z.object({ iid: z.int() }).nullish(),
});

const PipelinePayload = z.object({
  project: Project,
  object_attributes: z.object({
    id,
    name: z.string().nullish(),
    status: z.string(),
    ref: z.string(),
    sha,
    url: z.string().nullish(),
    finished_at: instant,
  }),
  merge_request: z.object({ source_branch: z.string() }).nullish(),
});

const IssuePayload = z.object({
  user: Account,
  project: Project,
  object_attributes: z.object({
    iid: z.int(),
    action: text,
    title: text,
    description: text,
    url: text,
    created_at: instant,
    updated_at: instant,
  }),
  changes: z.object({ labels: LabelChange }).partial().nullish(),
});

const PushPayload = z.object({ ref: z.string(), before: z.string(), after: z.string(), project: Project });

const ACTIONS: Readonly<Record<string, PullRequestAction>> = {
  open: 'opened',
  merge: 'merged',
  close: 'closed',
  reopen: 'reopened',
};

/**
 * @param event the value of `X-Gitlab-Event`, such as `Note Hook`; a system hook names its kind in its body
 */
export function readGitLabDelivery(event: string, payload: unknown): Reading {
  const named = z.object({ object_kind: z.string() }).safeParse(payload);
  const kind = named.success ? named.data.object_kind : event;
  switch (kind) {
    case 'merge_request':
      return readPayload(MergeRequestPayload, payload, readMergeRequest);
    case 'note':
      return readPayload(NotePayload, payload, readNote);
    case 'pipeline':
      return readPayload(PipelinePayload, payload, ({ project, object_attributes: found, merge_request: request }) => {
        const branch = found.ref.startsWith('refs/') ? (request?.source_branch ?? null) : found.ref;
        const check = pipelineEvent(project, branch, { ...found, web_url: found.url });
        return check ? { events: [check] } : { ignored: `The pipeline is ${found.status}, not a result.` };
      });
    case 'issue':
      return readPayload(IssuePayload, payload, ({ user: actor, project, object_attributes: issue, changes }) => {
        if (issue.action === 'open') return { events: [openedIssue(project, actor, issue)] };
        const on = { type: 'issue', number: issue.iid } as const;
        const events = changes?.labels
          ? gitlabLabelEvents(project, on, { ...namesOf(changes.labels), actor, at: issue.updated_at })
          : [];
        return events.length > 0 ? { events } : { ignored: 'No label of the issue changed.' };
      });
    case 'push':
      return readPayload(PushPayload, payload, ({ project, ...push }) => readPush(project, push));
    case 'build':
      return { ignored: 'Docent takes this from the event `Pipeline Hook`.' };
    default:
      return ignoredEvent(kind);
  }
}

function readMergeRequest(found: z.output<typeof MergeRequestPayload>): Reading {
  const { user: actor, project, object_attributes: request, changes } = found;
  const pullRequest = pullRequestOf(found);
  if (!pullRequest) return { ignored: 'The merge request has no commit yet.' };
  const events: HostEvent[] = [];
  const add = (action: PullRequestAction) => {
    const at = action === 'opened' ? request.created_at : request.updated_at;
    const body = action === 'opened' ? request.description : null;
    events.push({
      kind: 'pull_request',
      repository: project,
      at,
      action,
      pullRequest,
      body,
    } satisfies PullRequestEvent);
  };
  const known = ACTIONS[request.action];
  if (known) add(known);
  if (request.action === 'update') {
    if (request.oldrev) add('pushed');
    if (changes?.draft?.previous === true && changes.draft.current === false) add('ready');
    if (changes?.target_branch) add('retargeted');
  }
  const on = { type: 'pull_request', number: request.iid } as const;
  if (changes?.labels) {
    events.push(...gitlabLabelEvents(project, on, { ...namesOf(changes.labels), actor, at: request.updated_at }));
  }
  if (request.action === 'approved' || request.action === 'approval') {
    events.push(
      approvalEvent(project, request.iid, { author: actor, commit: pullRequest.head.sha, at: request.updated_at }),
    );
  }
  if (events.length > 0) return { events };
  return { ignored: `Docent does not use the action \`${request.action.slice(0, 100)}\` of merge requests.` };
}

/** If the sender is not the author, the sender opens an issue for the author, who wrote its text. */
function openedIssue(
  repository: HostRepository,
  author: HostAccount,
  found: z.output<typeof IssuePayload>['object_attributes'],
): IssueEvent {
  const { iid: number, title, description: body, url, created_at: at } = found;
  return { kind: 'issue', repository, at, issue: { number, author, title, body, url } };
}

/** Null for one that GitLab is still making. */
function pullRequestOf(found: z.output<typeof MergeRequestPayload>): HostPullRequest | null {
  const { user, object_attributes: request, labels } = found;
  if (!request.last_commit) return null;
  const isAuthor = user.id === request.author_id;
  return {
    number: request.iid,
    title: request.title,
    isDraft: request.draft ?? request.work_in_progress ?? false,
    state: stateOf(request.state),
    // The payload has the author's id alone.
    author: { id: request.author_id, login: isAuthor ? user.login : '' },
    head: {
      branch: request.source_branch,
      sha: request.last_commit.id,
      repositoryId: request.source_project_id ?? null,
    },
    base: { branch: request.target_branch },
    isFork: request.source_project_id !== request.target_project_id,
    labels: (labels ?? []).map(({ title }) => title),
    url: request.url,
  };
}

export function stateOf(state: string): HostPullRequest['state'] {
  if (state === 'merged') return 'merged';
  return state === 'closed' ? 'closed' : 'open';
}

function readNote(found: z.output<typeof NotePayload>): Reading {
  const { user: author, project: repository, object_attributes: note, merge_request: request, issue } = found;
  if (note.system) return { ignored: 'GitLab wrote the note.' };
  if (note.action === 'update') return { ignored: 'Docent does not use edits of comments.' };
  const on = discussedIn(note.noteable_type, request?.iid, issue?.iid);
  if (!on) return { ignored: `Docent does not use comments on a ${note.noteable_type.slice(0, 100)}.` };
  const { id: noteId, note: body, url, discussion_id: discussionId = null } = note;
  const comment = { id: noteId, author, body, url, discussionId };
  const { position } = note;
  if (note.type !== 'DiffNote' || !position) {
    return { events: [{ kind: 'comment', repository, at: note.created_at, on, comment }] };
  }
  const onLine = {
    ...comment,
    path: position.new_path ?? position.old_path ?? '',
    line: position.new_line ?? null,
    startLine: position.line_range?.start?.new_line ?? null,
    diffHunk: note.st_diff?.diff ?? null,
    inReplyTo: null,
    reviewId: null,
    commit: position.head_sha ?? null,
  };
  return { events: [{ kind: 'review_comment', repository, at: note.created_at, on, comment: onLine }] };
}

function discussedIn(type: string, request: number | undefined, issue: number | undefined) {
  if (type === 'MergeRequest' && request !== undefined) return { type: 'pull_request', number: request } as const;
  if (type === 'Issue' && issue !== undefined) return { type: 'issue', number: issue } as const;
  return null;
}

/** An approval has no id, and can be taken back and given again: for the same commit, that is one event. */
export function approvalEvent(
  repository: HostRepository,
  number: number,
  { author, commit, at }: { author: HostAccount; commit: string; at: string | null },
): ReviewEvent {
  const review = { id: `approval-${author.id}-${commit}`, author, state: 'approved', body: '', commit } as const;
  return { kind: 'review', repository, at, on: { type: 'pull_request', number }, review };
}

/** Null for one that has not ended, or was canceled. */
export function pipelineEvent(
  repository: HostRepository,
  branch: string | null,
  found: {
    id: string;
    name?: string | null | undefined;
    status: string;
    sha: string;
    web_url?: string | null | undefined;
    finished_at: string | null;
  },
): CheckEvent | null {
  if (found.status !== 'success' && found.status !== 'failed') return null;
  const check = {
    id: found.id,
    name: found.name ?? 'pipeline',
    conclusion: found.status === 'success' ? 'passed' : 'failed',
    commit: found.sha,
    branch,
    url: found.web_url ?? null,
  } as const;
  return { kind: 'check', repository, at: found.finished_at, check };
}

export function gitlabLabelEvents(
  repository: HostRepository,
  on: LabelEvent['on'],
  { before, after, actor, at }: { before: string[]; after: string[] } & Pick<LabelEvent, 'actor' | 'at'>,
): LabelEvent[] {
  const changed = (action: LabelEvent['action'], labels: string[], others: string[]) =>
    labels
      .filter((label) => !others.includes(label))
      .map((label): LabelEvent => ({ kind: 'label', repository, on, action, label, actor, at }));
  return [...changed('added', after, before), ...changed('removed', before, after)];
}

function namesOf({ previous, current }: z.output<typeof LabelChange>): { before: string[]; after: string[] } {
  return { before: previous.map(({ title }) => title), after: current.map(({ title }) => title) };
}
