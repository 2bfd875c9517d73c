import { z } from 'zod';
import type { Api } from 'gitea-js';
import { id, text } from '../events/payload-fields.ts';
import type { HostTalk } from '../talk.ts';
import { orMissing } from './answer-problem.ts';
import { commitIn, issueSubjectIn, PullCommit, pullSubjectIn } from './github-talk.ts';
import { checksIn, CombinedStatus } from './gitea-standing.ts';

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

/**
 * https://docs.gitea.com/api. It cannot reply in a thread or resolve one: replies go into the conversation.
 */
export function giteaTalk({ api, at, isPrivate, ask, read }: GiteaTalkOptions): HostTalk {
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
        return orMissing(read(z.string(), api.request({ path, method: 'GET', secure: true, format: 'text' })));
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
        if (kind === 'review') return;
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

    resolve: async () => false,

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
