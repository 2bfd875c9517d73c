import type { CodeHostKind } from '@docent/code-hosts/remote-api';

/** Of the only issue. */
const ISSUE = 900;

export interface Person {
  id: number;
  login: string;
}
type Payload = Record<string, unknown>;

export interface Pull {
  number: number;
  draft: boolean;
  state: 'open' | 'closed' | 'merged';
  author: Person;
  branch: string;
  base: string;
  sha: string;
  labels: string[];
  created: string;
  updated: string;
  ended: string | null;
}

/** A comment in a conversation, or on a line. */
export interface Written {
  id: number;
  author: Person;
  /** When it was sent. */
  at: string;
  /** When its author began to write it: one on a line waits in a review until that is sent. */
  drafted: string;
  on: 'issue' | Pull;
  line: number | null;
  /** The first comment of its thread. */
  thread: number;
}

interface Reviewed {
  id: number;
  author: Person;
  at: string;
  pull: Pull;
  sha: string;
  state: 'approved' | 'changes_requested';
}

interface Checked {
  id: number;
  pull: Pull;
  sha: string;
  passed: boolean;
  at: string;
}

interface Opened {
  number: number;
  author: Person;
  at: string;
}

/** An event for a dialect to deliver. */
export type Happening =
  | { type: 'opened' | 'closed' | 'reopened' | 'ready' | 'retargeted'; pull: Pull }
  | { type: 'label'; pull: Pull; isAdded: boolean; by: Person }
  | { type: 'push'; branch: string; before: string | null; after: string | null; of: Pull | null }
  | { type: 'written'; written: Written }
  | { type: 'reviewed'; reviewed: Reviewed }
  | { type: 'checked'; checked: Checked }
  | { type: 'issue'; issue: Opened };

export interface State {
  readonly pulls: Pull[];
  readonly written: Written[];
  readonly reviewed: Reviewed[];
  readonly checked: Checked[];
  readonly issues: Opened[];
  readonly branches: Map<string, string>;
  issueUpdated: string;
}

/** A host's reports: answers of its API, and deliveries of its webhooks. */
export interface Dialect {
  readonly repository: { id: number; path: string };
  /** Reviews that the host has. */
  readonly reviews: readonly Reviewed['state'][];
  answer(state: State, path: string, query: Readonly<Record<string, string>>): unknown;
  deliveries(happening: Happening): { event: string; payload: Payload }[];
}

/* Answers and deliveries of the three hosts, with the fields that their documentation gives them and Docent reads. */

const BODY = '@docent fix it';
const WEB = 'https://git.example/acme/docs';
const REPOSITORY = { id: 7, full_name: 'acme/docs' };
const ZERO = '0'.repeat(40);
const since = (at: string, from: string | undefined) => at >= (from ?? '');
const number = ({ on }: Written) => (on === 'issue' ? ISSUE : on.number);
const byUpdate = (pulls: readonly Pull[]) => pulls.toSorted((a, b) => (a.updated < b.updated ? 1 : -1));

/** GitHub, and with small differences Gitea. */
function pullOf(pull: Pull, title = 'Fix it'): Payload {
  return {
    number: pull.number,
    title,
    body: BODY,
    draft: pull.draft,
    state: pull.state === 'open' ? 'open' : 'closed',
    user: pull.author,
    html_url: `${WEB}/pull/${pull.number}`,
    labels: pull.labels.map((name) => ({ name })),
    created_at: pull.created,
    updated_at: pull.updated,
    closed_at: pull.ended,
    merged_at: pull.state === 'merged' ? pull.ended : null,
    merged: pull.state === 'merged',
    head: { ref: pull.branch, sha: pull.sha, repo: { id: 7 } },
    base: { ref: pull.base, repo: { id: 7 } },
  };
}

const commentOf = (written: Written): Payload => ({
  id: written.id,
  user: written.author,
  body: BODY,
  html_url: `${WEB}/${written.on === 'issue' ? 'issues' : 'pull'}/${number(written)}#x`,
  created_at: written.drafted,
  updated_at: written.at,
});

const issueOf = ({ number: no, author, at }: Opened): Payload => ({
  number: no,
  title: 'Wrong',
  body: BODY,
  user: author,
  html_url: `${WEB}/issues/${no}`,
  created_at: at,
  updated_at: at,
});

