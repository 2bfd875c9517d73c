import { WorkflowFailedError, type Client } from '@temporalio/client';
import { AppError } from '../platform/errors.ts';
import { addControlRequest, findControlResult } from '../store/control-requests.ts';
import type { Db } from '../store/database.ts';
import type { ControlKind } from '../store/schema.ts';
import { taskQueueOf, type ControlRequestInput, type ShortWorkflows } from '../workflows/contract.ts';

/** How long a request waits for a worker. */
const WAIT_MS = 30_000;

/**
 * Has a worker do something and waits for it: the API itself touches no repository. What is to be done is a row, written here for a
 * caller who was let in; the workflow knows its id alone, and the answer is read from the row. Whoever can reach Temporal, and
 * nothing else, can thus neither ask for anything nor make an answer up.
 * @throws AppError `unavailable` (503) when Temporal or every worker is away
 */
export function createShortWorkflows(client: Client, db: Db, installationId: string): ShortWorkflows {
  async function run<Result>(kind: ControlKind, input: unknown, requestedBy: string): Promise<Result> {
    const requestId = await addControlRequest(db, { kind, input, requestedBy, lifeMs: WAIT_MS });
    let failure: unknown;
    try {
      await client.withDeadline(Date.now() + WAIT_MS + 2_000, () =>
        client.workflow.execute(kind, {
          workflowId: `docent-${installationId}-${kind}-${requestId}`,
          taskQueue: taskQueueOf(installationId),
          args: [{ requestId } satisfies ControlRequestInput],
          workflowExecutionTimeout: WAIT_MS,
        }),
      );
    } catch (err) {
      failure = err;
    }
    // Also where the workflow was ended from outside: what was done was done.
    const result = await findControlResult(db, requestId);
    if (result !== null) return result as Result;
    const isTemporalAway = failure !== undefined && !(failure instanceof WorkflowFailedError);
    const why = isTemporalAway ? 'Temporal cannot be reached' : 'No worker answered in time';
    throw new AppError('unavailable', `${why}. Start a worker ("docent worker") or try again.`, {
      cause: failure,
      retryAfterSeconds: 5,
    });
  }

  return {
    checkRepository: (input, requestedBy) => run('checkRepository', input, requestedBy),
    changePullRequest: (input, requestedBy) => run('changePullRequest', input, requestedBy),
    checkHost: (input, requestedBy) => run('checkHost', input, requestedBy),
    checkModel: (input, requestedBy) => run('checkModel', input, requestedBy),
    testModel: (input, requestedBy) => run('testModel', input, requestedBy),
  };
}
