import { z } from 'zod';
import type { Api, ReviewStateType } from 'gitea-js';
import { id, text } from '../events/payload-fields.ts';
import type { HostTalk, TalkComment } from '../talk.ts';
import { orMissing } from './answer-problem.ts';
import { commitIn, issueSubjectIn, PullCommit, pullSubjectIn } from './github-talk.ts';
import { checksIn, CombinedStatus } from './gitea-status.ts';

const User = z.object({ id });
const Permission = z.object({ permission: z.string(), user: z.object({ id }).nullish() });
/** Deleted accounts have none. */
const Author = z
  .object({ id, login: z.string() })
  .nullish()
  .transform((found) => found ?? { id: '-1', login: 'Ghost' });
const Comment = z.object({ id, body: text, user: Author });
const Line = Comment.extend({
  path: text,
  position: z.int().nullish(),
  diff_hunk: text,
});
const Review = z.object({ state: z.string() });
const OfReview = z.object({ id, user: z.object({ id }).nullish(), comments_count: z.int().nullish() });
/** The newest in which a comment is looked for. */
const MAX_REVIEWS = 30;
/** For a label, the body says whether it was added: `1`. */
const Happened = z.object({
  id,
  type: z.string(),
  body: text,
  user: z.object({ id, login: z.string() }).nullish(),
  label: z.object({ name: z.string() }).nullish(),
});
const PAGE = 50;
const MAX_PAGES = 20;
const Titled = z.object({ title: z.string() });
const Made = z.object({ id });

/** Asks, and reads the answer. @throws FailedCall, ZodError */
type Read = <T>(schema: z.ZodType<T>, call: Promise<{ data: unknown }>) => Promise<T>;

export interface GiteaTalkOptions {
  api: Api<unknown>;
  at: readonly [string, string];
  isPrivate: boolean;
  ask: <T>(doing: string, call: () => Promise<T>) => Promise<T>;
  read: Read;
}

