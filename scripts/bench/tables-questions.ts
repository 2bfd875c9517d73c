import { listUnsettledJobs, readUnsettledJob } from '../../src/jobs/outbox.ts';
import { findNextInQueue, placesOf } from '../../src/jobs/queue.ts';
import { usedHour } from '../../src/jobs/hourly-limit.ts';
import { deleteOldIdempotencyKeys } from '../../src/jobs/idempotency.ts';
import { removeUnused } from '../../src/store/attachments.ts';
import { listAudit, type AuditFilter } from '../../src/store/audit-log.ts';
import { readConversation } from '../../src/store/conversation.ts';
import type { Db } from '../../src/store/database.ts';
import { queueFacts, webhookFacts } from '../../src/store/installation-health.ts';
import { listEvents } from '../../src/store/job-events.ts';
import { JobReader } from '../../src/store/job-reader.ts';
import { findJobById } from '../../src/store/jobs.ts';
import { listJobs, type JobFilter } from '../../src/store/list-jobs.ts';
import { listPullRequests, type PullRequestFilter } from '../../src/store/list-pull-requests.ts';
import { listCalls } from '../../src/store/model-calls.ts';
import { listDueLooks } from '../../src/store/pull-request-looks.ts';
import { removeOldAudit } from '../../src/store/retention.ts';
import { listSessions } from '../../src/store/sessions.ts';
import { deleteOldDeliveries, listDeliveries, listUnstarted } from '../../src/store/webhook-deliveries.ts';
import { LARGE, QUEUED, RUNNING, WEBHOOK } from './tables-fill.ts';

export interface Question {
  name: string;
  /** At most so many milliseconds, in the median. */
  goalMs: number;
  ask: () => Promise<unknown>;
}

const GET_MS = 2;
const PAGE_MS = 5;
const LOOK_MS = 5;
/** Once an hour, beside everything else. */
const UPKEEP_MS = 1_000;
const LIMIT = 51;
const DAY_MS = 86_400_000;
const PLACES = { concurrentJobs: RUNNING, projectConcurrentJobs: 10 };

