import { withContext } from '@docent/recipes/prompt-context';
import { AppError } from '../platform/errors.ts';
import { faultPoint } from '../platform/faults.ts';
import { findOpenJob, lastCompletedAt } from '../store/automations/automation-runs.ts';
import type { CodeHeads, RunMaterial } from '../store/automations/automation-schema.ts';
import { branchOfRun, noteRun, webhookSecretOf, type AutomationRow } from '../store/automations/automations.ts';
import type { Queryable } from '../store/database.ts';
import type { JobRow } from '../store/jobs/jobs.ts';
import { acceptMessage } from './acceptance.ts';
import { fillPrompt } from './prompt-template.ts';
import { createJob, type AcceptanceSettings } from './create-job.ts';

/** Runs in a row whose branches other jobs may have. */
const MAX_SKIPPED = 100;

export interface AcceptedRun {
  /** The number of the run. */
  no: number;
  job: JobRow;
  /** Whether the job was created for this run; else the run is a message to it. */
  isNew: boolean;
}

/**
 * Accepts the work of a run, of an automation that the caller has locked: a message to the job of its open pull request, or a new job. What
 * it writes is all or nothing with the surrounding transaction.
 * @param of.no the number that the run has already; without one, it gets the next
 * @throws AppError as createJob and acceptMessage do
 */
export async function acceptRun(
  tx: Queryable,
  of: { automation: AutomationRow; prompt: string; model: string | undefined; no?: number },
  settings: AcceptanceSettings,
): Promise<AcceptedRun> {
  const { automation, prompt, model } = of;
  const { projectId, options } = automation;
  const first = of.no ?? automation.runs + 1;
  const folded = automation.foldIntoOpenPullRequest ? await findOpenJob(tx, automation, options.ref) : null;
  if (folded !== null) {
    const { messagesPerHour: limitPerHour, onQuota } = settings;
    const message = { projectId, jobId: folded, prompt, limitPerHour, ...(onQuota ? { onQuota } : {}) };
    const job = await acceptMessage(tx, message);
    await noteRun(tx, automation, { run: Math.max(first, automation.runs), jobId: job.id });
    faultPoint('run-noted');
    return { no: first, job, isNew: false };
  }
  const { metadata, webhook } = automation;
  const wanted = {
    projectId,
    prompt,
    metadata,
    model,
    webhook: webhook && { ...webhook, secret: webhookSecretOf(settings.secrets, automation) },
    creator: { kind: 'automation' as const, id: automation.id, name: automation.name },
  };
  // A number whose branch another job has is left out; the next one is above all that were given out.
  for (let no = first, tries = 0; ; no = Math.max(no, automation.runs) + 1, tries++) {
    try {
      const branch = branchOfRun(options.branch, no);
      const named = { ...options, ...(branch === undefined ? {} : { branch }) };
      const job = await createJob(tx, { ...wanted, options: named }, settings);
      await noteRun(tx, automation, { run: Math.max(no, automation.runs), jobId: job.id });
      faultPoint('run-noted');
      return { no, job, isNew: true };
    } catch (err) {
      // It is found by reading rows, which leaves the transaction whole.
      const isTaken = err instanceof AppError && err.code === 'branch_taken';
      if (!isTaken || tries >= MAX_SKIPPED) throw err;
    }
  }
}

/**
 * What a run asks of its job: the automation's prompt with its variables, its instructions, and the context as material.
 * @param run.since the commits up to which earlier runs saw the code, of a run that code started
 */
export async function promptOfRun(
  q: Queryable,
  automation: AutomationRow,
  run: { since: CodeHeads | null; material: RunMaterial | null; context: string | object | undefined },
): Promise<string> {
  const { since, material, context } = run;
  const has = {
    payload: context !== undefined,
    commits: (material?.commits ?? 0) > 0,
    files: (material?.files ?? 0) > 0,
  };
  const commits = Object.entries(since ?? {}).map(([name, commit]) => `${commit} of ${name}`);
  const last = commits.length > 0 ? null : await lastCompletedAt(q, automation);
  const from = commits.length > 0 ? commits.join(', ') : (last?.toISOString() ?? 'the beginning');
  return withContext(fillPrompt(automation.prompt, automation.instructions, { since: from, has }), context);
}
