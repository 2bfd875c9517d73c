import { deliveryIdOf } from '@docent/code-hosts/events/host-event';
import type { ReviewedLine } from '@docent/code-hosts/talk';
import { isMentioned, messageFor, hostTextIn, withoutAddress, type HostText } from '../../jobs/host-text.ts';
import { findReply, knownHostMessages } from '../../store/hosts/host-messages.ts';
import { findProject, type ProjectRow } from '../../store/projects/projects.ts';
import {
  identityOfPullRequest,
  listPullRequestsAt,
  type PullRequestRow,
} from '../../store/pull-requests/pull-requests.ts';
import { acceptHostMessage, rowIdOf } from './accept-message.ts';
import { earlierComments, mentionNameOf, refuse, threadOf, trustIn, withLines } from './conversation.ts';
import type { HostEventConsumer, HostEventDeps, ReceivedHostEvent } from './host-event-consumer.ts';
import { visibleText } from './visible-text.ts';
import { senderAccess } from './sender-access.ts';

/** The part of an event that concerns a job's pull request. */
interface DeliveredText {
  said: HostText;
  /** Its text as people see it. */
  text: string;
  pullRequest: PullRequestRow;
  project: ProjectRow;
}

/**
 * Turns comments in a job's pull request into messages to the job: mentions of Docent, replies in its
 * threads, and reviews that request changes. Each comment becomes one message at most, in any order and
 * however often its event arrives: its row in `host_messages` is written with the message.
 */
export const takeMessages: HostEventConsumer = async (received, deps) => {
  const said = hostTextIn(received.event);
  if (said?.place.on.type !== 'pull_request') return;
  const { number } = said.place.on;
  const at = { host: received.hostId, repositoryId: received.event.repository.id, number };
  const text = visibleText(said.body);
  for (const pullRequest of await listPullRequestsAt(deps.db, at)) {
    const project = await findProject(deps.db, pullRequest.projectId);
    if (project) await takeThere(received, { said, text, pullRequest, project }, deps);
  }
};

async function takeThere(received: ReceivedHostEvent, there: DeliveredText, deps: HostEventDeps): Promise<void> {
  const { said: delivered, text, pullRequest, project } = there;
  const { db, hosts, log } = deps;
  const { jobId } = pullRequest;
  const id = rowIdOf(received, pullRequest, deliveryIdOf(received.event));
  const isAsked =
    delivered.isChangeRequest ||
    isMentioned(text, mentionNameOf(project)) ||
    (delivered.place.kind === 'review_comment' &&
      (await findReply(db, { jobId, thread: threadOf(delivered.place) })) !== null);
  if (!isAsked || (await knownHostMessages(db, [id])).has(id)) return;
  const host = await hosts.get(received.hostId);
  const which = identityOfPullRequest(pullRequest, project);
  const { talk } = await host.open({ ...which, projectId: project.id });
  if (!talk) return;
  const access = await senderAccess(talk, delivered.author, project, log);
  if (access === 'own') return;
  const pullRequestId = pullRequest.id;
  const rowAt = (place: HostText['place']) =>
    ({ id, projectId: project.id, jobId, pullRequestId, place, thread: threadOf(place) }) as const;
  if (access === 'refused') return refuse(received, delivered, rowAt(delivered.place), deps);
  const said = await withLines(talk, delivered);
  const review = said.reviewId === null ? null : await talk.review(said.place.on.number, said.reviewId);
  // The review's own event brings all of its comments, in one message.
  if (said.place.kind === 'review_comment' && review?.isChangeRequest) return;
  const lines = said.isChangeRequest ? await newLines(received, there, review?.lines ?? [], deps) : [];
  if (text === '' && lines.length === 0) return;
  const prompt = messageFor(said, withoutAddress(text, mentionNameOf(project)), {
    lines: lines.map(({ line }) => ({ ...line, text: visibleText(line.body) })),
    earlier:
      said.place.kind === 'review_comment' ? await earlierComments(talk, said.place, trustIn(talk, project, log)) : [],
  });
  const rows = [rowAt(said.place), ...lines.map(({ place, id: lineId }) => ({ ...rowAt(place), id: lineId }))];
  await acceptHostMessage({ project, jobId, prompt, rows }, deps);
}

/** The review's comments without a message yet. Only its author's: others may have replied there since. */
async function newLines(
  { hostId, event }: ReceivedHostEvent,
  { said, pullRequest }: DeliveredText,
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