/** https://docs.gitea.com/api. It has no replies in threads: they go into the conversation. */
export function giteaTalk({ api, at, isPrivate, ask, read }: GiteaTalkOptions): HostTalk {
  async function pages<T>(item: z.ZodType<T>, list: (page: number) => Promise<{ data: unknown }>): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const some = (await read(z.array(item).nullable(), list(page))) ?? [];
      all.push(...some);
      if (some.length === 0) break;
    }
    return all;
  }

  return {
    isPrivate,
    ownAccount: () => ask('ask who it belongs to', async () => (await read(User, api.user.userGetCurrent())).id),

    mayWrite: (account) =>
      ask('ask for the permission of an account', async () => {
        const found = await orMissing(read(Permission, api.repos.repoGetRepoPermissions(...at, account.login)));
        return found?.user?.id === account.id && ['owner', 'admin', 'write'].includes(found.permission);
      }),

    subject: ({ type, number }) =>
      ask('read what a comment is about', async () => {
        const asked =
          type === 'issue' ? api.repos.issueGetIssue(...at, number) : api.repos.repoGetPullRequest(...at, number);
        const found = await orMissing(read(z.unknown(), asked));
        return found === null ? null : type === 'issue' ? issueSubjectIn(found) : pullSubjectIn(found);
      }),

    diff: (number) =>
      ask('read the changes of a pull request', async () => {
        const path = `/repos/${at.join('/')}/pulls/${number}.diff`;
        const asked = { path, method: 'GET', secure: true, format: 'text', headers: { accept: 'text/plain' } } as const;
        return orMissing(read(z.string(), api.request(asked)));
      }),

    commits: (number) =>
      ask('read the commits of a pull request', async () => {
        const found = await orMissing(
          read(z.array(PullCommit), api.repos.repoGetPullRequestCommits(...at, number, { files: false })),
        );
        // The newest is first.
        return found && found.toReversed().map(commitIn);
      }),

    markReady: (number) =>
      ask('make the pull request ready', async () => {
        const { title } = await read(Titled, api.repos.repoGetPullRequest(...at, number));
        const ready = title.replace(/^(?:WIP:|\[WIP\])\s*/i, '');
        if (ready !== title) await read(z.unknown(), api.repos.repoEditPullRequest(...at, number, { title: ready }));
      }),

    react: ({ kind, id: of }) =>
      ask('react to a comment', async () => {
        if (kind === 'description') {
          await orMissing(read(z.unknown(), api.repos.issuePostIssueReaction(...at, Number(of), { content: 'eyes' })));
        }
        if (kind !== 'comment' && kind !== 'review_comment') return;
        const asked = api.repos.issuePostCommentReaction(...at, Number(of), { content: 'eyes' });
        await orMissing(read(z.unknown(), asked));
      }),

    comments: ({ on: { number } }) =>
      ask('read comments', async () => {
        const found = await read(z.array(Comment), api.repos.issueGetComments(...at, number));
        return found.map(({ id: own, user: author, body }) => ({ id: own, author, body }));
      }),

    reply: ({ on: { number } }, body) =>
      ask('write a comment', async () => (await read(Made, api.repos.issueCreateComment(...at, number, { body }))).id),

    edit: (_place, own, body) =>
      ask('edit a comment', async () => {
        const asked = api.repos.issueEditComment(...at, Number(own), { body });
        return (await orMissing(read(z.unknown(), asked))) !== null;
      }),

    /** Since Gitea 1.26. Others have no such address. */
    resolve: ({ threadId }) =>
      ask('resolve a thread', async () => {
        if (threadId === null) return false;
        const path = `/repos/${at.join('/')}/pulls/comments/${threadId}/resolve`;
        const asked = read(z.unknown(), api.request({ path, method: 'POST', secure: true }));
        return (await orMissing(asked.then(() => true))) === true;
      }),

    labeled: (number, label) =>
      ask('read labels', async () => {
        const events = await pages(Happened.nullish(), (page) =>
          api.repos.issueGetCommentsAndTimeline(...at, number, { page, limit: PAGE }),
        );
        const last = events.findLast((one) => one?.type === 'label' && one.label?.name === label);
        return last?.body === '1' && last.user ? { id: last.id, by: last.user } : null;
      }),

    /**
     * There is no list of all: each review has its own. Those of Docent are enough, as no other account
     * answers in them.
     */
    lineComments: (number) =>
      ask('read comments on lines', async () => {
        const own = (await read(User, api.user.userGetCurrent())).id;
        const found: (TalkComment & { path: string; line: number | null })[] = [];
        for (const { id: review, user } of await pages(OfReview, (page) =>
          api.repos.repoListPullReviews(...at, number, { page, limit: PAGE }),
        )) {
          if (user?.id !== own) continue;
          const lines = await read(z.array(Line), api.repos.repoGetPullReviewComments(...at, number, Number(review)));
          found.push(
            ...lines.map(({ id: of, user: author, body, path, position }) => ({
              id: of,
              author,
              body,
              path,
              line: position || null,
            })),
          );
        }
        return found;
      }),

    /**
     * Its webhooks report replies in threads like other comments. Their review has them, with their lines.
     */
    lineOf: (number, of) =>
      ask('read the lines of a comment', async () => {
        const reviews = await pages(OfReview, (page) =>
          api.repos.repoListPullReviews(...at, number, { page, limit: PAGE }),
        );
        for (const review of reviews
          .toReversed()
          .filter((one) => one.comments_count !== 0)
          .slice(0, MAX_REVIEWS)) {
          const lines = await read(
            z.array(Line),
            api.repos.repoGetPullReviewComments(...at, number, Number(review.id)),
          );
          const found = lines.find(({ id: own }) => own === of);
          if (!found) continue;
          const { path, position, diff_hunk: diffHunk, user: author, body } = found;
          const first = lines.find((one) => one.path === path && one.position === position) ?? found;
          return { id: of, author, body, path, line: position || null, diffHunk, threadId: first.id };
        }
        return null;
      }),

    commentOnLines: (number, commit, comments) =>
      ask('comment on lines', async () => {
        const onLines = comments.map(({ path, line, body }) => ({ path, new_position: line, body }));
        const review = { event: 'COMMENT' as ReviewStateType, commit_id: commit, comments: onLines };
        await read(z.unknown(), api.repos.repoCreatePullReview(...at, number, review));
      }),

    checks: (ref) =>
      ask('read the checks', async () => {
        const asked = api.repos.repoGetCombinedStatusByRef(...at, encodeURIComponent(ref), { limit: 50 });
        const found = await orMissing(read(CombinedStatus, asked), [403, 404]);
        return found && checksIn(found);
      }),

    checkLog: async () => null,

    review: (number, of) =>
      ask('read a review', async () => {
        const review = await orMissing(read(Review, api.repos.repoGetPullReview(...at, number, Number(of))));
        if (!review) return null;
        const found = await read(z.array(Line), api.repos.repoGetPullReviewComments(...at, number, Number(of)));
        return {
          isChangeRequest: review.state === 'REQUEST_CHANGES',
          lines: found.map(({ id: own, user: author, body, path, position, diff_hunk: diffHunk }) => ({
            id: own,
            author,
            body,
            path,
            diffHunk,
            line: position ?? null,
            threadId: null,
          })),
        };
      }),
  };
}
