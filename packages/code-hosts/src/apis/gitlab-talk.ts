import { z } from 'zod';
import { id, text } from '../events/payload-fields.ts';
import type { CommentPlace, HostTalk } from '../talk.ts';
import { HostProblem } from '../host-problem.ts';
import { FailedCall, orMissing } from './answer-problem.ts';
import { checkOf, Statuses } from './gitlab-status.ts';

/** The role that may push (https://docs.gitlab.com/user/permissions/). */
const DEVELOPER = 30;

const User = z.object({ id });
const Member = z.object({ id, access_level: z.int(), state: z.string().nullish() });
const Note = z.object({
  id,
  body: text,
  author: z.object({ id, username: z.string() }),
  system: z.boolean().nullish(),
});
const Position = z.object({ new_path: z.string().nullish(), new_line: z.int().nullish() }).nullish();
const Discussion = z.object({ notes: z.array(Note.extend({ position: Position })) });
const LabelEvent = z.object({
  id,
  user: z.object({ id, username: z.string() }).nullish(),
  action: z.string(),
  label: z.object({ name: z.string() }).nullish(),
});
const Refs = z.object({ diff_refs: z.object({ base_sha: z.string(), start_sha: z.string(), head_sha: z.string() }) });
const Subject = z.object({
  title: z.string(),
  description: text,
  author: z.object({ id, username: z.string() }),
  web_url: z.string(),
  state: z.string(),
  source_branch: z.string().nullish(),
  source_project_id: z.int().nullish(),
  sha: z.string().nullish(),
});
const Titled = z.object({ title: z.string() });
const Change = z.object({ old_path: z.string(), new_path: z.string(), diff: text });
const Changes = z.array(Change);
const MergeCommits = z.array(z.object({ id: z.string(), message: text, author_name: text }));
const Made = z.object({ id });
const Commit = z.object({ id: z.string() });

const PAGE = 100;
const MAX_PAGES = 10;

