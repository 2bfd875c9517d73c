import { Client, Connection } from '@temporalio/client';
import type { Db } from '../store/database.ts';
import { createJobWorkflows } from '../temporal/job-workflows.ts';
import { missingSearchAttributes } from '../temporal/search-attributes.ts';
import { createShortWorkflows } from '../temporal/short-workflows.ts';
import { askTemporal, type TemporalHealth } from '../temporal/temporal-health.ts';
import { clientTraces } from '../temporal/traces.ts';
import { taskQueueOf, type JobWorkflows, type ShortWorkflows } from '../workflows/contract.ts';
import type { TemporalSettings } from './temporal-settings.ts';

export interface TemporalClientOptions {
  temporal: TemporalSettings;
  db: Db;
  installationId: string;
  /** Whether workflows set search attributes. */
  searchAttributes: boolean;
}

/** An API's use of Temporal. */
export interface TemporalClient {
  jobWorkflows: JobWorkflows;
  workflows: ShortWorkflows;
  /** @throws where Temporal cannot be reached within the time, in milliseconds */
  askHealth(withinMs: number): Promise<TemporalHealth>;
  /** @throws if workflows could not start: no Temporal, namespace, or search attribute */
  checkReady(withinMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Connects with the first question. */
export function openTemporalClient(options: TemporalClientOptions): TemporalClient {
  const { temporal, db, installationId, searchAttributes } = options;
  const { namespace } = temporal;
  const connection = Connection.lazy(temporal.connection);
  const client = new Client({ connection, namespace, interceptors: { workflow: [clientTraces] } });
  return {
    jobWorkflows: createJobWorkflows(client, { installationId, searchAttributes }),
    workflows: createShortWorkflows(client, db, installationId),
    askHealth: (withinMs) => askTemporal(connection, { namespace, taskQueue: taskQueueOf(installationId) }, withinMs),
    checkReady: (withinMs) =>
      connection.withDeadline(Date.now() + withinMs, async () => {
        await connection.workflowService.describeNamespace({ namespace });
        // Every start of a workflow would fail if one is missing.
        if (searchAttributes && (await missingSearchAttributes(connection, namespace)).length > 0)
          throw new Error('missing');
      }),
    close: () => connection.close(),
  };
}
