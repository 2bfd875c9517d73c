import { messageOf } from '@docent/base/thrown';
import { HostProblem } from '@docent/code-hosts/host-problem';
import type { HostTalk } from '@docent/code-hosts/talk';
import { PeriodicTask, reportOnce } from '../../jobs/periodic-task.ts';
import { Failure } from '@docent/base/failure';
import { faultPoint } from '../../platform/faults.ts';
import { isDatabaseUnavailable } from '../../store/database-problem.ts';
import {
  dropReply,
  dueReplies,
  findReply,
  listDueReplies,
  newestTurnOfThread,
  noteReaction,
  noteReply,
  postponeReply,
  type CommentRow,
} from '../../store/hosts/host-messages.ts';
import { findJob } from '../../store/jobs/jobs.ts';
import { findProject, identityOf, type ProjectRow } from '../../store/projects/projects.ts';
import { findPullRequestById, identityOfPullRequest } from '../../store/pull-requests/pull-requests.ts';
import type { TurnRow } from '../../store/jobs/turn-fence.ts';
import { turnText } from '../publish/turn-text.ts';
import { allowedSecrets, hideSecrets } from '../step/outgoing-secrets.ts';
import type { HostEventDeps } from './host-event-consumer.ts';
import { postFindings } from './post-findings.ts';
import { changesLines, replyMarker, replyText, reviewText } from './reply-text.ts';

const EVERY_MS = 1_000;
const BATCH = 100;

type Deps = Pick<HostEventDeps, 'db' | 'hosts' | 'log'>;

/**
 * Reacts to comments that became messages, and replies when their turns have ended. Any number of workers may
 * run this task: only one works at a time.
 */
export function hostReplies(deps: Deps): PeriodicTask {
  return new PeriodicTask({
    db: deps.db,
    name: 'host-replies',
    everyMs: EVERY_MS,
    work: { queries: [dueReplies(deps.db, 1)] },
    round: (_isNew, stopping) => deliverReplies(deps, stopping),
    failed: reportOnce(deps.log, 'replies at code hosts: failed, tried again'),
  });
}

/**
 * One round. A reply that a host refuses temporarily is retried later and does not delay the others.
 * @throws only if the database fails
 */
export async function deliverReplies(deps: Deps, stopping?: AbortSignal): Promise<void> {
  const { db, log } = deps;
  for (const row of await listDueReplies(db, BATCH)) {
    if (stopping?.aborted) return;
    try {
      await deliver(deps, row);
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      const isFinal = err instanceof HostProblem && !err.mayPass;
      const afterMs = err instanceof Failure ? (err.retry.afterMs ?? 0) : 0;
      const isGivenUp = await postponeReply(db, row, isFinal ? 3_600 : Math.ceil(afterMs / 1_000));
      const details = { err: messageOf(err), jobId: row.jobId, attempt: row.attempts + 1, isGivenUp };
      log[row.attempts === 0 || isGivenUp ? 'warn' : 'debug'](details, 'a comment could not be answered');
    }
  }
}

async function deliver(deps: Deps, row: CommentRow): Promise<void> {
  const { db, hosts } = deps;
  const project = await findProject(db, row.projectId);
  const which = project && (await repositoryOf(deps, row, project));
  // Deleted in the meantime, and with it the row.
  if (!project) return;
  // The pull request was deleted: without this, the row stays due forever.
  if (!which) return dropReply(db, row.id);
  const isSource = row.place.source !== undefined;
  const host = await hosts.get(isSource ? (row.place.hostId ?? project.host) : project.host);
  const { talk } = await host.open({ ...which, projectId: isSource ? null : project.id });
  if (!talk) return dropReply(db, row.id);
  if (row.reactedAt === null) {
    await talk.react(row.place);
    await noteReaction(db, row.id);
    return;
  }
  const turn = await newestTurnOfThread(db, row);
  const replyId = await reply(deps, talk, { row, text: await textOf(deps, talk, { project, row, turn }) });
  faultPoint('host-reply-posted');
  const isOfDocent = row.pullRequestId !== null;
  if (
    isOfDocent &&
    row.place.kind === 'review_comment' &&
    turn?.state === 'published' &&
    changesLines(turn.diff ?? '', row.place)
  ) {
    await resolve(deps, talk, row);
  }
  await noteReply(db, row, { replyId, turnNo: turn?.no ?? null });
}

/** The repository in which the comment was written. */
async function repositoryOf({ db }: Deps, { pullRequestId, place }: CommentRow, project: ProjectRow) {
  if (pullRequestId === null) {
    const { repository, repositoryId } = identityOf(project);
    return { repository: place.source ?? repository, repositoryId: place.repositoryId ?? repositoryId };
  }
  const pullRequest = await findPullRequestById(db, pullRequestId);
  return pullRequest && identityOfPullRequest(pullRequest, project);
}

/**
 * A process may die after posting a reply and before recording it. The next attempt finds that reply by its
 * marker, in comments of our own account.
 */
async function reply({ db }: Deps, talk: HostTalk, { row, text }: { row: CommentRow; text: string }): Promise<string> {
  const known = await findReply(db, row);
  if (known !== null && (await talk.edit(row.place, known, text))) return known;
  const [own, marker] = [await talk.ownAccount(), replyMarker(row)];
  const found = (await talk.comments(row.place)).find(
    ({ id, author, body }) => id !== known && author.id === own && body.includes(marker),
  );
  if (found && (await talk.edit(row.place, found.id, text))) return found.id;
  return talk.reply(row.place, text);
}

/** If the credential may not resolve threads, the answer is still posted. */
async function resolve({ log }: Deps, talk: HostTalk, { place, jobId }: CommentRow): Promise<void> {
  try {
    await talk.resolve(place);
  } catch (err) {
    log.info({ err: messageOf(err), jobId }, 'a thread on a code host could not be resolved');
  }
}

interface Answered {
  project: ProjectRow;
  row: CommentRow;
  turn: TurnRow | null;
}

async function textOf(deps: Deps, talk: HostTalk, { project, row, turn }: Answered): Promise<string> {
  const { db } = deps;
  const allowed = allowedSecrets(project);
  if (!turn) return replyText(row, null, '');
  const { closing } = await turnText(db, turn, allowed);
  const said = turn.state === 'failed' ? await hideSecrets(turn.errorMessage ?? '', allowed) : closing;
  if (turn.state === 'unchanged' && row.place.commit !== undefined) {
    return reviewText(row, await postFindings(deps, talk, { row, turn, said }));
  }
  const isOpenedHere = row.pullRequestId === null && turn.state === 'published';
  const link = isOpenedHere ? ((await findJob(db, project.id, row.jobId))?.prLink ?? null) : null;
  return replyText(row, turn, link === null ? said : `${link}\n\n${said}`);
}
