import type { DeclaredOutcome } from '@docent/models/conversation/declared-outcome';
import { AppError } from '../../platform/errors.ts';
import { messageOf } from '@docent/base/thrown';
import { faultPoint } from '../../platform/faults.ts';
import type { Logger } from '../../platform/log.ts';
import { workflowsToStart } from '../../jobs/outbox.ts';
import { endTurn } from '../../jobs/turn-life.ts';
import type { Queryable } from '../../store/database.ts';
import { modeOf } from '../../store/job-options.ts';
import { findJobWithProject, type JobRow } from '../../store/jobs/jobs.ts';
import { assertAnswered, assertPublished } from '../../store/jobs/reached.ts';
import { allowedSecrets, hideSecrets } from '../step/outgoing-secrets.ts';
import type { ActivityDeps } from '../deps.ts';
import { idleAnswer, openNext, type OpenedTurn } from '../open/open-next.ts';
import { runActivity } from '../run-activity.ts';
import { closingOf } from '../step/turn-entries.ts';

type Ending = { jobId: string; turn: number; error?: { code: string; message: string } | undefined };

/** A turn that ends without being published. */
export type StoppedTurn = Ending & { outcome: 'failed' | 'cancelled' };

/** A finished turn. `answered`: see {@link assertAnswered}. With an error: ended at a limit. */
export type DoneTurn = Ending & { outcome: 'published' | 'ready' | 'unchanged'; step: number; answered: boolean };

/** `moreWaiting`: messages for another turn. */
interface EndedTurn {
  job: JobRow;
  moreWaiting: boolean;
}

type EndDeps = Pick<ActivityDeps, 'db' | 'settings' | 'jobWorkflows'>;

export function createEndActivities(deps: EndDeps & Pick<ActivityDeps, 'log'>) {
  return {
    /** Ends a failed or canceled turn: see {@link endOnce}. `publishTurn` ends a published one. */
    async endTurn(input: StoppedTurn): Promise<{ ms: number }> {
      return runActivity(deps.log, { jobId: input.jobId, turn: input.turn }, async (run) => {
        await endOnce(deps, input, run.log);
        return {};
      });
    },
  };
}

/**
 * Ends a turn and sets the job's status. Idempotent: the first outcome counts.
 * @returns null if the job is gone
 * @throws TurnSuperseded if the rows lack that outcome: the turn continues
 */
export async function endOnce(deps: EndDeps, input: StoppedTurn | DoneTurn, log: Logger): Promise<EndedTurn | null> {
  const { db } = deps;
  const { jobId, turn, outcome } = input;
  const found = await findJobWithProject(db, jobId);
  if (!found) return null;
  const { project } = found;
  const closing = outcome === 'cancelled' ? null : await closingOf(db, jobId, turn);
  const summary = closing === null ? null : await hideSecrets(closing.text, allowedSecrets(project));
  const end = {
    state: outcome,
    summary: outcome === 'cancelled' ? 'Cancelled. Nothing of this turn was published.' : summary,
    declared: declaredOf(found.job, closing?.outcome),
    error: input.error ?? null,
  };
  const ended = await db
    .transaction((tx) => endTurn(tx, jobId, turn, end, async () => assertDone(tx, input)))
    .catch((err: unknown) => {
      if (err instanceof AppError && err.code === 'job_not_found') return null;
      throw err;
    });
  if (!ended) return null;
  const { job } = ended;
  log.info({ outcome: job.outcome ?? outcome, status: job.status, code: input.error?.code }, 'turn ended');
  faultPoint('turn-finished');
  await startNextTurn(deps, log);
  return ended;
}

/** The job's next work. The workflow cleared its signals before asking, so it gets later ones. */
export async function openAfter(deps: EndDeps, { job, moreWaiting }: EndedTurn): Promise<OpenedTurn> {
  const isAtRest = !moreWaiting && (job.status === 'completed' || job.status === 'failed');
  return isAtRest ? idleAnswer(deps, job, false) : openNext(deps, job.id);
}

/** Signals the next queued job; the reconciler does if this fails. */
async function startNextTurn({ db, settings, jobWorkflows }: EndDeps, log: Logger): Promise<void> {
  try {
    const signals = (await workflowsToStart(db, settings)).map((job) => jobWorkflows.signal(job, { reason: 'place' }));
    const failed = (await Promise.allSettled(signals)).find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  } catch (err) {
    log.warn({ reason: messageOf(err) }, 'the next queued job could not be notified: the reconciler will do it');
  }
}

/** If no change is possible, none was requested, unless the model reports that it could not answer. */
function declaredOf(job: JobRow, declared: DeclaredOutcome | undefined): DeclaredOutcome | null {
  return modeOf(job) === 'ask' && declared !== 'refused' && declared !== 'asked' ? 'answered' : (declared ?? null);
}

/** Asserts that the turn's outcome is in the rows. @throws TurnSuperseded if not */
async function assertDone(tx: Queryable, input: StoppedTurn | DoneTurn): Promise<void> {
  if (!('step' in input)) return;
  const { jobId, turn: turnNo, outcome, step: stepNo, answered } = input;
  await assertPublished(tx, { jobId, turnNo }, outcome);
  await assertAnswered(tx, { jobId, turnNo, stepNo }, answered);
}
