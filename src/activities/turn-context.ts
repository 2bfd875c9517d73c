import { JobFailure } from '../errors.ts';
import { findJobById, type JobRow, type ProjectRow } from '../store/jobs.ts';
import { findProject } from '../store/projects.ts';
import { TurnOver, type TurnRow } from '../store/turns.ts';
import type { ActivityDeps } from './deps.ts';
import type { ActivityRun } from './run-activity.ts';

/** A turn whose place in the repository is known. */
export interface LocatedTurn extends TurnRow {
  branch: string;
  baseCommit: string;
  chainBaseCommit: string;
}

/** The turn's job and project. @throws TurnOver if the job is gone; JobFailure if the turn was never located */
export async function loadTurn(
  deps: Pick<ActivityDeps, 'db'>,
  turn: TurnRow,
): Promise<{ job: JobRow; project: ProjectRow; turn: LocatedTurn }> {
  const { job, project } = await loadJob(deps, turn);
  return { job, project, turn: located(turn) };
}

/** @throws JobFailure if the turn was never located */
export function located(turn: TurnRow): LocatedTurn {
  if (!isLocated(turn)) throw new JobFailure('internal', 'The turn has no place in the repository yet.');
  return turn;
}

export async function loadJob(
  deps: Pick<ActivityDeps, 'db'>,
  turn: TurnRow,
): Promise<{ job: JobRow; project: ProjectRow }> {
  const job = await findJobById(deps.db, turn.jobId);
  const project = job && (await findProject(deps.db, job.projectId));
  if (!job || !project) throw new TurnOver(turn.jobId, turn.no);
  return { job, project };
}

export function isLocated(turn: TurnRow): turn is LocatedTurn {
  return turn.branch !== null && turn.baseCommit !== null && turn.chainBaseCommit !== null;
}

/** Path of the snapshot of the commit that the turn's overlay lies on; fetched again where this machine lacks it. */
export async function snapshotOf(
  deps: Pick<ActivityDeps, 'git' | 'hosts'>,
  project: ProjectRow,
  turn: LocatedTurn,
  run: ActivityRun,
): Promise<string> {
  const endpoint = await (await deps.hosts.get(project.host)).endpoint(project.repository);
  // The commit is the tip of the job's branch, or, before that exists, of the base branch.
  const branch = turn.expectedTip === null ? project.ref : turn.branch;
  return deps.git.ensureSnapshot(
    endpoint,
    { branch, commit: turn.baseCommit },
    { signal: run.signal, recent: run.attempt === 1 },
  );
}
