import { Client, Connection, type WorkflowHandle } from '@temporalio/client';

import { installationId } from '../../src/store/installation/installation.ts';
import { jobWorkflowId } from '../../src/workflows/contract.ts';
import type { Installation } from './installation.ts';
import { services } from './run-services.ts';

/** Does to a job's workflow what someone can do in Temporal's Web UI. */
export async function withWorkflowOf<T>(
  docent: Installation,
  jobId: string,
  use: (handle: WorkflowHandle) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address: services.temporalAddress });
  try {
    const workflowId = jobWorkflowId(await installationId(docent.database.db), jobId);
    return await use(new Client({ connection }).workflow.getHandle(workflowId));
  } finally {
    await connection.close();
  }
}
