import { messageOf } from '@docent/base/thrown';
import { sql } from 'drizzle-orm';
import { acceptMessage } from '../../jobs/acceptance.ts';
import { createJob, type WantedJob } from '../../jobs/create-job.ts';
import { workflowToWake } from '../../jobs/outbox.ts';
import { AppError, Expected, isExpected } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import type { Queryable } from '../../store/database.ts';
import {
  findStartedJob,
  insertHostMessage,
  type Conversation,
  type NewHostMessage,
} from '../../store/hosts/host-messages.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import { acceptingLock, type ProjectRow } from '../../store/projects/projects.ts';
import type { PullRequestRow } from '../../store/pull-requests/pull-requests.ts';
import { tryLater } from '../run-activity.ts';
import type { HostEventDeps, ReceivedHostEvent } from './host-event-consumer.ts';

/** How long to wait for a project's limit that gives no time. */
const PAUSE_MS = 60_000;

/** Refusals that are temporary. */
const MAY_PASS: ReadonlySet<string> = new Set(['rate_limited', 'unavailable', 'job_active']);

/** Names a row of `host_messages`. Two projects with one repository may have the same pull request. */
export function rowIdOf({ hostId }: Pick<ReceivedHostEvent, 'hostId'>, { id }: PullRequestRow, key: string): string {
  return `${hostId}:${id}:${key}`;
}

export interface AskedOnHost {
  project: ProjectRow;
  jobId: string;
  prompt: string;
  /** The rows that the message comes from. If one of them was taken before, no message is written. */
  rows: Taken['rows'];
  /** No reaction or reply is expected. */
  isAnswered?: boolean;
}

/**
 * Writes the message and its rows in one transaction, and wakes the job. Safe to repeat: each row is written
 * once. A final refusal is logged.
 * @throws Failure if a later attempt may succeed
 */
export async function acceptHostMessage(asked: AskedOnHost, deps: HostEventDeps): Promise<void> {
  const { project, jobId, prompt, rows } = asked;
  const { messagesPerHour: limitPerHour, slots } = deps.acceptance;
  const message = { projectId: project.id, jobId, prompt, limitPerHour, slots };
  await takeOnce({ ...asked, rows, isNew: false, accept: (tx) => acceptMessage(tx, message) }, deps);
}

interface HostJob extends Omit<WantedJob, 'metadata' | 'model' | 'webhook'>, Pick<Taken, 'rows'> {
  project: ProjectRow;
  /** The issue or pull request, which has one job that takes messages of each kind. */
  conversation: Conversation;
}

/** The same to the job of the conversation, or with a new one if it has none. */
export async function startHostJob(
  { rows, project, conversation, ...wanted }: HostJob,
  deps: HostEventDeps,
): Promise<void> {
  const { prompt } = wanted;
  const job = { ...wanted, metadata: {}, model: undefined, webhook: null };
  const started: { jobId?: string | null } = {};
  const accept = async (tx: Queryable) => {
    // Two comments may come at once, to two processes: the second finds the job of the first.
    await tx.execute(sql`SELECT ${acceptingLock(project.id)}`);
    started.jobId = await findStartedJob(tx, conversation);
    return started.jobId === null ? createJob(tx, job, deps.acceptance) : null;
  };
  await takeOnce({ prompt, rows, isNew: true, accept }, deps);
  if (started.jobId) await acceptHostMessage({ project, jobId: started.jobId, prompt, rows }, deps);
}

interface Taken {
  prompt: string;
  rows: Omit<NewHostMessage, 'messageNo' | 'jobId'>[];
  isAnswered?: boolean;
  isNew: boolean;
  /** Null takes nothing. */
  accept: (tx: Queryable) => Promise<JobRow | null>;
}

async function takeOnce(
  { prompt, rows, isAnswered = false, isNew, accept }: Taken,
  { db, jobWorkflows, acceptance, log }: HostEventDeps,
): Promise<void> {
  try {
    const job = await db.transaction(async (tx) => {
      const accepted = await accept(tx);
      if (accepted === null) return null;
      const { id: jobId, lastMessageNo: messageNo } = accepted;
      for (const row of rows) {
        if (!(await insertHostMessage(tx, { ...row, jobId, messageNo }, { isAnswered })))
          throw new Expected('already_taken', 'Another process had the same event.');
      }
      return accepted;
    });
    if (job === null) return;
    faultPoint('host-message-taken');
    // Temporal may be down: the reconciler then sends the signal.
    await workflowToWake(db, { job, isNew, prompt }, acceptance.slots)
      .then((found) => found && jobWorkflows.signal(found, { reason: 'message' }))
      .catch((err: unknown) => {
        log.info(
          { jobId: job.id, err: messageOf(err) },
          'a job could not be signaled about a code host message: the reconciler will do it',
        );
      });
  } catch (err) {
    if (isExpected(err, 'already_taken')) return;
    if (!(err instanceof AppError)) throw err;
    if (MAY_PASS.has(err.code)) {
      throw tryLater(err.message, err.code, (err.retryAfterSeconds ?? PAUSE_MS / 1_000) * 1_000);
    }
    log.info(
      { rows: rows.map(({ id }) => id), code: err.code, reason: err.message },
      'a code host event could not be passed to its job',
    );
  }
}
