import { z } from 'zod';
import { Account, approvalEvent, pipelineEvent, stateOf } from './gitlab-events.ts';
import type { Discussed, HostEvent, HostRepository } from './host-event.ts';
import { id, instant, sha, text } from './payload-fields.ts';
import { isFresh, listPages, newest, type Get, type PolledPull, type PollSource } from './poll-source.ts';

const size = { name: 'per_page', items: 100 };

const MergeRequest = z.object({
  iid: z.int(),
  title: z.string(),
  description: text,
  state: z.string(),
  draft: z.boolean().nullish(),
  work_in_progress: z.boolean().nullish(),
  author: Account,
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: id.nullish(),
  target_project_id: id,
  // Null while GitLab makes it: it is in a later poll.
  sha,
  labels: z.array(z.string()),
  web_url: z.string(),
  created_at: instant,
  updated_at: instant,
  closed_at: instant,
  merged_at: instant,
});

const Discussion = z.object({
  id: z.string(),
  notes: z.array(
    z.object({
      id,
      type: z.string().nullish(),
      body: text,
      author: Account,
      created_at: instant,
      system: z.boolean().nullish(),
      position: z
        .object({
          new_path: z.string().nullish(),
          old_path: z.string().nullish(),
          new_line: z.int().nullish(),
          head_sha: z.string().nullish(),
        })
        .nullish(),
    }),
  ),
});

const Issue = z.object({
  iid: z.int(),
  web_url: z.string(),
  title: text,
  description: text,
  author: Account.nullish(),
  created_at: instant,
  updated_at: instant,
});
const Approvals = z.object({
  approved_by: z.array(z.object({ user: Account, approved_at: instant })).nullish(),
});
const Pipeline = z.object({ id, sha, status: z.string(), web_url: z.string().nullish(), updated_at: instant });
const Branch = z.object({ name: z.string(), commit: z.object({ id: z.string() }) });

/** https://docs.gitlab.com/api/rest/ */
export function gitlabSource(repository: HostRepository, get: Get): PollSource {
  async function notesOf(on: Discussed, { since, url }: { since: string; url: string }): Promise<HostEvent[]> {
    const path = `/${on.type === 'issue' ? 'issues' : 'merge_requests'}/${on.number}/discussions`;
    const { items } = await listPages(get, { path, query: {}, size }, Discussion);
    return items.flatMap(({ id: discussionId, notes }) =>
      notes
        .filter((note) => !note.system && isFresh(note.created_at, since))
        .map((note): HostEvent => {
          const { author, body, created_at: at, position } = note;
          const comment = { id: note.id, author, body, url: `${url}#note_${note.id}`, discussionId };
          if (note.type !== 'DiffNote' || !position) return { kind: 'comment', repository, at, on, comment };
          const onLine = {
            ...comment,
            path: position.new_path ?? position.old_path ?? '',
            line: position.new_line ?? null,
            startLine: null,
            diffHunk: null,
            inReplyTo: null,
            reviewId: null,
            commit: position.head_sha ?? null,
          };
          return { kind: 'review_comment', repository, at, on, comment: onLine };
        }),
    );
  }

  return {
    async pulls(since) {
      const query: Record<string, string> = { scope: 'all', order_by: 'updated_at', sort: 'desc' };
      if (since === null) query.state = 'opened';
      else Object.assign(query, { state: 'all', updated_after: since });
      return (await listPages(get, { path: '/merge_requests', query, size }, MergeRequest)).items.map(polledOf);
    },

    async ofPull({ pullRequest, updatedAt }, since) {
      const { number, url, head } = pullRequest;
      const notes = await notesOf({ type: 'pull_request', number }, { since, url });
      const { approved_by: approvals } = Approvals.parse(await get(`/merge_requests/${number}/approvals`));
      // Servers before 18.0 do not report the time: then all are returned, as one event per commit.
      const found = (approvals ?? []).filter(({ approved_at: at }) => at === null || isFresh(at, since));
      return [
        ...notes,
        ...found.map(({ user: author, approved_at: at }) =>
          approvalEvent(repository, number, { author, commit: head.sha, at: at ?? updatedAt }),
        ),
      ];
    },

    /** Comments on merge requests are found with these. */
    async comments(since) {
      const query = { updated_after: since, scope: 'all', order_by: 'updated_at', sort: 'asc' };
      const { items } = await listPages(get, { path: '/issues', query, size }, Issue);
      const events: HostEvent[] = [];
      for (const { iid: number, web_url: url, title, description: body, author, created_at: at } of items) {
        if (author && isFresh(at, since)) {
          events.push({ kind: 'issue', repository, at, issue: { number, author, title, body, url } });
        }
        events.push(...(await notesOf({ type: 'issue', number }, { since, url })));
      }
      return { events, upTo: newest(items.map(({ updated_at: at }) => at)), isCut: false };
    },

    async checks({ number, branch, commit }, since) {
      const path = `/merge_requests/${number}/pipelines`;
      const { items } = await listPages(get, { path, query: {}, size }, Pipeline, () => true);
      return items
        .filter((one) => one.sha === commit && isFresh(one.updated_at, since))
        .map((one) => pipelineEvent(repository, branch, { ...one, finished_at: one.updated_at }))
        .filter((event) => event !== null);
    },

    async branches() {
      const { items } = await listPages(get, { path: '/repository/branches', query: {}, size }, Branch);
      return Object.fromEntries(items.map(({ name, commit }) => [name, commit.id]));
    },
  };
}

function polledOf(found: z.output<typeof MergeRequest>): PolledPull {
  const { created_at: createdAt, updated_at: updatedAt, closed_at: closedAt, merged_at: mergedAt } = found;
  const pullRequest = {
    number: found.iid,
    title: found.title,
    isDraft: found.draft ?? found.work_in_progress ?? false,
    state: stateOf(found.state),
    author: found.author,
    head: { branch: found.source_branch, sha: found.sha, repositoryId: found.source_project_id ?? null },
    base: { branch: found.target_branch },
    isFork: found.source_project_id !== found.target_project_id,
    labels: found.labels,
    url: found.web_url,
  };
  return { pullRequest, body: found.description, createdAt, updatedAt, closedAt, mergedAt };
}
