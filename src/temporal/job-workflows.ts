import { WorkflowNotFoundError, type Client, type WorkflowStartOptions } from '@temporalio/client';
import {
  jobWorkflowId,
  WAKE_SIGNAL,
  taskQueueOf,
  WORKFLOW,
  type AgentJobInput,
  type WorkflowJob,
  type JobWorkflows,
} from '../workflows/contract.ts';
import { turnOf } from './turn-taking.ts';
import { beginningOf, withEllipsisInBytes } from '@docent/base/ellipsis';

export interface JobWorkflowSettings {
  installationId: string;
  /** False if search attributes cannot be registered. */
  searchAttributes: boolean;
  /** How long one call may take, in milliseconds. */
  deadlineMs?: number;
}

const DEFAULT_DEADLINE_MS = 2_000;
/** The server's own limit for a summary is 400 bytes of payload; see Temporal's limits for user metadata. */
const MAX_SUMMARY_BYTES = 200;
const MAX_DETAILS = 2_000;

/** Starts and signals jobs' workflows. Fails fast without Temporal: the reconciler signals again. */
export function createJobWorkflows(client: Client, settings: JobWorkflowSettings): JobWorkflows {
  const deadline = () => Date.now() + (settings.deadlineMs ?? DEFAULT_DEADLINE_MS);

  function optionsFor(job: WorkflowJob) {
    const input: AgentJobInput = {
      jobId: job.id,
      searchAttributes: settings.searchAttributes,
    };
    return {
      workflowId: jobWorkflowId(settings.installationId, job.id),
      taskQueue: taskQueueOf(settings.installationId),
      args: [input] as [AgentJobInput],
      // A run ends when its job is idle: the next one has the same id.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      priority: turnOf(job.projectId),
      staticSummary: withEllipsisInBytes(job.title, MAX_SUMMARY_BYTES),
      staticDetails: quoted(beginningOf(job.prompt ?? job.title, MAX_DETAILS)),
      // The search attributes are the workflow's to set, first of all: here, the client would wait for them.
    } satisfies Partial<WorkflowStartOptions>;
  }

  /** @param ifOpen how to treat an open run */
  async function start(job: WorkflowJob, ifOpen: 'USE_EXISTING' | 'TERMINATE_EXISTING'): Promise<void> {
    await client.withDeadline(deadline(), () =>
      client.workflow.start(WORKFLOW.agentJob, { ...optionsFor(job), workflowIdConflictPolicy: ifOpen }),
    );
  }

  return {
    start: (job) => start(job, 'USE_EXISTING'),
    replace: (job) => start(job, 'TERMINATE_EXISTING'),

    async signal(job, payload) {
      await client.withDeadline(deadline(), () =>
        client.workflow.signalWithStart(WORKFLOW.agentJob, {
          ...optionsFor(job),
          signal: WAKE_SIGNAL,
          signalArgs: [payload],
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      );
    },

    async signalOpen({ id }, payload) {
      const handle = client.workflow.getHandle(jobWorkflowId(settings.installationId, id));
      try {
        await client.withDeadline(deadline(), () => handle.signal(WAKE_SIGNAL, payload));
      } catch (err) {
        if (!(err instanceof WorkflowNotFoundError)) throw err;
      }
    },
  };
}

/** Prompts are hostile: in the Web UI's Markdown they are an indented block. */
function quoted(prompt: string): string {
  return prompt
    .split(/\r?\n/)
    .map((line) => `    ${line}`)
    .join('\n');
}
