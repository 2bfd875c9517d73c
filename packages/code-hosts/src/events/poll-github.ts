import { z } from 'zod';
import {
  CheckRun,
  checkRunEvent,
  commentEvent,
  Issue,
  IssueComment,
  issueEvent,
  Pull,
  pullRequestOf,
  Review,
  ReviewComment,
  reviewCommentEvent,
  reviewEvent,
  Status,
  statusEvent,
} from './github-events.ts';
import type { HostEvent, HostRepository } from './host-event.ts';
import { instant } from './payload-fields.ts';
import { isFresh, listPages, newest, numberIn, type Get, type PolledPull, type PollSource } from './poll-source.ts';

const size = { name: 'per_page', items: 100 };
const Comment = IssueComment.extend({ issue_url: numberIn, updated_at: instant });
const OnLine = ReviewComment.extend({ pull_request_url: numberIn, updated_at: instant });
/** Its list has pull requests, too. */
const PolledIssue = Issue.extend({ updated_at: instant, pull_request: z.unknown().optional() });
const Branch = z.object({ name: z.string(), commit: z.object({ sha: z.string() }) });
const CheckRuns = z.object({ check_runs: z.array(CheckRun) });

/** https://docs.github.com/en/rest: unchanged answers do not count against the rate limit. */
export function githubSource(repository: HostRepository, get: Get): PollSource {
  /** Reviews that were sent since the last poll. Their comments have the time at which they were drafted. */
  const sent = new Set<string>();

  return {
    async pulls(since) {
      const query = { state: since === null ? 'open' : 'all', sort: 'updated', direction: 'desc' };
      const isOld = (page: z.output<typeof Pull>[]) =>
        since !== null && page.some(({ updated_at: at }) => !isFresh(at, since));
      const { items } = await listPages(get, { path: '/pulls', query, size }, Pull, isOld);
      return items.map(polled).filter(({ updatedAt }) => since === null || isFresh(updatedAt, since));
    },

    async ofPull({ pullRequest: { number } }, since) {
      const { items } = await listPages(get, { path: `/pulls/${number}/reviews`, query: {}, size }, Review);
      const events = items
        .map((review) => reviewEvent(repository, number, review))
        .filter((event) => event !== null)
        .filter((event) => isFresh(event.at, since));
      for (const { review } of events) sent.add(review.id);
      return events;
    },

    async comments(since) {
      const query = { since, sort: 'updated', direction: 'asc' };
      const general = await listPages(get, { path: '/issues/comments', query, size }, Comment);
      const onLines = await listPages(get, { path: '/pulls/comments', query, size }, OnLine);
      const issues = await listPages(get, { path: '/issues', query: { ...query, state: 'all' }, size }, PolledIssue);
      const events: HostEvent[] = [
        ...general.items.map((one) => {
          const type = /\/pull\/\d+/.test(one.html_url) ? 'pull_request' : 'issue';
          return commentEvent(repository, { type, number: one.issue_url }, one);
        }),
        ...onLines.items.map((one) => reviewCommentEvent(repository, one.pull_request_url, one)),
        ...issues.items.filter((one) => !one.pull_request).map((one) => issueEvent(repository, one)),
      ];
      const lists: { items: { updated_at: string | null }[]; isCut: boolean }[] = [general, onLines, issues];
      const upTo = lists.map(({ items }) => newest(items.map(({ updated_at: at }) => at)));
      const cut = lists.flatMap(({ isCut }, i) => (isCut ? [upTo[i] ?? since] : []));
      return {
        events: events.filter(
          (event) =>
            isFresh(event.at, since) ||
            (event.kind === 'review_comment' && event.comment.reviewId !== null && sent.has(event.comment.reviewId)),
        ),
        upTo: cut.toSorted()[0] ?? newest(upTo),
        isCut: cut.length > 0,
      };
    },

    async checks({ branch, commit }, since) {
      const runs = CheckRuns.parse(await get(`/commits/${commit}/check-runs`, { per_page: 100 })).check_runs;
      const path = `/commits/${commit}/statuses`;
      const statuses = await listPages(get, { path, query: {}, size }, Status);
      return [
        ...runs.map((run) => checkRunEvent(repository, branch, run)),
        ...statuses.items.map((status) => statusEvent(repository, { branch, commit }, status)),
      ]
        .filter((event) => event !== null)
        .filter((event) => isFresh(event.at, since));
    },

    async branches() {
      const { items } = await listPages(get, { path: '/branches', query: {}, size }, Branch);
      return Object.fromEntries(items.map(({ name, commit }) => [name, commit.sha]));
    },
  };
}

export function polled(pull: z.output<typeof Pull>): PolledPull {
  const { created_at: createdAt, updated_at: updatedAt, closed_at: closedAt, merged_at: mergedAt } = pull;
  return { pullRequest: pullRequestOf(pull), body: pull.body, createdAt, updatedAt, closedAt, mergedAt };
}
