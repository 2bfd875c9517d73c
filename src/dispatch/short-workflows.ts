import { WorkflowFailedError, type Client } from '@temporalio/client';
import { AppError } from '../errors.ts';
import { newId } from '../store/ids.ts';
import { taskQueueOf, WORKFLOW, type ShortWorkflows } from '../workflows/contract.ts';

/** How long a request waits for a worker. */
const WAIT_MS = 30_000;

/**
 * Runs a workflow and waits for its result. The API itself touches no repository: a worker does.
 * @throws AppError `unavailable` (503) when Temporal or every worker is away
 */
export function createShortWorkflows(client: Client, installationId: string): ShortWorkflows {
  async function run<Result>(type: string, input: unknown): Promise<Result> {
    try {
      return await client.withDeadline(Date.now() + WAIT_MS + 2_000, () =>
        client.workflow.execute(type, {
          workflowId: `docent-${installationId}-${type}-${newId()}`,
          taskQueue: taskQueueOf(installationId),
          args: [input],
          workflowExecutionTimeout: WAIT_MS,
        }),
      );
    } catch (err) {
      const why = err instanceof WorkflowFailedError ? 'No worker answered in time' : 'Temporal cannot be reached';
      throw new AppError('unavailable', 503, `${why}. Start a worker ("docent worker") or try again.`, {
        cause: err,
        retryAfterSeconds: 5,
      });
    }
  }

  return {
    checkRepository: (input) => run(WORKFLOW.checkRepository, input),
    changePullRequest: (input) => run(WORKFLOW.changePullRequest, input),
    checkHost: (input) => run(WORKFLOW.checkHost, input),
    checkModel: (input) => run(WORKFLOW.checkModel, input),
  };
}