/** What is asked by every request, look and timer; `id(n)` is the id of the nth job. */
export async function tableQuestions(db: Db, jobs: number, id: (n: number) => string): Promise<Question[]> {
  const middle = await jobOf(db, id(jobs / 2));
  const active = await jobOf(db, id(jobs - 1));
  const queued = await jobOf(db, id(jobs - RUNNING - QUEUED / 2));
  const day = new Date(middle.createdAt.getTime() - DAY_MS);
  const reader = new JobReader(db);
  const before = { createdAt: middle.createdAt, id: middle.id };
  const get = (name: string, ask: Question['ask']) => ({ name, goalMs: GET_MS, ask });
  const page = (name: string, ask: Question['ask']) => ({ name: `list: ${name}`, goalMs: PAGE_MS, ask });
  const look = (name: string, ask: Question['ask']) => ({ name: `look: ${name}`, goalMs: LOOK_MS, ask });
  const pages = (what: string, list: (before?: typeof middle) => Promise<unknown>) => [
    page(`${what}, first page`, () => list()),
    page(`${what}, a deep page`, () => list(middle)),
  ];
  const jobsWith = (what: string, filter: JobFilter) =>
    pages(`jobs ${what}`, (at) => listJobs(db, { projectId: LARGE, limit: LIMIT, ...filter, ...(at && { before }) }));
  const pullRequestsWith = (what: string, filter: PullRequestFilter) =>
    pages(`pull requests ${what}`, (at) =>
      listPullRequests(db, { projectId: LARGE, limit: LIMIT, ...filter, ...(at && { before }) }),
    );
  const auditWith = (what: string, filter: AuditFilter) =>
    pages(`audit log ${what}`, (at) =>
      listAudit(db, filter, { limit: LIMIT, ...(at && { before: { createdAt: at.createdAt, id: String(jobs / 2) } }) }),
    );
  return [
    get('get: a job', () => reader.find(middle.projectId, middle.id)),
    get('get: one that waits, with its place', () => placesOf(db, [queued])),
    ...jobsWith('of a large project', {}),
    page('jobs of a small project', () => listJobs(db, { projectId: 'project-7', limit: LIMIT })),
    ...jobsWith('that failed', { status: ['failed'] }),
    ...jobsWith('that are active', { status: ['active'] }),
    ...jobsWith('that are active or failed', { status: ['active', 'failed'] }),
    ...jobsWith('that changed something', { outcome: ['changed'] }),
    ...jobsWith('that were refused (rare)', { outcome: ['refused'] }),
    ...jobsWith('that were refused or failed', { outcome: ['refused', 'failed'] }),
    ...jobsWith('of one day', { createdFrom: day, createdTo: middle.createdAt }),
    ...jobsWith('with a pull request', { hasPullRequest: true }),
    ...jobsWith('without a pull request', { hasPullRequest: false }),
    ...jobsWith('with the usual model', { model: 'builtin' }),
    ...jobsWith('with a rare model', { model: 'rare' }),
    ...jobsWith('with a model that none has', { model: 'none' }),
    ...jobsWith('of an automation', { automation: 'weekly-3' }),
    ...jobsWith('of a rare automation', { automation: 'rare' }),
    ...jobsWith('of any automation', { createdBy: 'automation' }),
    ...jobsWith('of a key', { createdBy: 'key:3' }),
    ...jobsWith('of a person who made few', { createdBy: 'person:rare' }),
    ...jobsWith('with metadata that many have', { metadata: { team: 'docs' } }),
    ...jobsWith('with metadata that one has', { metadata: { ticket: `DOC-${Math.floor(jobs / 20) * 10}` } }),
    ...jobsWith('with a text that many have', { text: 'improve' }),
    ...jobsWith('with a text that one has', { text: `page ${Math.floor(jobs / 20) * 10} should` }),
    page('sessions, first page', () => listSessions(db, { projectId: LARGE, skip: 0, take: LIMIT })),
    page('sessions, page 1,000', () => listSessions(db, { projectId: LARGE, skip: 1_000 * LIMIT, take: LIMIT })),
    ...pullRequestsWith('of a large project', {}),
    ...pullRequestsWith('that are open', { state: ['open'] }),
    ...pullRequestsWith('that are merged', { state: ['merged'] }),
    ...pullRequestsWith('that are closed (rare)', { state: ['closed'] }),
    ...pullRequestsWith('that are open or closed', { state: ['open', 'closed'] }),
    ...pullRequestsWith('opened on one day', { createdFrom: day, createdTo: middle.createdAt }),
    ...pullRequestsWith('merged on one day', { mergedFrom: day, mergedTo: middle.createdAt }),
    ...pullRequestsWith('merged since the middle', { mergedFrom: middle.createdAt }),
    ...auditWith('of all', {}),
    ...auditWith('of a project', { projectId: LARGE }),
    ...auditWith('of a key', { actor: 'key_3' }),
    ...auditWith('of a key that did little', { actor: 'key_rare' }),
    ...auditWith('of the operator (rare)', { actor: 'operator' }),
    ...auditWith('of a rare operation', { operation: 'archiveJob' }),
    ...pages('deliveries', (at) => listDeliveries(db, { webhookId: WEBHOOK, limit: LIMIT, ...(at && { before }) })),
    page('deliveries that failed (rare)', () =>
      listDeliveries(db, { webhookId: WEBHOOK, limit: LIMIT, state: 'failed' }),
    ),
    page('deliveries that wait', () => listDeliveries(db, { webhookId: WEBHOOK, limit: LIMIT, state: 'pending' })),
    page('events of a job', () => listEvents(db, middle.id, { after: 0, limit: 100 })),
    page('messages of a job', () => readConversation(db, middle.id, { order: 'asc', limit: LIMIT })),
    page('calls of a job', () => listCalls(db, middle.id)),
    look('jobs to signal', () => listUnsettledJobs(db, { quietMs: 2_500, limit: 2_000 })),
    look('one of them', () => readUnsettledJob(db, active.id)),
    look('who has a place now', () => findNextInQueue(db, PLACES)),
    look('deliveries to start', () => listUnstarted(db, 100)),
    look('pull requests that are due', () => listDueLooks(db, 1)),
    look('jobs and queue, of the health page', () => queueFacts(db)),
    look('webhooks, of the health page', () => webhookFacts(db)),
    look('jobs of the last hour', () => db.execute(usedHour('jobs', LARGE, 1_000))),
    look('messages of the last hour', () => db.execute(usedHour('messages', LARGE, 1_000))),
    { name: 'upkeep: delete 5,000 old deliveries', goalMs: UPKEEP_MS, ask: () => inVain(db, deleteOldDeliveries) },
    look('old rows of the audit log', () => inVain(db, (tx) => removeOldAudit(tx, { days: 3_650 }))),
    look('unused attachments', () => removeUnused(db)),
    look('old idempotency keys', () => deleteOldIdempotencyKeys(db)),
  ];
}

async function jobOf(db: Db, id: string) {
  const job = await findJobById(db, id);
  if (!job) throw new Error('The generated jobs are not there.');
  return job;
}

class Undone extends Error {}

/** Undoes what is done, so that each run asks the same. */
async function inVain(db: Db, work: (tx: Parameters<Parameters<Db['transaction']>[0]>[0]) => Promise<unknown>) {
  await db
    .transaction(async (tx) => {
      await work(tx);
      throw new Undone();
    })
    .catch((err: unknown) => {
      if (!(err instanceof Undone)) throw err;
    });
}
