import { beginningOf } from '@docent/base/ellipsis';
import { faultPoint } from '../platform/faults.ts';
import { endRun, lockRunning, usageSince } from '../store/automations/automation-runs.ts';
import type { RunStatus } from '../config/automation-values.ts';
import { countRunEnd, lockAutomation, noteCodeHeads, type AutomationRow } from '../store/automations/automations.ts';
import type { Db, Queryable } from '../store/database.ts';
import { pullRequestsOfJobs, jobStateOf, type JobState } from '../store/jobs/job-state.ts';
import { findJobById } from '../store/jobs/jobs.ts';
import { findNewestPullRequest } from '../store/pull-requests/pull-requests.ts';
import { enqueueWebhooks } from '../store/webhooks/webhook-outbox.ts';
import { summaryLine } from './trigger-text.ts';

const MAX_SUMMARY = 2_000;
/** Of the last problem, where an automation says why it paused itself. */
const MAX_PROBLEM = 300;

const STATUSES: Readonly<Record<Exclude<JobState, 'queued' | 'working'>, RunStatus>> = {
  asked: 'review_needed',
  ready: 'review_needed',
  open: 'review_needed',
  merged: 'accepted',
  pushed: 'accepted',
  closed: 'closed',
  cancelled: 'closed',
  discarded: 'closed',
  answered: 'no_action',
  unchanged: 'no_action',
  refused: 'failed',
  failed: 'failed',
};

/** Ends a run whose job is idle or deleted. Safe to repeat: a run ends once, and counts once. */
export async function endRestedRun(db: Db, at: { projectId: string; id: string; runId: string }): Promise<void> {
  await db.transaction(async (tx) => {
    const automation = await lockAutomation(tx, at);
    const run = await lockRunning(tx, at.runId);
    if (!run) return;
    const job = run.jobId === null ? null : await findJobById(tx, run.jobId);
    if (!job) {
      await endRun(tx, run.id, { status: 'closed', summary: 'The job of this run was deleted.' });
      return;
    }
    const context = (await pullRequestsOfJobs(tx, [job])).get(job.id) ?? null;
    const state = jobStateOf(job, context);
    if (state === 'queued' || state === 'working') return;
    const pullRequest = await findNewestPullRequest(tx, job.id);
    // A follow-up without changes leaves the pull request open for review: that is not news of this run.
    const isQuiet = state === 'open' && (job.outcome === 'unchanged' || job.outcome === 'answered');
    const status = isQuiet ? 'no_action' : STATUSES[state];
    const said = job.errorMessage ?? job.summary;
    const summary = said === null ? null : beginningOf(said, MAX_SUMMARY);
    const usage = await usageSince(tx, job.id, run.startedAt ?? run.createdAt);
    await endRun(tx, run.id, { status, summary, pullRequestId: pullRequest?.id ?? null, usage });
    // A failed or closed run has not dealt with this code: the next run sees it again.
    if (run.until && status !== 'failed' && status !== 'closed')
      await noteCodeHeads(tx, automation, run.until, 'replace');
    await noteRunEnd(tx, automation, { runId: run.id, status, problem: summary });
    faultPoint('run-ended');
  });
}

/** Counts a run's end, and enqueues a pause's notifications, in the transaction that ends it. */
export async function noteRunEnd(
  tx: Queryable,
  automation: AutomationRow,
  { runId, status, problem }: { runId: string; status: RunStatus; problem: string | null },
): Promise<void> {
  const { projectId, id, name } = automation;
  const said = problem === null ? null : summaryLine(problem, MAX_PROBLEM);
  const reason = await countRunEnd(tx, automation, { failed: status === 'failed', problem: said });
  if (reason === null) return;
  const to = { projectId, jobId: null };
  await enqueueWebhooks(
    tx,
    'automation.paused',
    to,
    { automation: { id, name, reason } },
    `automation.paused ${runId}`,
  );
}