const inConversation = ({ written }: State, from: string | undefined) =>
  written.filter(({ line, at }) => line === null && since(at, from));

/** Each comment on a line at GitHub belongs to a review, and each thread at Gitea. */
const onLine = (written: Written): Payload => ({
  ...commentOf(written),
  path: 'a.md',
  line: written.line,
  pull_request_review_id: written.id,
  ...(written.thread === written.id ? {} : { in_reply_to_id: written.thread }),
});

const reviewOf = ({ id, author, at }: Written): Payload => ({
  id,
  user: author,
  body: '',
  state: 'COMMENTED',
  submitted_at: at,
});

const api = (one: Written) => `https://api.git.example/repos/acme/docs/issues/${number(one)}`;

const send = (event: string, payload: Payload, sender: Person = { id: 1, login: 'ada' }) => [
  { event, payload: { repository: REPOSITORY, sender, ...payload } },
];

const github: Dialect = {
  repository: { id: 7, path: 'acme/docs' },
  reviews: ['approved', 'changes_requested'],

  answer(state, path, query) {
    const [, reviewsOf, checksOf, statusesOf] =
      /^\/(?:pulls\/(\d+)\/reviews|commits\/(\w+)\/check-runs|commits\/(\w+)\/statuses)$/.exec(path) ?? [];
    if (path === '/pulls') {
      return byUpdate(state.pulls.filter((pull) => query.state === 'all' || pull.state === 'open')).map((one) =>
        pullOf(one),
      );
    }
    if (path === '/issues/comments') {
      return inConversation(state, query.since).map((one) => ({ ...commentOf(one), issue_url: api(one) }));
    }
    if (path === '/issues') return state.issues.filter(({ at }) => since(at, query.since)).map(issueOf);
    if (path === '/pulls/comments') {
      return state.written
        .filter(({ line, at }) => line !== null && since(at, query.since))
        .map((one) => ({ ...onLine(one), pull_request_url: api(one) }));
    }
    if (path === '/branches') return [...state.branches].map(([name, sha]) => ({ name, commit: { sha } }));
    if (reviewsOf) {
      const lines = state.written.filter((one) => one.line !== null && number(one) === Number(reviewsOf));
      const reviews = state.reviewed.filter(({ pull }) => pull.number === Number(reviewsOf));
      return [...reviews.map((one) => githubReview(one)), ...lines.map(reviewOf)];
    }
    if (checksOf) return { check_runs: state.checked.filter(({ sha }) => sha === checksOf).map((one) => runOf(one)) };
    return statusesOf ? [] : undefined;
  },

  deliveries(happening) {
    switch (happening.type) {
      case 'written': {
        const { written } = happening;
        const [issue, comment] = [{ number: number(written) }, commentOf(written)];
        if (written.line !== null) {
          const [of, made] = [{ pull_request: issue }, { action: 'created', comment: onLine(written) }];
          return [
            ...send('pull_request_review', { ...of, action: 'submitted', review: reviewOf(written) }),
            ...send('pull_request_review_comment', { ...of, ...made }),
          ];
        }
        const on = written.on === 'issue' ? issue : { ...issue, pull_request: {} };
        return send('issue_comment', { action: 'created', issue: on, comment });
      }
      case 'reviewed': {
        const { reviewed } = happening;
        const pull = { number: reviewed.pull.number };
        return send('pull_request_review', { action: 'submitted', pull_request: pull, review: githubReview(reviewed) });
      }
      case 'issue':
        return send('issues', { action: 'opened', issue: issueOf(happening.issue) });
      case 'checked': {
        const { checked } = happening;
        const run = { ...runOf(checked), check_suite: { head_branch: checked.pull.branch } };
        return send('check_run', { action: 'completed', check_run: run });
      }
      case 'push': {
        const { branch, before, after, of } = happening;
        const pushed = of ? send('pull_request', { action: 'synchronize', pull_request: pullOf(of) }) : [];
        return [
          ...send('push', { ref: `refs/heads/${branch}`, before: before ?? ZERO, after: after ?? ZERO }),
          ...pushed,
        ];
      }
      case 'label': {
        const [action, label] = [happening.isAdded ? 'labeled' : 'unlabeled', { name: 'docs' }];
        return send('pull_request', { action, label, pull_request: pullOf(happening.pull) }, happening.by);
      }
      default: {
        const action = { ready: 'ready_for_review', retargeted: 'edited' }[happening.type as string] ?? happening.type;
        const changes = happening.type === 'retargeted' ? { changes: { base: {} } } : {};
        return send('pull_request', { action, pull_request: pullOf(happening.pull), ...changes });
      }
    }
  },
};

