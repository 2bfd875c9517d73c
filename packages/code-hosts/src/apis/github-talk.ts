import { z } from 'zod';
import { IssueComment, ReviewComment } from '../events/github-events.ts';
import { id, text } from '../events/payload-fields.ts';
import type { HostTalk, TalkComment, TalkSubject } from '../talk.ts';
import { orMissing, type GitHubClient } from './github-client.ts';
import { githubChecks } from './github-status.ts';
import type { ReadText } from '../host-fetch.ts';

const Permission = z.object({ permission: z.string(), user: z.object({ id }).nullish() });
const Made = z.object({ id });
const Review = z.object({ state: z.string() });

/** REST identifies a thread by its first comment. GraphQL, which alone can resolve it, uses a separate id. */
const Threads = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        nodes: z.array(
          z.object({
            id: z.string(),
            isResolved: z.boolean(),
            comments: z.object({ nodes: z.array(z.object({ databaseId: z.int().nullish() })) }),
          }),
        ),
      }),
    }),
  }),
});
const THREADS = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) {
    reviewThreads(last: 100) { nodes { id isResolved comments(first: 1) { nodes { databaseId } } } }
  } }
}`;
const RESOLVE = `mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }`;

const READY = `mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { id } } }`;
const Draft = z.object({ node_id: z.string(), draft: z.boolean().nullish() });

/** What happened to an issue or a pull request, oldest first. */
const IssueEvent = z.object({
  id,
  event: z.string(),
  actor: z.object({ id, login: z.string() }).nullish(),
  label: z.object({ name: z.string() }).nullish(),
});

const User = z
  .object({ id, login: z.string() })
  .nullish()
  .transform((found) => found ?? { id: '-1', login: 'ghost' });
const Subject = z.object({ title: z.string(), body: text, user: User, html_url: z.string(), state: z.string() });
const Repository = z.object({ id }).nullish();
const PullSubject = Subject.extend({
  head: z.object({ ref: z.string(), sha: z.string().nullish(), repo: Repository }),
  base: z.object({ repo: Repository }),
});

/** Of a commit in a pull request: GitHub and Gitea return the same fields. */
export const PullCommit = z.object({
  sha: z.string(),
  commit: z.object({ message: text, author: z.object({ name: text }).nullish() }),
});
export const commitIn = ({ sha, commit: { message, author } }: z.output<typeof PullCommit>) => ({
  id: sha,
  message,
  authorName: author?.name ?? '',
});

const PAGE = 100;
const MAX_PAGES = 10;

export interface GitHubTalkOptions {
  client: GitHubClient;
  at: { owner: string; repo: string };
  isPrivate: boolean;
  ask: <T>(doing: string, call: () => Promise<T>) => Promise<T>;
  ownAccount: () => Promise<string>;
  readText: ReadText;
}

/** https://docs.github.com/en/rest/issues/comments, …/pulls/comments, …/reactions, …/collaborators */
export function githubTalk({ client, at, isPrivate, ask, ownAccount, readText }: GitHubTalkOptions): HostTalk {
  const { rest } = client;

  /** All comments on lines of a pull request. */
  async function lines(number: number): Promise<z.output<typeof ReviewComment>[]> {
    return pages(ReviewComment, (page) =>
      rest.pulls.listReviewComments({ ...at, pull_number: number, per_page: PAGE, page }),
    );
  }

  return {
    isPrivate,
    ownAccount: () => ask('ask who it belongs to', ownAccount),

    mayWrite: (account) =>
      ask('ask for the permission of an account', async () => {
        const asked = rest.repos.getCollaboratorPermissionLevel({ ...at, username: account.login });
        const found = await orMissing(asked.then(({ data }) => Permission.parse(data)));
        return found?.user?.id === account.id && (found.permission === 'admin' || found.permission === 'write');
      }),

    subject: ({ type, number }) =>
      ask('read what a comment is about', async () => {
        const asked =
          type === 'issue'
            ? rest.issues.get({ ...at, issue_number: number })
            : rest.pulls.get({ ...at, pull_number: number });
        const found = await orMissing<{ data: unknown }>(asked, [404, 410]);
        return found && (type === 'issue' ? issueSubjectIn(found.data) : pullSubjectIn(found.data));
      }),

    diff: (number) =>
      ask('read the changes of a pull request', async () => {
        const asked = rest.pulls.get({ ...at, pull_number: number, mediaType: { format: 'diff' } });
        return z
          .string()
          .nullable()
          .parse(
            await orMissing(
              asked.then(({ data }: { data: unknown }) => data),
              [404, 406],
            ),
          );
      }),

    commits: (number) =>
      ask('read the commits of a pull request', async () => {
        const found = await orMissing(
          pages(PullCommit, (page) => rest.pulls.listCommits({ ...at, pull_number: number, per_page: PAGE, page })),
        );
        return found && found.map(commitIn);
      }),

    markReady: (number) =>
      ask('make the pull request ready', async () => {
        const pull = Draft.parse((await rest.pulls.get({ ...at, pull_number: number })).data);
        if (pull.draft === true) await client.graphql(READY, { id: pull.node_id });
      }),

    react: ({ kind, id: of }) =>
      ask('react to a comment', async () => {
        const content = { ...at, comment_id: Number(of), content: 'eyes' } as const;
        if (kind === 'description') {
          await rest.reactions.createForIssue({ ...at, issue_number: Number(of), content: 'eyes' });
        }
        if (kind === 'comment') await orMissing(rest.reactions.createForIssueComment(content));
        if (kind === 'review_comment') await orMissing(rest.reactions.createForPullRequestReviewComment(content));
      }),

    comments: (place) =>
      ask('read comments', async () => {
        const { number } = place.on;
        if (place.threadId === null) {
          const found = await pages(IssueComment, (page) =>
            rest.issues.listComments({ ...at, issue_number: number, per_page: PAGE, page }),
          );
          return found.map(shown);
        }
        const ofThread = ({ id: own, in_reply_to_id: root }: z.output<typeof ReviewComment>) =>
          (root ?? own) === place.threadId;
        return (await lines(number)).filter(ofThread).map(shown);
      }),

    reply: ({ on: { number }, threadId }, body) =>
      ask('write a comment', async () => {
        const made =
          threadId === null
            ? await rest.issues.createComment({ ...at, issue_number: number, body })
            : await rest.pulls.createReplyForReviewComment({
                ...at,
                pull_number: number,
                comment_id: Number(threadId),
                body,
              });
        return Made.parse(made.data).id;
      }),

    edit: ({ threadId }, own, body) =>
      ask('edit a comment', async () => {
        const edited = { ...at, comment_id: Number(own), body };
        const asked = threadId === null ? rest.issues.updateComment(edited) : rest.pulls.updateReviewComment(edited);
        return (await orMissing<unknown>(asked)) !== null;
      }),

    resolve: ({ on: { number }, threadId }) =>
      ask('resolve a thread', async () => {
        if (threadId === null) return false;
        const found = Threads.parse(await client.graphql(THREADS, { ...at, number }));
        const thread = found.repository.pullRequest.reviewThreads.nodes.find(
          ({ comments }) => String(comments.nodes[0]?.databaseId) === threadId,
        );
        if (thread && !thread.isResolved) await client.graphql(RESOLVE, { id: thread.id });
        return thread !== undefined;
      }),

    checks: (ref) => ask('read the checks', () => githubChecks(rest, at, ref)),

    lineOf: async () => null,

    // The API returns an address at another host, which is valid for a minute and needs no credential.
    checkLog: (logId) =>
      ask('read the log of a check', async () => {
        const request = { redirect: 'manual' } as const;
        const job = { ...at, job_id: Number(logId), request };
        const asked = await orMissing(
          client.request('GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs', job),
          [403, 404, 410],
        );
        return asked?.headers.location ? readText(asked.headers.location) : null;
      }),

    labeled: (number, label) =>
      ask('read labels', async () => {
        const events = await pages(IssueEvent, (page) =>
          rest.issues.listEvents({ ...at, issue_number: number, per_page: PAGE, page }),
        );
        const last = events.findLast(({ event, label: of }) => /^(?:un)?labeled$/.test(event) && of?.name === label);
        return last?.event === 'labeled' && last.actor ? { id: last.id, by: last.actor } : null;
      }),

    lineComments: (number) =>
      ask('read comments on lines', async () =>
        (await lines(number)).map((one) => ({ ...shown(one), path: one.path, line: one.line ?? null })),
      ),

    commentOnLines: (number, commit, comments) =>
      ask('comment on lines', async () => {
        const onLines = comments.map(({ path, line, body }) => ({ path, line, body, side: 'RIGHT' }));
        const review = { event: 'COMMENT', commit_id: commit, comments: onLines } as const;
        await rest.pulls.createReview({ ...at, pull_number: number, ...review });
      }),

    review: (number, of) =>
      ask('read a review', async () => {
        const asked = rest.pulls.getReview({ ...at, pull_number: number, review_id: Number(of) });
        const review = await orMissing(asked.then(({ data }) => Review.parse(data)));
        if (!review) return null;
        const found = (await lines(number)).filter((line) => line.pull_request_review_id === of);
        return {
          isChangeRequest: review.state.toUpperCase() === 'CHANGES_REQUESTED',
          lines: found.map((line) => ({
            ...shown(line),
            path: line.path,
            line: line.line ?? null,
            diffHunk: line.diff_hunk ?? null,
            threadId: line.in_reply_to_id ?? line.id,
          })),
        };
      }),
  };
}

type SubjectShown = z.output<typeof Subject>;

function subjectIn({ title, body, user: author, html_url: url, state }: SubjectShown): TalkSubject {
  return { title, body, author, url, isOpen: state === 'open', ownBranch: null, headCommit: null };
}

/** Also of Gitea. */
export function pullSubjectIn(answer: unknown): TalkSubject {
  const { head, base, ...pull } = PullSubject.parse(answer);
  const isOwn = head.repo?.id !== undefined && head.repo.id === base.repo?.id;
  return { ...subjectIn(pull), ownBranch: isOwn ? head.ref : null, headCommit: head.sha ?? null };
}

export function issueSubjectIn(answer: unknown): TalkSubject {
  return subjectIn(Subject.parse(answer));
}

function shown({ id: own, user, body }: z.output<typeof IssueComment>): TalkComment {
  return { id: own, author: user, body };
}

async function pages<T>(item: z.ZodType<T>, list: (page: number) => Promise<{ data: unknown }>): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const some = z.array(item).parse((await list(page)).data);
    all.push(...some);
    if (some.length < PAGE) break;
  }
  return all;
}
