import type { LimitReached } from '@docent/models/conversation/limit-reached';
import { whilePublishing } from '../../jobs/publish-lease.ts';
import { jobFailure } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import { beginPublishing } from '../../store/jobs/claimed-turn.ts';
import { modeOf } from '../../store/job-options.ts';
import { clearOverlay, listOverlay } from '../../store/jobs/overlay.ts';
import { findPendingDiff } from '../../store/jobs/pending-diffs.ts';
import { isPublishTurn } from '../../store/preview.ts';
import { rowsBehind, updateClaimedTurn } from '../../store/jobs/turn-fence.ts';
import type { ActivityDeps } from '../deps.ts';
import type { OpenedTurn } from '../open/open-next.ts';
import { located, type StepAt } from '../open/turn-context.ts';
import { isDirect, mayPush } from '../open/turn-target.ts';
import { runActivity, type ActivityRun } from '../run-activity.ts';
import { closingText } from '../step/turn-entries.ts';
import { endOnce, openAfter, type DoneTurn, type StoppedTurn } from './end-turn.ts';
import { assertNoSecrets, type Elsewhere, type Publication, type Published } from './publication.ts';
import { assertNotRenamed, preparePush, push } from './push.ts';
import { rebaseOverlay, type Conflict } from './rebase-overlay.ts';
import { publishPullRequest, recordDirectPush, recordUnchanged } from './record-publication.ts';

/** How often a push is laid over a tip that moved without a conflict, within one attempt. */
const MAX_REBASES = 20;

interface PublishInput extends StepAt {
  /** See {@link assertAnswered}. */
  answered: boolean;
  /** The limit at which the turn was stopped, if it was not done. */
  limit: LimitReached | null;
}

/** The end of a turn's work: pushes it, opens or updates its pull request, and ends the turn. */
export function createPublishActivities(deps: ActivityDeps) {
  return {
    /**
     * Idempotent: the commit is built only from rows, so every attempt makes the same one and finds it on the
     * branch; the pull request is looked up by its branch. Nothing is pushed after the job is archived,
     * because a push holds a lease that archiving waits for.
     * @returns `conflict` if others changed the same files: the agent gets a notice, and the turn continues;
     *   else `next`, the next work, if the job still exists
     */
    async publishTurn(
      input: PublishInput,
    ): Promise<(Conflict | { kind: 'ended'; result: Published; next?: OpenedTurn }) & { ms: number }> {
      const { jobId, turn, step } = input;
      return runActivity(deps.log, { jobId, turn, step }, async (run) => {
        const result = await publish(deps, input, run);
        if (result.kind === 'conflict') return result;
        const ended = await endOnce(deps, endingOf(input, result), run.log);
        return { kind: 'ended' as const, result, ...(ended && { next: await openAfter(deps, ended) }) };
      });
    },
  };
}

/** Publishes the turn's change in the job's mode. Returns the outcome of an earlier attempt unchanged. */
async function publish(
  deps: ActivityDeps,
  { jobId, turn: turnNo, step, answered }: PublishInput,
  run: ActivityRun,
): Promise<Published | Conflict> {
  const begun = await beginPublishing(deps.db, { jobId, turnNo, stepNo: step }, answered);
  if (begun.recorded === 'commit') return { kind: 'published', commit: begun.commit, prLink: null };
  if (begun.recorded === 'conflict') return { kind: 'conflict', files: [] };
  const publication: Publication = { ...begun, turn: located(begun.claim), run };
  const mode = modeOf(begun.job);
  if (mode === 'ask') return { kind: 'unchanged' };
  if (mode === 'preview' && !isPublishTurn(begun.job, turnNo)) return holdBack(deps, publication);
  return pushUntilItFits(deps, publication, step);
}

/** A preview stays in the rows: the check before has recorded it. */
async function holdBack(deps: ActivityDeps, publication: Publication): Promise<Published> {
  const { db } = deps;
  const { claim } = publication;
  const { jobId, no: turnNo } = claim;
  const overlay = await listOverlay(db, jobId);
  if (overlay.length === 0) return { kind: 'unchanged' };
  const diff = await findPendingDiff(db, jobId);
  if (!diff || diff.turnNo !== turnNo) throw rowsBehind(jobId, turnNo);
  await assertNoSecrets(deps, publication, overlay, await closingText(db, jobId, turnNo));
  if (diff.files > 0) return { kind: 'ready' };
  // Others have made the same change in the meantime.
  await db.transaction(async (tx) => {
    await updateClaimedTurn(tx, claim, {});
    await clearOverlay(tx, jobId);
  });
  return { kind: 'unchanged' };
}

/** Pushes. If the target has moved, applies the change to its new tip and pushes again. */
async function pushUntilItFits(deps: ActivityDeps, first: Publication, step: number): Promise<Published | Conflict> {
  let publication = first;
  for (let round = 0; round < MAX_REBASES; round += 1) {
    const tried = await pushOnce(deps, publication);
    if (tried.kind !== 'moved' && tried.kind !== 'turned-away') {
      if (tried.kind === 'published') faultPoint('publish-recorded');
      return tried;
    }
    const rebased = await rebaseOverlay(deps, publication, step, tried);
    if (rebased.kind === 'conflict') return rebased;
    publication = { ...publication, turn: rebased.turn };
  }
  throw jobFailure('conflict_unresolved', `The branch moved ${MAX_REBASES} times while Docent tried to push.`);
}

/** One push on the turn's present target, and its record, under the lease that archiving waits for. */
function pushOnce(deps: ActivityDeps, publication: Publication): Promise<Published | Elsewhere> {
  const { claim, turn, project, run } = publication;
  return whilePublishing(deps.db, claim, run.signal, async (signal, confirm) => {
    if (isDirect(turn) && !mayPush(project, publication.job)) {
      return { kind: 'turned-away', why: 'The project no longer allows pushes to its base branch' };
    }
    const prepared = await preparePush(deps, publication, signal);
    if (prepared === 'moved') return { kind: 'moved' };
    await confirm();
    const pushed = await push(deps, publication, prepared, signal);
    if (pushed === null) return recordUnchanged(deps, publication, prepared);
    if (pushed.kind !== 'pushed') return pushed;
    faultPoint('commit-pushed');
    const repository = await assertNotRenamed(deps, publication, prepared.repository);
    // The process may be paused during a push: a late one leaves the pull request to its successor.
    await confirm();
    return isDirect(turn)
      ? recordDirectPush(deps, publication, prepared, pushed.commit)
      : publishPullRequest(deps, publication, { ...prepared, repository }, pushed.commit);
  });
}

/** What happens to the agent's work up to a limit. */
const KEPT = {
  published: 'Its changes so far are in the pull request.',
  ready: 'Its changes so far can be published.',
  unchanged: 'Nothing was published.',
};

/** How a turn ends after this outcome. At a limit it ends with an error; without a change there, it fails. */
export function endingOf(
  { jobId, turn, step, answered, limit }: PublishInput,
  { kind }: Pick<Published, 'kind'>,
): StoppedTurn | DoneTurn {
  if (!limit) return { jobId, turn, outcome: kind, step, answered };
  const error = { code: limit.code, message: `${limit.message} ${KEPT[kind]} Send a message to continue.` };
  return kind === 'unchanged'
    ? { jobId, turn, outcome: 'failed', error }
    : { jobId, turn, outcome: kind, step, answered, error };
}
