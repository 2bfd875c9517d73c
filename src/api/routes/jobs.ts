import { faultPoint } from '../../platform/faults.ts';
import type { Queryable } from '../../store/database.ts';
import { acceptMessage, titleOf } from '../../jobs/acceptance.ts';
import { assertClientMayWrite } from '../../jobs/modes.ts';
import { createJob as create } from '../../jobs/create-job.ts';
import { archiveJob as archive, oncePublished, requestCancel, unarchiveJob as unarchive } from '../../jobs/stop.ts';
import { contextOf, contextsOf } from '../../jobs/job-context.ts';
import { isNextInQueue, type Queued } from '../../jobs/queue.ts';
import { retryJob as retry } from '../../jobs/retry.ts';
import { firstPromptOf, signalDelivered, workflowsToStart } from '../../jobs/outbox.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import { listJobs as list, type JobFilter } from '../../store/jobs/list-jobs.ts';
import type { WakePayload } from '../../workflows/contract.ts';
import type { Handler, QueryOf } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { updateJobText } from '../../jobs/update-job.ts';
import { refuseUnlessMatched, tagged } from '../middleware/entity-tag.ts';
import { presentJob } from '../presenters/job.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiServices } from '../services.ts';
import { acceptOnce, creatorOf } from './accept-job.ts';
import { jobWebhookOf } from './job-webhook.ts';
import { budgetOf, chosenModel, optionsOf } from './new-job.ts';
import { readRangeOf } from '../analytics-range.ts';
import { requireProject } from '../../store/projects/projects.ts';
import { jobNotFound } from '../../store/jobs/jobs.ts';
import { answerOnce, withReplayHeader } from '../middleware/idempotency.ts';
import { timePage } from '../presenters/cursor.ts';

/**
 * A job list's normalized filter, to which cursors are bound.
 * @throws AppError `bad_request` that names the parameter
 */
