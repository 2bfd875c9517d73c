import { messageOf } from '@docent/base/thrown';
import { acceptMessage } from '../../jobs/acceptance.ts';
import { workflowJobOf } from '../../jobs/outbox.ts';
import { AppError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import { insertHostMessage, type NewHostMessage } from '../../store/hosts/host-messages.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import type { PullRequestRow } from '../../store/pull-requests/pull-requests.ts';
import { tryLater } from '../run-activity.ts';
import type { HostEventDeps, ReceivedHostEvent } from './host-event-consumer.ts';

/** How long a limit of a project is waited for, where it does not say. */
const PAUSE_MS = 60_000;

/** Refusals that pass by themselves. */
const MAY_PASS: ReadonlySet<string> = new Set(['rate_limited', 'unavailable', 'job_active']);

/** Names a row of `host_messages`. Two projects with one repository may have the same pull request. */
export function rowIdOf({ hostId }: Pick<ReceivedHostEvent, 'hostId'>, { id }: PullRequestRow, key: string): string {
  return `${hostId}:${id}:${key}`;
}

export interface AskedOnHost {
  project: ProjectRow;
  jobId: string;
  prompt: string;
  /** What the message is made of. With one of them taken before, there is no message. */
  rows: Omit<NewHostMessage, 'messageNo'>[];
  /** Nobody waits for a reaction or a reply. */
  isAnswered?: boolean;
}

/**
 * Writes the message and its rows at once, and wakes the job. Safe to repeat: a row is written once. A refusal that does not pass is
 * logged.
 * @throws Failure where it may be taken later
 */
export async function acceptHostMessage(
  { project, jobId, prompt, rows, isAnswered = false }: AskedOnHost,
  { db, acceptance, jobWorkflows, log }: HostEventDeps,
): Promise<void> {
  const message = { projectId: project.id, jobId, prompt, limitPerHour: acceptance.messagesPerHour };
  try {
    const job = await db.transaction(async (tx) => {
      const accepted = await acceptMessage(tx, message);
      for (const row of rows) {
        const isNew = await insertHostMessage(tx, { ...row, messageNo: accepted.lastMessageNo }, { isAnswered });
        if (!isNew) throw new AlreadyTaken();
      }
      return accepted;
    });
    faultPoint('host-message-taken');
    // Temporal may be away: the reconciler signals what this could not.
    await workflowJobOf(db, { job, isNew: false, prompt })
      .then((found) => jobWorkflows.signal(found, { reason: 'message' }))
      .catch((err: unknown) => {
        log.info({ jobId, err: messageOf(err) }, 'the workflow of a message of a code host is left to the reconciler');
      });
  } catch (err) {
    // Another process had the same event.
    if (err instanceof AlreadyTaken) return;
    if (!(err instanceof AppError)) throw err;
    if (MAY_PASS.has(err.code)) {
      throw tryLater(err.message, err.code, (err.retryAfterSeconds ?? PAUSE_MS / 1_000) * 1_000);
    }
    log.info({ jobId, code: err.code, reason: err.message }, 'what a code host reports became no message of its job');
  }
}

class AlreadyTaken extends Error {}
