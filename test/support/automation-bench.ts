import { eq } from 'drizzle-orm';
import { endRestedRun } from '../../src/jobs/end-run.ts';
import { startQueuedRun } from '../../src/jobs/start-run.ts';
import { takeTriggerEvent } from '../../src/jobs/take-event.ts';
import { SecretBox } from '../../src/platform/secret-box.ts';
import { followPullRequests, listRested, listStartable } from '../../src/store/automations/automation-runs.ts';
import { automationRuns } from '../../src/store/automations/automation-schema.ts';
import { listDueEvents } from '../../src/store/automations/trigger-events.ts';
import { jobs, messages, pullRequests } from '../../src/store/schema.ts';
import type { components } from '../../packages/client/src/index.ts';
import type { TestApi } from './api-server.ts';
import { MANY_SLOTS } from './job-rows.ts';

export type Call = Parameters<TestApi['call']>[1];

/** What workers start jobs with. */
export const settings = {
  secrets: new SecretBox([]),
  slots: MANY_SLOTS,
  jobsPerHour: 100_000,
  messagesPerHour: 100_000,
  model: 'builtin',
};

let names = 0;

/** Calls about the automations of one project, and what workers do for them, with a key that may write. */
export function automationBench(here: () => { api: TestApi; project: string; key: string }) {
  const database = () => here().api.database.db;
  const all = (id = here().project) => `/v1/projects/${id}/automations`;
  const add = (body: object = {}, more: Call = {}) =>
    here().api.call(all(), {
      token: here().key,
      body: { name: `Links ${(names += 1)}`, prompt: 'Fix broken links', ...body },
      ...more,
    });
  const added = async (body: object = {}) => (await add(body)).json;
  const change = (id: string, body: unknown) =>
    here().api.call(`${all()}/${id}`, { token: here().key, method: 'PATCH', body });
  const promptOf = async (jobId: string) =>
    (await database().select().from(messages).where(eq(messages.jobId, jobId)))[0]?.prompt;
  const jobsOf = (id: string) => database().$count(jobs, eq(jobs.automationId, id));

  /** A round of a worker: as many of them at once as tests want. */
  async function work(): Promise<void> {
    const db = database();
    for (const run of await listRested(db, 1_000)) await endRestedRun(db, run);
    await followPullRequests(db);
    for (const { id } of await listDueEvents(db, 2_000)) await takeTriggerEvent(db, id);
    for (const at of await listStartable(db, 1_000)) await startQueuedRun(db, at, settings);
  }
  const runsListed = async (id: string, query = '') =>
    (await here().api.call(`${all()}/${id}/runs${query}`, { token: here().key })).json
      .runs as components['schemas']['AutomationRun'][];
  const runRowsOf = (id: string) => database().select().from(automationRuns).where(eq(automationRuns.automationId, id));

  async function addHook(body: object = {}) {
    const { api, key } = here();
    const automation = await added({ trigger: { type: 'webhook' }, ...body });
    const { json } = await api.call(`${all()}/${automation.id}/secret`, { token: key, method: 'POST' });
    const deliver = (payload: unknown, headers: Record<string, string> = {}) =>
      api.call(`/v1/hooks/${automation.id}`, {
        token: null,
        method: 'POST',
        body: payload,
        headers: { authorization: `Bearer ${json.secret}`, ...headers },
      });
    return { id: automation.id as string, secret: json.secret as string, url: json.url as string, deliver };
  }

  /** The job of a run comes to rest. */
  async function rest(
    jobId: string,
    outcome: 'changed' | 'unchanged' | 'failed',
    pullRequest?: 'open' | 'merged' | 'closed',
  ) {
    const db = database();
    const failed = outcome === 'failed';
    const summary = failed ? null : `It is ${outcome}.`;
    const error = failed ? { errorCode: 'internal', errorMessage: 'The model is away.' } : {};
    await db
      .update(jobs)
      .set({ status: failed ? 'failed' : 'completed', outcome, summary, ...error })
      .where(eq(jobs.id, jobId));
    if (!pullRequest) return;
    const of = { projectId: here().project, jobId, chainNo: 1, headBranch: `docent/${jobId}`, baseBranch: 'main' };
    const row = {
      ...of,
      id: `pr${jobId}`,
      repository: '/x',
      title: 'x',
      body: '',
      headCommit: 'c',
      state: pullRequest,
    };
    await db
      .insert(pullRequests)
      .values(row)
      .onConflictDoUpdate({ target: pullRequests.id, set: { state: pullRequest } });
  }

  return { all, add, added, change, promptOf, jobsOf, work, runsListed, runRowsOf, addHook, rest };
}

export const repeated = <T>(times: number, value: T): T[] => Array.from({ length: times }, () => value);
