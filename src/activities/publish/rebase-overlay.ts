import type { TranscriptEntry } from '@docent/models/conversation/transcript';
import { addEvent } from '../../store/jobs/job-events.ts';
import { recordOutcome } from '../../store/jobs/outcomes.ts';
import { dropFromOverlay, listOverlay } from '../../store/jobs/overlay.ts';
import { isPublishTurn } from '../../store/preview.ts';
import { updateClaimedTurn } from '../../store/jobs/turn-fence.ts';
import { listTurns } from '../../store/jobs/turns.ts';
import type { ActivityDeps } from '../deps.ts';
import { openRepository, snapshotName, type LocatedTurn } from '../open/turn-context.ts';
import { columnsOf, findBranchTarget, type BranchTarget } from '../open/branch-target.ts';
import type { Elsewhere, Publication } from './publication.ts';
import { wasPushedBefore } from '../open/pushed-before.ts';
import { changedSince, conflictsOnNewBase, listPaths } from '../open/conflicts.ts';
import { findTurnTarget } from '../open/turn-target.ts';

/** Others changed these files too: the agent got a notice and must check again. */
export interface Conflict {
  kind: 'conflict';
  files: string[];
}

/** Moves the turn to the branch's or its successor's tip. Conflicting files return to the agent. */
export async function rebaseOverlay(
  deps: Pick<ActivityDeps, 'db' | 'git' | 'hosts' | 'settings'>,
  { claim, turn, job, project, run }: Publication,
  step: number,
  cause: Elsewhere,
): Promise<{ kind: 'rebased'; turn: LocatedTurn } | Conflict> {
  const { db, git } = deps;
  const { jobId, no: turnNo } = claim;
  const repository = await openRepository(deps, project);
  const { endpoint } = repository;
  const earlier = (await listTurns(db, jobId)).filter((other) => other.no <= turnNo);
  const prefix = project.settings.branchPrefix ?? deps.settings.branchPrefix;
  const remark = cause.kind === 'turned-away' ? `${cause.why}: Docent opens a pull request instead.` : null;
  const at = { job, project, repository, prefix, firstChainNo: Math.max(1, turn.chainNo) };
  const target =
    remark === null
      ? await findTurnTarget({ ...at, turn }, git, earlier, run.signal)
      : await findBranchTarget(at, git, earlier, run.signal);
  const overlay = await listOverlay(db, jobId);
  // Our own commit is not a conflict: it replaces what the turn made a second time.
  const { conflicts } = (await wasPushedBefore(db, git, { ...target, jobId, no: turnNo, endpoint }, run.signal))
    ? { conflicts: [] }
    : await conflictsOnNewBase(git, endpoint, overlay, turn.baseCommit, target, run.signal);
  if (conflicts.length > 0 && isPublishTurn(job, turnNo)) throw changedSince(conflicts);
  const start = { branch: target.baseBranch, commit: target.baseCommit };
  await git.ensureSnapshot(endpoint, start, { signal: run.signal, known: snapshotName(project) });
  const moved = await db.transaction(async (tx) => {
    const updated = await updateClaimedTurn(tx, claim, { ...columnsOf(target), ...(remark && { remark }) });
    if (remark) await addEvent(tx, { jobId, type: 'step', turnNo, text: remark });
    if (conflicts.length > 0) {
      await dropFromOverlay(tx, jobId, conflicts);
      const notice = conflictNotice(conflicts, target);
      await recordOutcome(tx, claim, { stepNo: step, part: 'note', entries: [notice] });
      await addEvent(tx, {
        jobId,
        type: 'step',
        turnNo,
        text: `Others changed ${conflicts.length} of the same files. The agent reworks the change.`,
      });
    }
    return updated;
  });
  if (conflicts.length > 0) return { kind: 'conflict', files: conflicts };
  return { kind: 'rebased', turn: { ...turn, ...moved, ...target } };
}

function conflictNotice(files: readonly string[], target: BranchTarget): TranscriptEntry {
  return {
    role: 'notice',
    kind: 'conflict',
    paths: [...files],
    text:
      `While you worked, others changed these files on ${JSON.stringify(target.baseBranch)}. Your changes to them were not applied; ` +
      `the files are now as they are there. Look at them again and make your changes anew:\n${listPaths(files)}`,
  };
}
