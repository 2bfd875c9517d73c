import type { OpenRepository, RepositoryIdentity } from '../../code-hosts/host.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import { identityOf, noteRepository, type ProjectRow } from '../../store/projects/projects.ts';
import { rowsBehind, type TurnRow } from '../../store/jobs/turn-fence.ts';
import type { ActivityDeps } from '../deps.ts';
import { baseRefOf } from './branch-target.ts';
import type { ActivityRun } from '../run-activity.ts';

/** A step of a turn, as input of activities. */
export interface StepAt {
  jobId: string;
  turn: number;
  step: number;
}

/** A turn whose position in the repository is known. */
export interface LocatedTurn extends TurnRow {
  branch: string;
  baseCommit: string;
  chainBaseCommit: string;
}

/** @throws TurnSuperseded if the turn was never located: its workflow does that first of all */
export function located(turn: TurnRow): LocatedTurn {
  if (!isLocated(turn)) throw rowsBehind(turn.jobId, turn.no);
  return turn;
}

export function isLocated(turn: TurnRow): turn is LocatedTurn {
  return turn.branch !== null && turn.baseCommit !== null && turn.chainBaseCommit !== null;
}

/** The snapshot of the commit under the turn's overlay, fetched if this machine lacks it. */
export async function snapshotOf(
  deps: Pick<ActivityDeps, 'db' | 'git' | 'hosts'>,
  { job, project }: { job: Pick<JobRow, 'options'>; project: ProjectRow },
  turn: LocatedTurn,
  run: ActivityRun,
): Promise<string> {
  // The commit is the tip of the job's branch, or, before that exists, of the base branch.
  const branch = turn.expectedTip === null ? baseRefOf(job, project) : turn.branch;
  return deps.git.ensureSnapshot(
    async () => (await openRepository(deps, project)).endpoint,
    { branch, commit: turn.baseCommit },
    { signal: run.signal, known: snapshotName(project), recent: run.attempt === 1 },
  );
}

/** Names a project's snapshots, by the row's fields that identify the repository. */
export function snapshotName({ id, host, repository }: ProjectRow): string {
  return JSON.stringify([id, host, repository]);
}

/**
 * The project's repository at its current URL; records a new id or URL. Call it again before each change
 * there.
 * @param known an earlier answer with more than the row
 */
export async function openRepository(
  deps: Pick<ActivityDeps, 'db' | 'hosts'>,
  project: ProjectRow,
  known: RepositoryIdentity = identityOf(project),
): Promise<OpenRepository> {
  const host = await deps.hosts.get(project.host);
  const { repository, repositoryId } = known;
  const found = await host.open({ repository, repositoryId, projectId: project.id });
  const isNews = found.repository !== repository || found.repositoryId !== repositoryId;
  if (isNews) await noteRepository(deps.db, project, found);
  return found;
}