const githubReview = ({ id, author, at, sha, state }: State['reviewed'][number]): Payload => ({
  id,
  user: author,
  body: '',
  state,
  commit_id: sha,
  submitted_at: at,
});

const runOf = ({ id, sha, passed, at }: State['checked'][number]): Payload => ({
  id,
  name: 'ci',
  head_sha: sha,
  status: 'completed',
  conclusion: passed ? 'success' : 'failure',
  completed_at: at,
});

/** Its lists do not show drafts by their own field in every version: titles do. */
const titleOf = ({ draft }: Pull) => (draft ? 'WIP: Fix it' : 'Fix it');

const gitea: Dialect = {
  repository: { id: 7, path: 'acme/docs' },
  reviews: ['approved', 'changes_requested'],

  answer(state, path, query) {
    const [, ofPull = '', review, statusesOf] =
      /^\/(?:pulls\/(\d+)\/reviews(?:\/(\d+)\/comments)?|commits\/(\w+)\/statuses)$/.exec(path) ?? [];
    if (path === '/pulls') {
      const shown = state.pulls.filter((pull) => query.state === 'all' || pull.state === 'open');
      return byUpdate(shown).map((one) => pullOf(one, titleOf(one)));
    }
    if (path === '/issues') return state.issues.filter(({ at }) => since(at, query.since)).map(issueOf);
    if (path === '/issues/comments') {
      return inConversation(state, query.since).map((one) => ({
        ...commentOf(one),
        issue_url: one.on === 'issue' ? `${WEB}/issues/${ISSUE}` : '',
        pull_request_url: one.on === 'issue' ? '' : `${WEB}/pulls/${number(one)}`,
      }));
    }
    if (path === '/branches') return [...state.branches].map(([name, id]) => ({ name, commit: { id } }));
    const lines = state.written.filter((one) => one.line !== null && String(number(one)) === ofPull);
    if (review) {
      // Replies are part of the review that began the thread.
      return lines
        .filter(({ thread }) => thread === Number(review))
        .map((one) => ({ ...commentOf(one), path: 'a.md', position: one.line, pull_request_review_id: one.thread }));
    }
    if (ofPull) {
      const reviews = state.reviewed.filter(({ pull }) => String(pull.number) === ofPull);
      return [
        ...reviews.map((one) => ({
          ...githubReview(one),
          state: one.state === 'approved' ? 'APPROVED' : 'REQUEST_CHANGES',
          comments_count: 0,
        })),
        ...lines
          .filter(({ id, thread }) => id === thread)
          .map((one) => ({
            id: one.id,
            user: one.author,
            body: '',
            state: 'COMMENT',
            // When its author began it.
            submitted_at: one.drafted,
            updated_at: one.at,
            comments_count: lines.filter(({ thread }) => thread === one.id).length,
          })),
      ];
    }
    if (!statusesOf) return undefined;
    return state.checked
      .filter(({ sha }) => sha === statusesOf)
      .map(({ id, passed, at }) => ({ id, context: 'ci', status: passed ? 'success' : 'failure', updated_at: at }));
  },

  deliveries(happening) {
    switch (happening.type) {
      case 'written': {
        const { written } = happening;
        // It has neither the review's id nor the comment. A reply comes as one in the conversation.
        if (written.line !== null && written.thread === written.id)
          return send('pull_request_comment', { action: 'reviewed' });
        const [comment, isPull] = [commentOf(written), written.on !== 'issue'];
        const issue = { number: number(written) };
        return send('issue_comment', { action: 'created', issue, comment, is_pull: isPull });
      }
      case 'reviewed': {
        const event = happening.reviewed.state === 'approved' ? 'approved' : 'rejected';
        return send(`pull_request_review_${event}`, { action: 'reviewed' });
      }
      case 'issue':
        return send('issues', { action: 'opened', issue: issueOf(happening.issue) });
      case 'checked': {
        const { id, sha, passed, at } = happening.checked;
        const state = passed ? 'success' : 'failure';
        return send('status', { id, sha, context: 'ci', state, updated_at: at });
      }
      case 'push': {
        const { branch, before, after, of } = happening;
        if (after === null) return send('delete', { ref: branch, ref_type: 'branch' });
        const pull = of && { action: 'synchronized', pull_request: pullOf(of, titleOf(of)) };
        const pushed = pull ? send('pull_request', pull) : [];
        return [
          ...send('push', { ref: `refs/heads/${branch}`, before: before ?? ZERO, after: after ?? ZERO }),
          ...pushed,
        ];
      }
      case 'label':
        return send('pull_request', { action: 'label_updated', pull_request: pullOf(happening.pull) });
      default: {
        const { pull, type } = happening;
        const pulled = pullOf(pull, titleOf(pull));
        if (type === 'ready') {
          const changes = { title: { from: 'WIP: Fix it' } };
          return send('pull_request', { action: 'edited', pull_request: pulled, changes });
        }
        if (type === 'retargeted') {
          const changes = { ref: { from: pull.base === 'main' ? 'next' : 'main' } };
          return send('pull_request', { action: 'edited', pull_request: pulled, changes });
        }
        return send('pull_request', { action: type, pull_request: pulled });
      }
    }
  },
};

