import { faultPoint } from '../../platform/faults.ts';
import type { TranscriptEntry } from '@docent/models/conversation/transcript';
import { dropFromOverlay, listOverlay, type StoredOverlayEntry } from '../../store/jobs/overlay.ts';
import { recordOutcome } from '../../store/jobs/outcomes.ts';
import { claimWithJob } from '../../store/jobs/claimed-turn.ts';
import { updateClaimedTurn, type TurnRow } from '../../store/jobs/turn-fence.ts';
import { listTurns } from '../../store/jobs/turns.ts';
import { absentText } from '@docent/agent/instructions';
import { isPublishTurn } from '../../store/preview.ts';
import { addEvent } from '../../store/jobs/job-events.ts';
import type { OpenRepository } from '../../code-hosts/host.ts';
import { Failure } from '@docent/base/failure';
import type { Queryable } from '../../store/database.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import { followDefaultBranch, type ProjectRow } from '../../store/projects/projects.ts';
import { docsOf, type ActivityDeps } from '../deps.ts';
import { columnsOf, type BranchTarget } from './branch-target.ts';
import { changedSince, conflictsOnNewBase, listPaths } from './conflicts.ts';
import { absentSources, findTurnSources } from './turn-sources.ts';
import { findTurnTarget, isDirect } from './turn-target.ts';
import type { ActivityRun } from '../run-activity.ts';
import { isLocated, openRepository, snapshotName, snapshotOf } from './turn-context.ts';

/**
 * Finds where the turn starts (the tip of the job's branch, else of the base branch), applies unpublished
 * work of earlier turns, reports to the agent what changed in the meantime, and makes the files readable on
 * this machine. Idempotent.
 * @throws TurnSuperseded
 */
export async function locateTurn(
  deps: ActivityDeps,
  { jobId, turn: turnNo }: { jobId: string; turn: number },
  run: ActivityRun,
): Promise<void> {
  const { db, git } = deps;
  const claimed = await claimWithJob(db, { jobId, turnNo });
  const { claim, job } = claimed;
  let { project } = claimed;
  if (isLocated(claim)) {
    await snapshotOf(deps, { job, project }, claim, run);
    return;
  }
  const repository = await openRepository(deps, project);
  const { endpoint } = repository;
  const earlier = (await listTurns(db, jobId)).filter((turn) => turn.no < turnNo);
  const prefix = project.settings.branchPrefix ?? deps.settings.branchPrefix;
  const firstChainNo = Math.max(1, ...earlier.map((turn) => turn.chainNo));
  const publishes = isPublishTurn(job, turnNo);
  const find = () =>
    findTurnTarget({ job, project, repository, prefix, firstChainNo, turn: claim }, git, earlier, run.signal);
  const target = await find().catch(async (err: unknown) => {
    const moved = await movedBase(db, { job, project }, repository, err);
    if (!moved) throw err;
    project = moved;
    return find();
  });
  const snapshotPath = await git.ensureSnapshot(
    endpoint,
    { branch: target.baseBranch, commit: target.baseCommit },
    { signal: run.signal, known: snapshotName(project) },
  );
  const sources = publishes ? [] : await findTurnSources(deps, project, run);
  const absent = [...(await absentInstructions(deps, project, snapshotPath, run.signal)), ...absentSources(sources)];
  const overlay = await listOverlay(db, jobId);
  const before = earlier.toReversed().find((turn) => turn.baseCommit !== null);
  const seen = before?.commit ?? before?.baseCommit ?? null;
  const moved = seen
    ? await conflictsOnNewBase(git, endpoint, overlay, seen, target, run.signal)
    : { conflicts: [], changedByOthers: [] };
  if (publishes && moved.conflicts.length > 0) throw changedSince(moved.conflicts);
  const notices = noticesOf(before, target, publishes ? [] : overlay, moved);
  if (absent.length > 0) notices.push({ role: 'notice', text: absent.join('\n'), forSummary: absent });
  const record = async (q: Queryable) => {
    await updateClaimedTurn(q, claim, { ...columnsOf(target), sources });
    await dropFromOverlay(q, jobId, moved.conflicts);
    for (const text of absent) await addEvent(q, { jobId, type: 'step', turnNo, text });
    if (notices.length > 0) {
      await recordOutcome(q, claim, { stepNo: 0, part: 'note', entries: notices });
    }
  };
  // A single statement needs no transaction, and this is the usual case.
  if (notices.length > 0 || moved.conflicts.length > 0) await db.transaction(record);
  else await record(db);
  faultPoint('turn-located');
}

/** The project on the repository's default branch, if its unnamed base branch is gone. */
async function movedBase(
  q: Queryable,
  { job, project }: { job: JobRow; project: ProjectRow },
  repository: OpenRepository,
  err: unknown,
): Promise<ProjectRow | null> {
  const isGone = err instanceof Failure && err.retry.code === 'branch_missing' && job.options.ref === undefined;
  const ref = isGone && project.settings.followsDefaultBranch ? await repository.defaultBranch() : null;
  return ref === null ? null : followDefaultBranch(q, project, ref);
}

/** Sentences about configured instruction files that the commit lacks. */
async function absentInstructions(
  { agents }: Pick<ActivityDeps, 'agents'>,
  project: ProjectRow,
  snapshotPath: string,
  signal: AbortSignal,
): Promise<string[]> {
  const docs = docsOf(project);
  if (!docs.instructionFiles?.length && !docs.styleGuides?.length) return [];
  const { instructions } = await agents.readInstructions({ snapshotPath, ...docs }, { signal });
  return absentText(instructions.files);
}

/** What the agent must know before it continues an earlier turn. Empty if nothing changed in the meantime. */
function noticesOf(
  before: TurnRow | undefined,
  target: BranchTarget,
  overlay: readonly StoredOverlayEntry[],
  moved: { conflicts: string[]; changedByOthers: string[] },
): TranscriptEntry[] {
  const notices: TranscriptEntry[] = [];
  if (before?.state === 'cancelled' || before?.state === 'archived') {
    const text = 'The previous turn was cancelled, and its changes were discarded. Do not work on its request.';
    notices.push({ role: 'notice', kind: 'cancelled', text });
  }
  const said: string[] = [];
  if (before && !isDirect(before) && before.chainNo !== target.chainNo) {
    said.push(
      'The pull request of the earlier turns was merged or closed. This turn starts from the base branch, in a new pull request.',
    );
  }
  if (moved.changedByOthers.length > 0) {
    said.push(
      `Since your last turn these files were changed outside this conversation:\n${listPaths(moved.changedByOthers)}`,
    );
  }
  const kept = overlay.map(({ path }) => path).filter((path) => !moved.conflicts.includes(path));
  if (kept.length > 0) {
    said.push(`Not published yet, but still in your workspace from the turn before:\n${listPaths(kept)}`);
  }
  if (said.length > 0) notices.push({ role: 'notice', text: said.join('\n\n') });
  if (moved.conflicts.length > 0) {
    const text = `Your unpublished changes to these files were dropped, because others changed the same files:\n${listPaths(moved.conflicts)}`;
    notices.push({ role: 'notice', kind: 'conflict', paths: moved.conflicts, text });
  }
  return notices;
}
