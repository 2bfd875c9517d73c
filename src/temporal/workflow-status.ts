import { WorkflowNotFoundError, type Client } from '@temporalio/client';

/**
 * The status of a job's workflow according to Temporal: no worker needs to answer, and no history is read.
 */
export type WorkflowStatus =
  /** There never was one, or it ended normally because its job was idle for a while. */
  | { kind: 'none' }
  /** The newest run was ended from outside. */
  | { kind: 'ended'; at: Date }
  /** An activity or a workflow task is under way or about to be. */
  | { kind: 'working' }
  /** It waits for a signal, or for the time after which a run ends. */
  | { kind: 'resting' }
  /** Its workflow task fails again and again: its history and the code do not go together. */
  | { kind: 'stuck' };

/** A task that failed this often, after about a minute, will not succeed with this code. */
const STUCK_ATTEMPTS = 6;
const DEADLINE_MS = 5_000;

/** @throws when Temporal is away */
export async function readStatus(client: Client, workflowId: string): Promise<WorkflowStatus> {
  try {
    const handle = client.workflow.getHandle(workflowId);
    const { status, closeTime, raw } = await client.withDeadline(Date.now() + DEADLINE_MS, () => handle.describe());
    if (status.name === 'COMPLETED') return { kind: 'none' };
    if (status.name !== 'RUNNING' && status.name !== 'CONTINUED_AS_NEW') {
      return { kind: 'ended', at: closeTime ?? new Date() };
    }
    const { pendingWorkflowTask: task, pendingActivities } = raw;
    if (task && (task.attempt ?? 0) >= STUCK_ATTEMPTS) return { kind: 'stuck' };
    const isWorking = task || (pendingActivities?.length ?? 0) > 0 || status.name === 'CONTINUED_AS_NEW';
    return { kind: isWorking ? 'working' : 'resting' };
  } catch (err) {
    if (err instanceof WorkflowNotFoundError) return { kind: 'none' };
    throw err;
  }
}
