import { createHash } from 'node:crypto';
import { WorkflowFailedError, type Client } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure, TerminatedFailure } from '@temporalio/common';
import { AppError } from '../platform/errors.ts';
import { addControlRequest, findControlResult, REQUEST_UNKNOWN } from '../store/installation/control-requests.ts';
import type { Db } from '../store/database.ts';
import type { ControlKind } from '../store/schema.ts';
import { INTERACTIVE } from './turn-taking.ts';
import { taskQueueOf, type ControlRequestInput, type ShortWorkflows } from '../workflows/contract.ts';

/** How long a request waits for a worker. */
const WAIT_MS = 30_000;
/** The same where someone fills in a form. */
const SURVEY_WAIT_MS = 20_000;

interface How {
  waitMs?: number;
  /** Ends the caller's previous request of this kind. */
  isNewest?: boolean;
}

/**
 * Has a worker do something and waits for it: the API itself accesses no repository. The request is a row,
 * written here for an authenticated caller; the workflow only knows its id, and the answer is read from the
 * row. So a client that can only reach Temporal can neither make requests nor forge answers.
 * @throws AppError `unavailable` (503) if Temporal or every worker is down
 */
export function createShortWorkflows(client: Client, db: Db, installationId: string): ShortWorkflows {
  async function run<Result>(
    kind: ControlKind,
    input: unknown,
    requestedBy: string,
    { waitMs = WAIT_MS, isNewest = false }: How = {},
  ): Promise<Result> {
    const requestId = await addControlRequest(db, { kind, input, requestedBy, lifeMs: waitMs });
    // One name for all of a caller: whichever API asks, the previous one is ended as this one begins.
    const name = isNewest ? `newest-${createHash('sha256').update(requestedBy).digest('hex').slice(0, 32)}` : requestId;
    let failure: unknown;
    try {
      await client.withDeadline(Date.now() + waitMs + 2_000, async () => {
        const workflowId = `docent-${installationId}-${kind}-${name}`;
        const { firstExecutionRunId } = await client.workflow.start(kind, {
          workflowId,
          ...(isNewest ? { workflowIdConflictPolicy: 'TERMINATE_EXISTING' as const } : {}),
          taskQueue: taskQueueOf(installationId),
          args: [{ requestId } satisfies ControlRequestInput],
          workflowExecutionTimeout: waitMs,
          priority: INTERACTIVE,
        });
        // This run, and not the one that may have taken its place.
        await client.workflow.getHandle(workflowId, firstExecutionRunId).result();
      });
    } catch (err) {
      failure = err;
    }
    // Also if the workflow was ended from outside: the work may be done.
    const result = await findControlResult(db, requestId);
    if (result !== null) return result as Result;
    if (isNewest && failure instanceof WorkflowFailedError && failure.cause instanceof TerminatedFailure) {
      throw new AppError('superseded', 'A newer check replaced this one.');
    }
    throw new AppError('unavailable', whyNot(failure), { cause: failure, retryAfterSeconds: 5 });
  }

  return {
    checkRepository: (input, requestedBy) => run('checkRepository', input, requestedBy),
    surveyRepository: (input, requestedBy) =>
      run('checkRepository', { ...input, survey: true }, requestedBy, { waitMs: SURVEY_WAIT_MS, isNewest: true }),
    changePullRequest: (input, requestedBy) => run('changePullRequest', input, requestedBy),
    checkHost: (input, requestedBy) => run('checkHost', input, requestedBy),
    checkModel: (input, requestedBy) => run('checkModel', input, requestedBy),
    testModel: (input, requestedBy) => run('testModel', input, requestedBy),
    refreshPullRequest: (input, requestedBy) => run('refreshPullRequest', input, requestedBy),
    testWebhook: (input, requestedBy) => run('testWebhook', input, requestedBy),
  };
}

/** A sentence about a request that has no answer. */
function whyNot(failure: unknown): string {
  if (failure !== undefined && !(failure instanceof WorkflowFailedError))
    return 'Temporal cannot be reached. Start it, or try again.';
  const said = workerFailure(failure);
  if (said !== null) return `The worker failed: ${said} Check its log, and try again.`;
  return 'No worker responded in time. Start a worker ("docent worker"), or try again.';
}

/** A worker's failure, without secrets; null if no worker came in time. */
function workerFailure(failure: WorkflowFailedError | undefined): string | null {
  let cause: unknown = failure?.cause;
  while (cause instanceof ActivityFailure) cause = cause.cause;
  return cause instanceof ApplicationFailure && cause.type !== REQUEST_UNKNOWN ? cause.message : null;
}