const accountOf = ({ id, login }: { id: number; login: string }) => ({ id, username: login });
const requestState = ({ state }: Pull) => (state === 'open' ? 'opened' : state);

function requestOf(pull: Pull): Payload {
  return {
    iid: pull.number,
    title: 'Fix it',
    description: BODY,
    state: requestState(pull),
    draft: pull.draft,
    source_branch: pull.branch,
    target_branch: pull.base,
    source_project_id: 7,
    target_project_id: 7,
    created_at: pull.created,
    updated_at: pull.updated,
  };
}

const url = ({ number: no }: Opened) => `${WEB}/-/issues/${no}`;

const reportedIssue = ({ number: iid, at }: Opened): Payload & { updated_at: string } => ({
  iid,
  title: 'Wrong',
  description: BODY,
  created_at: at,
  updated_at: at,
});

const gitlab: Dialect = {
  repository: { id: 7, path: 'acme/docs' },
  // A review that asks for changes is neither in its API nor in its webhooks.
  reviews: ['approved'],

  answer(state, path, query) {
    const [, type, iid = '', what] =
      /^\/(merge_requests|issues)\/(\d+)\/(discussions|approvals|pipelines)$/.exec(path) ?? [];
    if (path === '/merge_requests') {
      const shown = state.pulls.filter((pull) =>
        query.state === 'opened' ? pull.state === 'open' : since(pull.updated, query.updated_after),
      );
      return byUpdate(shown).map((pull) => ({
        ...requestOf(pull),
        author: accountOf(pull.author),
        sha: pull.sha,
        labels: pull.labels,
        web_url: `${WEB}/-/merge_requests/${pull.number}`,
        closed_at: pull.state === 'closed' ? pull.ended : null,
        merged_at: pull.state === 'merged' ? pull.ended : null,
      }));
    }
    if (path === '/issues') {
      const issue = {
        iid: ISSUE,
        web_url: `${WEB}/-/issues/${ISSUE}`,
        created_at: '2020-01-01T00:00:00Z',
        updated_at: state.issueUpdated,
      };
      const opened = state.issues.map((one) => ({
        ...reportedIssue(one),
        author: accountOf(one.author),
        web_url: url(one),
      }));
      const all = [...opened, issue] as { updated_at: string }[];
      return all.filter(({ updated_at: at }) => since(at, query.updated_after));
    }
    if (path === '/repository/branches') return [...state.branches].map(([name, id]) => ({ name, commit: { id } }));
    if (what === 'discussions') {
      const there = state.written.filter(
        (one) => String(number(one)) === iid && (one.on === 'issue') === (type === 'issues'),
      );
      return [...Map.groupBy(there, ({ thread }) => thread)].map(([thread, notes]) => ({
        id: `d${thread}`,
        notes: notes.map(noteOf),
      }));
    }
    if (what === 'approvals') {
      const ofHead = state.reviewed.filter(({ pull, sha }) => String(pull.number) === iid && sha === pull.sha);
      return { approved_by: ofHead.map(({ author, at }) => ({ user: accountOf(author), approved_at: at })) };
    }
    if (what !== 'pipelines') return undefined;
    return state.checked
      .filter(({ pull }) => String(pull.number) === iid)
      .map(({ id, sha, passed, at }) => ({ id, sha, status: passed ? 'success' : 'failed', updated_at: at }));
  },

  deliveries(happening) {
    const project = { id: 7, path_with_namespace: 'acme/docs' };
    const report = (kind: string, payload: Payload) => [
      { event: 'System Hook', payload: { object_kind: kind, project, ...payload } },
    ];
    const merge = (pull: Pull, action: string, more: Payload = {}, attributes: Payload = {}) =>
      report('merge_request', {
        user: accountOf(pull.author),
        labels: pull.labels.map((title) => ({ title })),
        object_attributes: {
          ...requestOf(pull),
          author_id: pull.author.id,
          last_commit: { id: pull.sha },
          url: `${WEB}/-/merge_requests/${pull.number}`,
          action,
          ...attributes,
        },
        ...more,
      });
    switch (happening.type) {
      case 'written': {
        const { written } = happening;
        const isIssue = written.on === 'issue';
        const place = isIssue ? { issue: { iid: ISSUE } } : { merge_request: { iid: number(written) } };
        const { author, body: note, ...rest } = noteOf(written);
        const page = isIssue ? `issues/${ISSUE}` : `merge_requests/${number(written)}`;
        return report('note', {
          user: author,
          object_attributes: {
            ...rest,
            note,
            noteable_type: isIssue ? 'Issue' : 'MergeRequest',
            action: 'create',
            discussion_id: `d${written.thread}`,
            url: `${WEB}/-/${page}#note_${written.id}`,
          },
          ...place,
        });
      }
      case 'reviewed': {
        const { author, pull } = happening.reviewed;
        return merge(pull, 'approved', { user: accountOf(author) });
      }
      case 'issue': {
        const { issue } = happening;
        const object_attributes = { ...reportedIssue(issue), action: 'open', url: url(issue) };
        return report('issue', { user: accountOf(issue.author), object_attributes });
      }
      case 'checked': {
        const { id, pull, sha, passed, at } = happening.checked;
        const object_attributes = { id, status: passed ? 'success' : 'failed', ref: pull.branch, sha, finished_at: at };
        return report('pipeline', { object_attributes });
      }
      case 'push': {
        const { branch, before, after, of } = happening;
        const pushed = of ? merge(of, 'update', {}, { oldrev: before }) : [];
        return [
          ...report('push', { ref: `refs/heads/${branch}`, before: before ?? ZERO, after: after ?? ZERO }),
          ...pushed,
        ];
      }
      case 'label': {
        const { pull, isAdded, by } = happening;
        const [none, one] = [[], [{ title: 'docs' }]];
        const labels = { previous: isAdded ? none : one, current: isAdded ? one : none };
        return merge(pull, 'update', { user: accountOf(by), changes: { labels } });
      }
      case 'ready':
        return merge(happening.pull, 'update', { changes: { draft: { previous: true, current: false } } });
      case 'retargeted':
        return merge(happening.pull, 'update', { changes: { target_branch: {} } });
      default: {
        const { pull, type } = happening;
        const actions = { opened: 'open', reopened: 'reopen', closed: pull.state === 'merged' ? 'merge' : 'close' };
        return merge(pull, actions[type]);
      }
    }
  },
};

function noteOf({ id, author, at, line, on }: Written): Payload & { author: Payload; body: string } {
  const sha = on === 'issue' ? null : on.sha;
  const position = { new_path: 'a.md', new_line: line, head_sha: sha };
  const where = line === null ? { type: null } : { type: 'DiffNote', position };
  return { id, author: accountOf(author), body: BODY, created_at: at, system: false, ...where };
}

export const DIALECTS: Readonly<Record<CodeHostKind, Dialect>> = { github, gitlab, gitea };