function jobFilterOf(query: QueryOf<'listJobs'>): { [K in keyof JobFilter]: JobFilter[K] } {
  const { status, state, outcome, q, createdFrom, createdTo, hasPullRequest, model, automation, createdBy, metadata } =
    query;
  const { from, to } = readRangeOf('created', createdFrom, createdTo);
  return {
    status: status && [...new Set([status].flat())].toSorted(),
    state: state && [...new Set(state)].toSorted(),
    outcome: outcome && [...new Set(outcome)].toSorted(),
    text: q,
    createdFrom: from === null ? undefined : new Date(from),
    createdTo: to === null ? undefined : new Date(to),
    hasPullRequest,
    model,
    automation,
    createdBy,
    metadata: metadata && Object.fromEntries(Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export type Changed = { status: 200; body: components['schemas']['Job']; headers: Record<string, string> };

/** Changes a job in a transaction, then signals its workflow. If that fails, the reconciler does. */
export async function changeJob(
  input: { path: { projectId: string; id: string }; request: RequestContext },
  services: ApiServices,
  payload: WakePayload,
  change: (tx: Queryable) => Promise<Queued>,
): Promise<Changed> {
  const { path, request } = input;
  const { db, jobWorkflows, wakes } = services;
  let changed: Queued | undefined;
  const answer = await answerOnce(request, services, path.projectId, async (tx) => {
    changed = await change(tx);
    return { status: 200 as const, body: presentJob(changed, await contextOf(tx, changed)) };
  });
  if (changed && !answer.replayed) {
    const now = changed;
    const { id, projectId, status, title, lastTurnNo, signalPending, updatedAt, queueNo } = now;
    wakes.add(async () => {
      faultPoint('wake-due');
      if (queueNo !== null && !(await isNextInQueue(db, now, services.config))) return;
      // A job that leaves the queue before its first turn needs no run.
      if (status !== 'active' && lastTurnNo === 0) await jobWorkflows.signalOpen({ id }, payload);
      else {
        // If the job was idle, this starts a run, whose page in the Web UI should show the same prompt.
        const prompt = await firstPromptOf(db, id);
        await jobWorkflows.signal({ id, projectId, status, title, prompt }, payload);
      }
      if (signalPending) await signalDelivered(db, id, updatedAt);
      // A turn that was archived has left its slot.
      if (payload.reason === 'archive') {
        for (const next of await workflowsToStart(db, services.config))
          await jobWorkflows.signal(next, { reason: 'place' });
      }
    }, request.log);
  }
  return answer;
}

export const createJob: Handler<'createJob'> = async ({ path, body, request }, services) => {
  const { projectId } = path;
  const webhook = jobWebhookOf(body.webhook, services.config.privateHosts);
  const { options, metadata } = optionsOf(body);
  const model = await chosenModel(body, projectId, request, services);
  const { prompt } = body;
  const answer = await acceptOnce({ projectId, request }, services, async (tx, settings) => {
    const wanted = { projectId, prompt, options, metadata, model, webhook, creator: creatorOf(request) };
    const job = await create(tx, wanted, settings);
    const accepted = { job, prompt, isNew: true };
    return { answer: { status: 201 as const, body: presentJob(job, await contextOf(tx, job)) }, accepted };
  });
  return createdJob(answer, path, request, services);
};

/** The answer that a new job is, with where it is. */
export function createdJob<A extends { body: { id: string }; replayed: boolean }>(
  answer: A,
  { projectId }: { projectId: string },
  request: RequestContext,
  { pathOf }: ApiServices,
): A & { headers: Record<string, string> } {
  request.createdJobId = answer.body.id;
  const location = pathOf(`/v2/agent/${projectId}/job/${answer.body.id}`);
  return { ...answer, headers: { Location: location, ...withReplayHeader(answer).headers } };
}

export const getJob: Handler<'getJob'> = async ({ path }, { db, jobs }) => {
  const job = await jobs.find(path.projectId, path.id);
  if (!job) throw jobNotFound(path.id);
  return { status: 200, body: presentJob(job, await contextOf(db, job)) };
};

export const updateJob: Handler<'updateJob'> = async ({ path, body, request }, { db }) => {
  const { title, metadata, budget } = body;
  const change = { title, metadata, budget: budget && (budgetOf(budget) ?? null) };
  return db.transaction(async (tx) => {
    const present = async (job: JobRow) => presentJob(job, await contextOf(tx, job));
    const check = async (job: JobRow) => {
      if (request.ifMatch !== undefined) refuseUnlessMatched(request.ifMatch, await present(job));
    };
    return tagged(await present(await updateJobText(tx, path.projectId, path.id, change, check)));
  });
};

export const listJobs: Handler<'listJobs'> = async ({ path, query }, { db }) => {
  const filter = jobFilterOf(query);
  const { projectId } = path;
  const { rows, nextCursor } = await timePage(query, (at) => list(db, { ...filter, projectId, ...at }), filter);
  if (rows.length === 0) await requireProject(db, projectId);
  const context = await contextsOf(db, rows);
  return { status: 200, body: { jobs: rows.map((job) => presentJob(job, context(job))), nextCursor } };
};

export const sendMessage: Handler<'sendMessage'> = (input, services) => {
  const { path, body } = input;
  return changeJob(input, services, { reason: 'message', preview: titleOf(body.prompt) }, (tx) =>
    acceptMessage(tx, {
      projectId: path.projectId,
      jobId: path.id,
      prompt: body.prompt,
      attachments: body.attachments ?? [],
      assertMayWrite: assertClientMayWrite,
      limitPerHour: services.config.messagesPerHour,
      slots: services.config,
      onQuota: (quota) => (input.request.quota = quota),
    }),
  );
};

export const retryJob: Handler<'retryJob'> = async (input, services) => {
  const { path, body, request } = input;
  const model = await chosenModel(body ?? {}, path.projectId, request, services);
  return changeJob(input, services, { reason: 'message' }, (tx) =>
    retry(tx, {
      projectId: path.projectId,
      jobId: path.id,
      model,
      limitPerHour: services.config.messagesPerHour,
      slots: services.config,
      onQuota: (quota) => (request.quota = quota),
    }),
  );
};

export const cancelJob: Handler<'cancelJob'> = (input, services) =>
  changeJob(input, services, { reason: 'cancel' }, (tx) => requestCancel(tx, input.path.projectId, input.path.id));

export const archiveJob: Handler<'archiveJob'> = (input, services) =>
  oncePublished(() =>
    changeJob(input, services, { reason: 'archive' }, (tx) => archive(tx, input.path.projectId, input.path.id)),
  );

export const unarchiveJob: Handler<'unarchiveJob'> = (input, services) =>
  changeJob(input, services, { reason: 'unarchive' }, (tx) => unarchive(tx, input.path.projectId, input.path.id));