export interface GitLabTalkOptions {
  projectId: number;
  isPrivate: boolean;
  ask: <T>(doing: string, call: () => Promise<T>) => Promise<T>;
  /** Sends a request below `/api/v4`. @throws FailedCall */
  send: (method: 'GET' | 'POST' | 'PUT', path: string, input?: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** Requests a text below `/api/v4`; null if it is missing or not accessible. */
  readText: (path: string) => Promise<string | null>;
}

/** https://docs.gitlab.com/api/notes/, …/discussions/, …/emoji_reactions/, …/members/ */
export function gitlabTalk({ projectId, isPrivate, ask, send, readText }: GitLabTalkOptions): HostTalk {
  const pathOf = ({ on: { type, number } }: Pick<CommentPlace, 'on'>) =>
    `projects/${projectId}/${type === 'issue' ? 'issues' : 'merge_requests'}/${number}`;
  const threadOf = (place: CommentPlace) => `${pathOf(place)}/discussions/${encodeURIComponent(place.threadId ?? '')}`;

  async function pages<T>(item: z.ZodType<T>, path: string, query: Record<string, string> = {}): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const some = z.array(item).parse(await send('GET', path, { ...query, per_page: PAGE, page }));
      all.push(...some);
      if (some.length < PAGE) break;
    }
    return all;
  }

  return {
    isPrivate,
    ownAccount: () => ask('ask who it belongs to', async () => User.parse(await send('GET', 'user')).id),

    mayWrite: (account) =>
      ask('ask for the role of an account', async () => {
        const asked = send('GET', `projects/${projectId}/members/all/${encodeURIComponent(account.id)}`);
        const member = Member.nullable().parse(await orMissing(asked));
        const isActive = (member?.state ?? 'active') === 'active';
        return member?.id === account.id && isActive && member.access_level >= DEVELOPER;
      }),

    subject: (on) =>
      ask('read what a comment is about', async () => {
        const found = Subject.nullable().parse(await orMissing(send('GET', pathOf({ on }))));
        return (
          found && {
            title: found.title,
            body: found.description,
            author: { id: found.author.id, login: found.author.username },
            url: found.web_url,
            isOpen: found.state === 'opened',
            ownBranch: found.source_project_id === projectId ? (found.source_branch ?? null) : null,
            headCommit: found.sha ?? null,
          }
        );
      }),

    diff: (number) =>
      ask('read the changes of a merge request', async () => {
        const path = `${pathOf({ on: { type: 'pull_request', number } })}/diffs`;
        const found = Changes.nullable().parse(await orMissing(send('GET', path, { per_page: PAGE })));
        return found && found.map(diffOf).join('\n');
      }),

    commits: (number) =>
      ask('read the commits of a merge request', async () => {
        const path = `${pathOf({ on: { type: 'pull_request', number } })}/commits`;
        const found = MergeCommits.nullable().parse(await orMissing(send('GET', path, { per_page: PAGE })));
        // The newest is first.
        return found && found.toReversed().map(({ author_name: authorName, ...rest }) => ({ ...rest, authorName }));
      }),

    markReady: (number) =>
      ask('make the merge request ready', async () => {
        const path = pathOf({ on: { type: 'pull_request', number } });
        const { title } = Titled.parse(await send('GET', path));
        const ready = title.replace(/^(?:draft:|\[draft\]|\(draft\))\s*/i, '');
        if (ready !== title) await send('PUT', path, { title: ready });
      }),

    react: (place) =>
      ask('react to a comment', async () => {
        // A second one is refused as if the comment were not there.
        if (place.kind === 'review' || place.kind === 'label') return;
        const at = place.kind === 'description' ? pathOf(place) : `${pathOf(place)}/notes/${place.id}`;
        await orMissing(send('POST', `${at}/award_emoji`, { name: 'eyes' }));
      }),

    comments: (place) =>
      ask('read comments', async () => {
        const notes: z.output<typeof Note>[] = [];
        if (place.threadId !== null) {
          notes.push(...(Discussion.nullable().parse(await orMissing(send('GET', threadOf(place))))?.notes ?? []));
        } else {
          notes.push(...(await pages(Note, `${pathOf(place)}/notes`, { sort: 'asc', order_by: 'created_at' })));
        }
        return notes
          .filter(({ system }) => system !== true)
          .map(({ id: own, body, author }) => ({ id: own, body, author: { id: author.id, login: author.username } }));
      }),

    reply: (place, body) =>
      ask('write a comment', async () => {
        const at = place.threadId === null ? pathOf(place) : threadOf(place);
        return Made.parse(await send('POST', `${at}/notes`, { body })).id;
      }),

    edit: (place, own, body) =>
      ask('edit a comment', async () => {
        const at = place.threadId === null ? pathOf(place) : threadOf(place);
        return (await orMissing(send('PUT', `${at}/notes/${encodeURIComponent(own)}`, { body }))) !== null;
      }),

    resolve: (place) =>
      ask('resolve a thread', async () => {
        if (place.threadId === null || place.on.type === 'issue') return false;
        return (await orMissing(send('PUT', threadOf(place), { resolved: true }))) !== null;
      }),

    labeled: (number, label) =>
      ask('read labels', async () => {
        const path = `${pathOf({ on: { type: 'pull_request', number } })}/resource_label_events`;
        const last = (await pages(LabelEvent, path)).findLast(({ label: of }) => of?.name === label);
        return last?.action === 'add' && last.user
          ? { id: last.id, by: { id: last.user.id, login: last.user.username } }
          : null;
      }),

    lineComments: (number) =>
      ask('read comments on lines', async () => {
        const path = `${pathOf({ on: { type: 'pull_request', number } })}/discussions`;
        return (await pages(Discussion, path)).flatMap(({ notes }) =>
          notes.flatMap(({ id: own, author, body, position }) =>
            position?.new_path
              ? [
                  {
                    id: own,
                    author: { id: author.id, login: author.username },
                    body,
                    path: position.new_path,
                    line: position.new_line ?? null,
                  },
                ]
              : [],
          ),
        );
      }),

    commentOnLines: (number, commit, comments) =>
      ask('comment on lines', async () => {
        const path = pathOf({ on: { type: 'pull_request', number } });
        const { diff_refs: refs } = Refs.parse(await send('GET', path));
        if (refs.head_sha !== commit)
          throw new HostProblem('host_unavailable', 'The merge request has a newer commit.');
        for (const { path: newPath, oldPath, line, oldLine, body } of comments) {
          await send('POST', `${path}/discussions`, {
            body,
            position: {
              position_type: 'text',
              ...refs,
              new_path: newPath,
              old_path: oldPath,
              new_line: line,
              ...(oldLine === null ? {} : { old_line: oldLine }),
            },
          });
        }
      }),

    checks: (ref) =>
      ask('read the checks', async () => {
        const commits = `projects/${projectId}/repository/commits`;
        try {
          // Statuses can only be requested by commit.
          const commit = Commit.parse(await send('GET', `${commits}/${encodeURIComponent(ref)}`)).id;
          return Statuses.parse(await send('GET', `${commits}/${commit}/statuses`, { per_page: PAGE })).map(checkOf);
        } catch (err) {
          if (err instanceof FailedCall && [403, 404].includes(err.answer.status)) return null;
          throw err;
        }
      }),

    lineOf: async () => null,

    checkLog: (logId) =>
      ask('read the log of a check', () => readText(`projects/${projectId}/jobs/${encodeURIComponent(logId)}/trace`)),

    // Reviewers' texts are separate notes.
    review: async () => null,
  };
}

const diffOf = ({ old_path: from, new_path: to, diff }: z.output<typeof Change>) =>
  `diff --git a/${from} b/${to}\n--- a/${from}\n+++ b/${to}\n${diff}`;
