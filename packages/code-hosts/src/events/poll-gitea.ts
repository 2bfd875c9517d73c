import { z } from 'zod';
import { GiteaReview, giteaReviewEvent } from './gitea-events.ts';
import {
  commentEvent,
  Issue,
  IssueComment,
  issueEvent,
  Pull,
  ReviewComment,
  reviewCommentEvent,
  Status,
  statusEvent,
} from './github-events.ts';
import type { HostEvent, HostRepository } from './host-event.ts';
import { id, instant } from './payload-fields.ts';
import { polled } from './poll-github.ts';
import { isFresh, listPages, newest, numberIn, type Get, type PollSource } from './poll-source.ts';

const size = { name: 'limit', items: 50 };
const Comment = IssueComment.extend({
  issue_url: z.string().nullish(),
  pull_request_url: z.string().nullish(),
  updated_at: instant,
});
const PolledReview = GiteaReview.extend({
  id,
  updated_at: instant,
  dismissed: z.boolean().nullish(),
  comments_count: z.int().nullish(),
});
const OnLine = ReviewComment.extend({ position: z.int().nullish() });
const PolledStatus = Status.omit({ state: true }).extend({ status: z.string() });
/** Of one pull request, the newest: in their threads, new replies are looked for. */
const MAX_REVIEWS = 30;
const Branch = z.object({ name: z.string(), commit: z.object({ id: z.string() }) });

/** https://docs.gitea.com/api: of Gitea and Forgejo. */
export function giteaSource(repository: HostRepository, get: Get): PollSource {
  return {
    async pulls(since) {
      const query = { state: since === null ? 'open' : 'all', sort: 'recentupdate' };
      const isOld = (page: z.output<typeof Pull>[]) =>
        since !== null && page.some(({ updated_at: at }) => !isFresh(at, since));
      const { items } = await listPages(get, { path: '/pulls', query, size }, Pull, isOld);
      return items.map(polled).filter(({ updatedAt }) => since === null || isFresh(updatedAt, since));
    },

    async ofPull({ pullRequest: { number } }, since) {
      const path = `/pulls/${number}/reviews`;
      const { items } = await listPages(get, { path, query: {}, size }, PolledReview);
      const events: HostEvent[] = [];
      for (const review of items.slice(-MAX_REVIEWS)) {
        const found = giteaReviewEvent(repository, number, review);
        if (!found) continue;
        // A review counts as submitted when its author began it, and is updated when it is sent.
        const sentAt = newest([review.submitted_at, review.updated_at]);
        const isNew = isFresh(sentAt, since) && review.dismissed !== true;
        if (isNew) events.push(found);
        if (review.comments_count === 0) continue;
        const at = { path: `${path}/${review.id}/comments`, query: {}, size };
        const onLines = await listPages(get, at, OnLine, () => true);
        for (const one of onLines.items) {
          // Replies are part of the review that began the thread. Webhooks report them as comments.
          const isReply = one.user.id !== review.user.id || (one.created_at ?? '') > (sentAt ?? '');
          if (isReply && isFresh(one.created_at, since)) {
            events.push(commentEvent(repository, { type: 'pull_request', number }, one));
          } else if (!isReply && isNew) {
            const line = one.position === 0 ? null : one.position;
            events.push(reviewCommentEvent(repository, number, { ...one, line }));
          }
        }
      }
      return events;
    },

    async comments(since) {
      const { items, isCut } = await listPages(get, { path: '/issues/comments', query: { since }, size }, Comment);
      const events = items.flatMap((one): HostEvent[] => {
        const onPull = numberIn.safeParse(one.pull_request_url);
        const onIssue = numberIn.safeParse(one.issue_url);
        const number = onPull.data ?? onIssue.data;
        if (number === undefined || !isFresh(one.created_at, since)) return [];
        return [commentEvent(repository, { type: onPull.success ? 'pull_request' : 'issue', number }, one)];
      });
      const query = { state: 'all', type: 'issues', since };
      const issues = await listPages(get, { path: '/issues', query, size }, Issue);
      events.push(...issues.items.map((one) => issueEvent(repository, one)).filter(({ at }) => isFresh(at, since)));
      return { events, upTo: newest(items.map(({ updated_at: at }) => at)), isCut };
    },

    async checks({ branch, commit }, since) {
      const path = `/commits/${commit}/statuses`;
      const { items } = await listPages(get, { path, query: {}, size }, PolledStatus);
      return items
        .map(({ status: state, ...one }) => statusEvent(repository, { branch, commit }, { ...one, state }))
        .filter((event) => event !== null)
        .filter((event) => isFresh(event.at, since));
    },

    async branches() {
      const { items } = await listPages(get, { path: '/branches', query: {}, size }, Branch);
      return Object.fromEntries(items.map(({ name, commit }) => [name, commit.id]));
    },
  };
}
