import { eq, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../database.ts';
import type { JobRow } from './jobs.ts';
import type { ProjectRow } from '../projects/projects.ts';
import { jobs, projects } from '../schema.ts';
import { assertAnswered, isAnswered, isReached, type StepAt } from './reached.ts';
import { findPart } from './transcript.ts';
import { claiming, type TurnRow, turnSuperseded } from './turn-fence.ts';
import { findTurn } from './turns.ts';

/** A turn that an attempt has taken over, with its job and project. */
export interface ClaimedTurn {
  claim: TurnRow;
  job: JobRow;
  project: ProjectRow;
}

/**
 * Claims a running turn and reads its job and project, in one statement.
 * @param when claims nothing unless it holds
 * @returns null without such a turn
 */
async function tryClaimWithJob(db: Db, at: { jobId: string; turnNo: number }, when?: SQL): Promise<ClaimedTurn | null> {
  const claimed = db.$with('claimed').as(claiming(db, at, when));
  const [row] = await db
    .with(claimed)
    .select()
    .from(claimed)
    .innerJoin(jobs, eq(jobs.id, at.jobId))
    .innerJoin(projects, eq(projects.id, jobs.projectId));
  return row ? { claim: row.claimed, job: row.jobs, project: row.projects } : null;
}

/** The same. @throws TurnSuperseded when the turn is no longer running, or its job or project is gone */
export async function claimWithJob(db: Db, at: { jobId: string; turnNo: number }): Promise<ClaimedTurn> {
  const claimed = await tryClaimWithJob(db, at);
  if (!claimed) throw turnSuperseded(at.jobId, at.turnNo);
  return claimed;
}

/**
 * The start of an attempt to publish a turn: an earlier attempt's result (the commit, or that others changed
 * the same files), or the turn, taken over. One statement if nothing was recorded.
 * @param answered see {@link assertAnswered}
 * @throws TurnSuperseded if the turn no longer runs, its job or project is gone, or earlier steps are not
 *   recorded
 */
export async function beginPublishing(
  db: Db,
  at: StepAt,
  answered: boolean,
): Promise<({ recorded: null } & ClaimedTurn) | { recorded: 'commit'; commit: string } | { recorded: 'conflict' }> {
  const { jobId, turnNo, stepNo } = at;
  const isNext = sql`(turns.commit IS NULL AND ${answered ? isAnswered(at) : isReached(at)} AND NOT EXISTS (
    SELECT 1 FROM transcript n WHERE n.job_id = ${jobId} AND n.turn_no = ${turnNo} AND n.step_no = ${stepNo} AND n.part = 'note'))`;
  const claimed = await tryClaimWithJob(db, at, isNext);
  if (claimed) return { recorded: null, ...claimed };
  const turn = await findTurn(db, jobId, turnNo);
  if (turn?.commit) return { recorded: 'commit', commit: turn.commit };
  if (await findPart(db, jobId, turnNo, stepNo, 'note')) return { recorded: 'conflict' };
  if (turn?.state === 'running') await assertAnswered(db, at, answered);
  throw turnSuperseded(jobId, turnNo);
}
