import { deliveryIdOf, type HostAccount } from '../../code-hosts/events/host-event.ts';
import type { HostTalk, ReviewedLine } from '../../code-hosts/talk.ts';
import { PROJECT_SETTINGS } from '../../config/project-settings.ts';
import { isMentioned, messageFor, saidIn, type Said } from '../../jobs/said-on-host.ts';
import { insertIntent } from '../../store/access/audit-log.ts';
import {
  findReply,
  insertHostMessage,
  knownHostMessages,
  type NewHostMessage,
} from '../../store/hosts/host-messages.ts';
import { findProject, type ProjectRow } from '../../store/projects/projects.ts';
import {
  identityOfPullRequest,
  listPullRequestsAt,
  type PullRequestRow,
} from '../../store/pull-requests/pull-requests.ts';
import { acceptHostMessage, rowIdOf } from './accept-message.ts';
import type { HostEventConsumer, HostEventDeps, ReceivedHostEvent } from './host-event-consumer.ts';
import { visibleWords } from './visible-words.ts';
import { standingOf } from './who-may.ts';

/** Comments of a thread that the agent is shown. */
const MAX_EARLIER = 10;

/** What an event says in a pull request of a job. */
interface SaidThere {
  said: Said;
  /** What of it people can read. */
  text: string;
  pullRequest: PullRequestRow;
  project: ProjectRow;
}

/**
 * Makes messages of jobs of what people write in their pull requests: where they name Docent, answer it in a thread, or ask for changes
 * with a review. Each comment becomes one message at most, however often and in whatever order its event comes: its row in
 * `host_messages` is written with the message.
 */
export const takeMessages: HostEventConsumer = async (received, deps) => {
  const said = saidIn(received.event);
  if (said?.place.on.type !== 'pull_request') return;
  const { number } = said.place.on;
  const at = { host: received.hostId, repositoryId: received.event.repository.id, number };
  const text = visibleWords(said.body);
  for (const pullRequest of await listPullRequestsAt(deps.db, at)) {
    const project = await findProject(deps.db, pullRequest.projectId);
    if (project) await takeThere(received, { said, text, pullRequest, project }, deps);
  }
};

async function takeThere(received: ReceivedHostEvent, there: SaidThere, deps: HostEventDeps): Promise<void> {
  const { said, text, pullRequest, project } = there;
  const { db, hosts, log } = deps;
  const { jobId } = pullRequest;
  const id = rowIdOf(received, pullRequest, deliveryIdOf(received.event));
  const isAsked =
    said.isChangeRequest ||
    isMentioned(text, project.settings.mentionName ?? PROJECT_SETTINGS.mentionName.fallback) ||
    (said.place.kind === 'review_comment' && (await findReply(db, { jobId, thread: threadOf(said.place) })) !== null);
  if (!isAsked || (await knownHostMessages(db, [id])).has(id)) return;
  const host = await hosts.get(received.hostId);
  const which = identityOfPullRequest(pullRequest, project);
  const { talk } = await host.open({ ...which, projectId: project.id });
  if (!talk) return;
  const standing = await standingOf(talk, said.author, project, log);
  if (standing === 'own') return;
  const row = { id, projectId: project.id, jobId, pullRequestId: pullRequest.id, place: said.place };
  if (standing === 'refused') return refuse(received, there, { ...row, thread: threadOf(said.place) }, deps);
  const review = said.reviewId === null ? null : await talk.review(said.place.on.number, said.reviewId);
  // The review's own event brings all of its comments, in one message.
  if (said.place.kind === 'review_comment' && review?.isChangeRequest) return;
  const lines = said.isChangeRequest ? await newLines(received, there, review?.lines ?? [], deps) : [];
  if (text === '' && lines.length === 0) return;
  const prompt = messageFor(said, text, {
    lines: lines.map(({ line }) => ({ ...line, text: visibleWords(line.body) })),
    earlier: await earlierComments(talk, there, deps),
  });
  const rows = [row, ...lines.map(({ place, id: lineId }) => ({ ...row, id: lineId, place }))];
  await acceptHostMessage(
    { project, jobId, prompt, rows: rows.map((one) => ({ ...one, thread: threadOf(one.place) })) },
    deps,
  );
}

/** The comments of a review that no message has yet. Of its author alone: others may have answered there since. */
async function newLines(
  { hostId, event }: ReceivedHostEvent,
  { said, pullRequest }: SaidThere,
  lines: readonly ReviewedLine[],
  { db }: HostEventDeps,
) {
  const own = lines
    .filter(({ author }) => author.id === said.author.id)
    .map((line) => ({
      line,
      id: rowIdOf({ hostId }, pullRequest, `review_comment:${event.repository.id}:${line.id}`),
      place: {
        on: said.place.on,
        kind: 'review_comment' as const,
        id: line.id,
        threadId: line.threadId ?? line.id,
        path: line.path,
        line: line.line,
        startLine: null,
      },
    }));
  if (own.length === 0) return [];
  const known = await knownHostMessages(
    db,
    own.map(({ id }) => id),
  );
  return own.filter(({ id }) => !known.has(id));
}

/** What others wrote in the thread of a comment on lines. What strangers write in a public repository is left out. */
async function earlierComments(talk: HostTalk, { said, project }: SaidThere, { log }: HostEventDeps) {
  if (said.place.kind !== 'review_comment') return [];
  const all = await talk.comments(said.place);
  const at = all.findIndex(({ id }) => id === said.place.id);
  const before = all.slice(0, at === -1 ? all.length : at).slice(-MAX_EARLIER);
  const known = new Map<string, boolean>();
  const isTrusted = async (author: HostAccount) => {
    if (talk.isPrivate) return true;
    const before = known.get(author.id);
    if (before !== undefined) return before;
    const trusted = (await standingOf(talk, author, project, log)) !== 'refused';
    known.set(author.id, trusted);
    return trusted;
  };
  const shown: { login: string; text: string }[] = [];
  for (const { author, body } of before) {
    if (await isTrusted(author)) shown.push({ login: author.login, text: visibleWords(body) });
  }
  return shown;
}

/** One line in the audit log, and no reply: whoever may not write learns nothing. */
async function refuse(
  { hostId, event }: ReceivedHostEvent,
  { said, pullRequest, project }: SaidThere,
  row: Omit<NewHostMessage, 'messageNo'>,
  { db }: HostEventDeps,
): Promise<void> {
  const { id: account, login } = said.author;
  await db.transaction(async (tx) => {
    if (!(await insertHostMessage(tx, { ...row, messageNo: null }))) return;
    await insertIntent(
      tx,
      {
        actorKind: 'anonymous',
        actorId: null,
        actorName: login,
        actorKeyId: null,
        operation: 'hostMessage',
        projectId: project.id,
        target: { hostId, account, jobId: pullRequest.jobId, pullRequestId: pullRequest.id },
        changed: [],
        address: null,
        userAgent: null,
        requestId: deliveryIdOf(event),
      },
      { outcome: { status: 403, errorCode: 'forbidden', replayed: false, createdId: null }, isWithin: true },
    );
  });
}

/** Names the reply: one for the conversation of a pull request, one for each thread. */
function threadOf({ on, kind, threadId }: Said['place']): string {
  return kind === 'review_comment' ? `${on.number}/${threadId}` : String(on.number);
}
