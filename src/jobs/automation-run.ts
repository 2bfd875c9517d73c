import { withContext } from '@docent/recipes/prompt-context';
import { AppError } from '../platform/errors.ts';
import { faultPoint } from '../platform/faults.ts';
import { findOpenJob, lastCompletedAt } from '../store/automations/automation-runs.ts';
import type { CodeHeads, RunMaterial } from '../store/automations/automation-schema.ts';
import { branchOfRun, noteRun, webhookSecretOf, type AutomationRow } from '../store/automations/automations.ts';
import type { Queryable } from '../store/database.ts';
import type { JobRow } from '../store/jobs/jobs.ts';
import { acceptMessage } from './acceptance.ts';
import { createJob, type AcceptanceSettings } from './create-job.ts';

/** How many consecutive runs are skipped because other jobs may have their branches. */
const MAX_SKIPPED = 100;

export interface AcceptedRun {
  no: number;
  job: JobRow;
  /** Whether the job was created for this run. If not, the run is a message to it. */
  isNew: boolean;
}

/**
 * Accepts the work of a run as a new job, or as a message to the job of its open pull request. The caller has
 * locked the automation. Everything is written in the surrounding transaction.
 * @param of.no the run's number; without one, it gets the next
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
    const { messagesPerHour: limitPerHour, slots, onQuota } = settings;
    const message = { projectId, jobId: folded, prompt, limitPerHour, slots, ...(onQuota ? { onQuota } : {}) };
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
    webhook: webhook && {
      url: webhook.url,
      events: webhook.events,
      secret: await webhookSecretOf(tx, settings.secrets, automation),
    },
    creator: { kind: 'automation' as const, id: automation.id, name: automation.name },
  };
  // Skips a number whose branch belongs to another job. The next number is above all assigned ones.
  for (let no = first, tries = 0; ; no = Math.max(no, automation.runs) + 1, tries++) {
    try {
      const branch = branchOfRun(options.branch, no);
      const named = { ...options, ...(branch === undefined ? {} : { branch }) };
      const job = await createJob(tx, { ...wanted, options: named }, settings);
      await noteRun(tx, automation, { run: Math.max(no, automation.runs), jobId: job.id });
      faultPoint('run-noted');
      return { no, job, isNew: true };
    } catch (err) {
      // This check only reads rows, so the transaction stays usable.
      const isTaken = err instanceof AppError && err.code === 'branch_taken';
      if (!isTaken || tries >= MAX_SKIPPED) throw err;
    }
  }
}

/**
 * The prompt of a run: the automation's prompt with its variables, its instructions, and the context as
 * material.
 * @param run.since for runs started by code: the commits up to which earlier runs saw the code
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

const MAX_PROMPT = 32_768;
const CUT = '\n\n[Docent left out the rest of this prompt: the limit is 32,768 characters.]';

/** Placeholders for senders' texts: those are material, and never part of the prompt. */
const POINTERS = {
  commits: 'the commits in the context below',
  files: 'the changed files in the context below',
  payload: 'the context below',
} as const;
const ABSENT = {
  commits: '(no commits)',
  files: '(no changed files)',
  payload: '(no payload)',
} as const;

interface TemplateValues {
  /** The end of the last completed run: a time, or commits. Written by Docent. */
  since: string;
  /** The kinds of material in the context. */
  has: Readonly<Record<keyof typeof POINTERS, boolean>>;
}

/**
 * Fills `{{since}}`, `{{commits}}`, `{{files}}` and `{{payload}}` (references to the material) and appends
 * the instructions. Cuts a long prompt, with a note.
 */
export function fillPrompt(prompt: string, instructions: string | null, { since, has }: TemplateValues): string {
  const filled = prompt.replaceAll(/\{\{\s*(since|commits|files|payload)\s*\}\}/g, (_, name: string) => {
    if (name === 'since') return since;
    const kind = name as keyof typeof POINTERS;
    return (has[kind] ? POINTERS : ABSENT)[kind];
  });
  const whole = instructions === null ? filled : `${filled}\n\n${instructions}`;
  return whole.length <= MAX_PROMPT ? whole : whole.slice(0, MAX_PROMPT - CUT.length) + CUT;
}
