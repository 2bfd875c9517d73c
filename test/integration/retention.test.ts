import { Connection } from '@temporalio/client';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { archiveJob, unarchiveJob } from '../../src/jobs/stop.ts';
import {
  beginRun,
  removeOldAudit,
  removeOldEvents,
  removeOldJobs,
  removeOldTranscripts,
  readRetention,
  type Batch,
} from '../../src/store/installation/retention.ts';
import { newId } from '../../src/store/ids.ts';
import { keepHistories } from '../../src/temporal/namespace-retention.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { until } from '../support/patience.ts';
import { services } from '../support/run-services.ts';

let api: TestApi;
let project: string;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  await rows('TRUNCATE jobs, webhooks, pull_requests, retention_runs, removed_usage, audit_log CASCADE');
  project = await api.addProject();
});

async function rows<T = Record<string, unknown>>(query: string, values: unknown[] = []): Promise<T[]> {
  return (await api.database.pool.query(query, values)).rows as T[];
}

/** A job that was archived this many days ago, with something of everything that belongs to jobs. */
async function archivedJob(
  daysAgo: number,
  { calls = ['2026-01-05 10:59', '2026-01-05 11:01'] } = {},
): Promise<string> {
  const id = newId();
  const attachment = newId();
  await rows(
    `INSERT INTO jobs (id, project_id, status, status_before_archive, model, repository_url, base_ref, title, last_message_no, last_turn_no,
       last_event_no, archived_at, created_at)
     VALUES ($1, $2, 'archived', 'completed', 'builtin', 'file:///x', 'main', 'Fix it', 1, 1, 30, now() - make_interval(days => $3), '2026-01-05')`,
    [id, project, daysAgo],
  );
  await rows(`INSERT INTO messages (job_id, no, id, prompt, state, turn_no) VALUES ($1, 1, $2, 'Fix it', 'done', 1)`, [
    id,
    newId(),
  ]);
  await rows(
    `INSERT INTO turns (job_id, no, state, commit_time, summary) VALUES ($1, 1, 'unchanged', now(), 'Done.')`,
    [id],
  );
  await rows(
    `INSERT INTO transcript (job_id, turn_no, step_no, part, entries) SELECT $1, 1, n, 'model', '[]' FROM generate_series(1, 20) n`,
    [id],
  );
  await rows(
    `INSERT INTO job_events (job_id, no, type, text) SELECT $1, n, CASE WHEN n = 30 THEN 'archived' ELSE 'step' END, 'x' FROM generate_series(1, 30) n`,
    [id],
  );
  for (const [step, at] of calls.entries()) {
    await rows(
      `INSERT INTO model_calls (job_id, turn_no, step_no, project_id, model, state, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd, created_at)
       VALUES ($1, 1, $2, $3, 'm', 'done', 100, 10, 7, ${step === 0 ? '5000' : 'NULL'}, $4::timestamp AT TIME ZONE 'UTC')`,
      [id, step + 1, project, at],
    );
  }
  await rows(`INSERT INTO overlay_files (job_id, path, content, turn_no) VALUES ($1, 'a.mdx', 'x', 1)`, [id]);
  await rows(`INSERT INTO changed_pages (job_id, of, path) VALUES ($1, 'pending', 'a.mdx')`, [id]);
  await rows(
    `INSERT INTO webhooks (id, project_id, job_id, url, events) VALUES ($1, $2, $3, 'https://hooks.example', '{job.failed}')`,
    [newId(), project, id],
  );
  await rows(
    `INSERT INTO attachments (id, project_id, name, media_type, bytes, sha256, blob_id, content) VALUES ($1, $2, 'a.txt', 'text/plain', 1, 'x', 'x', 'x')`,
    [attachment, project],
  );
  await rows('INSERT INTO attachment_uses (attachment_id, job_id) VALUES ($1, $2)', [attachment, id]);
  return id;
}

async function openPullRequest(jobId: string, state = 'open'): Promise<void> {
  await rows(
    `INSERT INTO pull_requests (id, project_id, job_id, chain_no, repository, head_branch, base_branch, state, title, body, head_commit)
     VALUES ($1, $2, $3, 1, '/x', $4, 'main', $5, 'Fix', '', 'c')`,
    [newId(), project, jobId, `docent/${jobId}`, state],
  );
}

type Remove = (q: TestApi['database']['db'], at: { days: number; after: Batch['next'] }) => Promise<Batch>;

async function all(remove: Remove, days: number): Promise<number> {
  let removed = 0;
  for (let after: Batch['next'] = null; ;) {
    const batch = await remove(api.database.db, { days, after });
    removed += batch.removed;
    if (!(after = batch.next)) return removed;
  }
}

const kept = async () => (await rows<{ id: string }>('SELECT id FROM jobs')).map(({ id }) => id).toSorted();
const usage = async (query = '') => (await api.call(`/v2/agent/${project}/usage${query}`)).json;
const statusOf = async (id: string) => (await api.call(`/v2/agent/${project}/job/${id}`)).status;

describe('jobs that were archived longer ago than they are kept', () => {
  test('are deleted with all their data, and nothing else', async () => {
    const old = await archivedJob(91);
    const young = await archivedJob(89);
    const reviewed = await archivedJob(200);
    await openPullRequest(reviewed);
    const merged = await archivedJob(200);
    await openPullRequest(merged, 'merged');
    const resting = await archivedJob(200);
    await rows(`UPDATE jobs SET status = 'completed', archived_at = NULL WHERE id = $1`, [resting]);
    const untold = await archivedJob(200);
    await rows('UPDATE jobs SET signal_pending = true WHERE id = $1', [untold]);
    const pushing = await archivedJob(200);
    await rows(`INSERT INTO publish_leases (job_id, fence, until) VALUES ($1, 1, now() + interval '1 minute')`, [
      pushing,
    ]);

    expect(await all(removeOldJobs, 90)).toBe(2);
    expect(await kept()).toEqual([young, reviewed, resting, untold, pushing].toSorted());
    expect(await statusOf(old)).toBe(404);
    for (const table of [
      'messages',
      'turns',
      'transcript',
      'job_events',
      'model_calls',
      'overlay_files',
      'changed_pages',
      'webhooks',
    ]) {
      const [left] = await rows(`SELECT count(*)::int AS n FROM ${table} WHERE job_id = ANY($1)`, [[old, merged]]);
      expect([table, left?.n]).toEqual([table, 0]);
    }
    // The page of a pull request, and what was merged when, outlive the job.
    expect(await rows('SELECT state FROM pull_requests WHERE job_id = $1', [merged])).toEqual([{ state: 'merged' }]);
    expect(await all(removeOldJobs, 90), 'again').toBe(0);
  });

  test("do not change a project's past usage, by day and in total", async () => {
    for (let i = 0; i < 3; i += 1)
      await archivedJob(91, { calls: ['2026-01-05 10:59', '2026-01-05 11:01', '2026-01-06 09:00'] });
    await archivedJob(3);
    const before = await usage();
    const ofDay = await usage('?dateFrom=2026-01-06');
    expect(before.days).toMatchObject([
      { jobs: 4, usage: { modelCalls: 8 } },
      { jobs: 3, usage: { modelCalls: 3 } },
    ]);
    expect(await all(removeOldJobs, 90)).toBe(3);
    expect(await usage()).toEqual(before);
    expect(await usage('?dateFrom=2026-01-06')).toEqual(ofDay);
  });

  test('are complete or gone after a broken connection, and are counted once', async () => {
    for (let i = 0; i < 5; i += 1) await archivedJob(91);
    const before = await usage();
    const holder = await api.database.pool.connect();
    await holder.query('BEGIN; LOCK TABLE live_texts IN ACCESS EXCLUSIVE MODE');
    // So far it has processed the sums and the webhooks.
    const dying = removeOldJobs(api.database.db, { days: 90, after: null });
    const failed = expect(dying).rejects.toThrow();
    await until('it waits', async () => {
      const found = await rows<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%live_texts%'`,
      );
      for (const { pid } of found) await rows('SELECT pg_terminate_backend($1)', [pid]);
      return found.length > 0;
    });
    await failed;
    await holder.query('ROLLBACK');
    holder.release();
    expect(await kept()).toHaveLength(5);
    expect(await rows('SELECT * FROM removed_usage')).toEqual([]);
    expect(await rows(`SELECT * FROM webhooks`)).toHaveLength(5);
    const twice = await Promise.all([all(removeOldJobs, 90), all(removeOldJobs, 90)]);
    expect(twice[0] + twice[1]).toBe(5);
    expect(await usage()).toEqual(before);
    expect(await rows(`SELECT removed_in_all FROM retention_runs`)).toEqual([{ removed_in_all: '5' }]);
  });

  test('stay if they are unarchived at that moment; a late unarchive reports that they are gone', async () => {
    const [first, second] = [await archivedJob(91), await archivedJob(91)];
    const { db } = api.database;
    await db.transaction(async (tx) => {
      await unarchiveJob(tx, project, first);
      // Locked: passed over.
      expect(await all(removeOldJobs, 90)).toBe(1);
    });
    expect(await kept()).toEqual([first]);
    const message = (id: string) => api.call(`/v2/agent/${project}/job/${id}/message`, { body: { prompt: 'More' } });
    expect((await message(first)).status).toBe(200);
    expect((await message(second)).json.code).toBe('job_not_found');
    expect((await api.call(`/v2/agent/${project}/job/${second}/unarchive`, { method: 'POST' })).json.code).toBe(
      'job_not_found',
    );

    // The other way around: who asks while it is being removed waits, and gets that answer.
    const third = await archivedJob(91);
    const answer = await db.transaction(async (tx) => {
      await removeOldJobs(tx, { days: 90, after: null });
      const asked = api.call(`/v2/agent/${project}/job/${third}/unarchive`, { method: 'POST' });
      await tx.execute(sql`SELECT pg_sleep(0.2)`);
      return { asked };
    });
    expect((await answer.asked).json.code).toBe('job_not_found');
  });

  test('are taken batch by batch, past those that stay', async () => {
    await rows(
      `INSERT INTO jobs (id, project_id, status, model, repository_url, base_ref, title, archived_at)
       SELECT 'job' || n, $1, 'archived', 'builtin', 'file:///x', 'main', 'Fix it', now() - make_interval(days => 100 + n / 10)
       FROM generate_series(1, 230) n`,
      [project],
    );
    for (let n = 2; n <= 230; n += 2) await openPullRequest(`job${n}`);
    expect(await all(removeOldJobs, 90)).toBe(115);
    expect(await kept()).toHaveLength(115);
  });
});

describe('of a job that stays', () => {
  test('deletes all events but the last, so a client that follows from an old number reaches the end', async () => {
    const id = await archivedJob(40);
    expect(await all(removeOldEvents, 30)).toBe(1);
    expect(await all(removeOldEvents, 30), 'again').toBe(0);
    const path = `/v2/agent/${project}/job/${id}/events`;
    expect((await api.call(`${path}?after=7`)).json.events).toMatchObject([{ no: 30, type: 'archived' }]);
    const headers = { accept: 'text/event-stream', 'last-event-id': '7' };
    const { text } = await api.call(path, { headers });
    expect(text.match(/^(id|event): .*$/gm)).toEqual(['id: 30', 'event: archived', 'event: end']);
    expect((await api.call(path, { headers: { ...headers, 'last-event-id': '30' } })).status).toBe(204);
  });

  test("the transcript is deleted, and the job's outcome stays", async () => {
    const id = await archivedJob(40);
    expect(await all(removeOldTranscripts, 30)).toBe(1);
    const path = `/v2/agent/${project}/job/${id}`;
    expect((await api.call(`${path}/calls?turn=1&step=1`)).json).toEqual({ calls: [] });
    expect((await api.call(path)).status).toBe(200);
    expect((await api.call(`${path}/messages`)).json.messages).toMatchObject([{ text: 'Fix it' }, { text: 'Done.' }]);
    expect((await api.call(`${path}/usage`)).json.turns).toMatchObject([{ turn: 1, usage: { modelCalls: 2 } }]);
  });

  test('new entries after an unarchive are deleted after the next archiving, not before', async () => {
    const id = await archivedJob(40);
    await all(removeOldTranscripts, 30);
    const { db } = api.database;
    await db.transaction((tx) => unarchiveJob(tx, project, id));
    await rows(`INSERT INTO transcript (job_id, turn_no, step_no, part, entries) VALUES ($1, 2, 1, 'model', '[]')`, [
      id,
    ]);
    expect(await all(removeOldTranscripts, 30)).toBe(0);
    await db.transaction((tx) => archiveJob(tx, project, id));
    await rows('UPDATE jobs SET signal_pending = false WHERE id = $1', [id]);
    expect(await all(removeOldTranscripts, 30)).toBe(0);
    await rows(
      `UPDATE jobs SET archived_at = now() - interval '31 days', transcript_removed_at = now() - interval '60 days'`,
    );
    expect(await all(removeOldTranscripts, 30)).toBe(1);
  });
});

test("deletions and their rules are in the audit log and in the installation's health", async () => {
  const { db } = api.database;
  await archivedJob(91);
  const held = await archivedJob(91);
  await openPullRequest(held);
  for (const rule of ['jobs', 'audit_log'] as const) await beginRun(db, rule, { keepDays: 90 });
  await beginRun(db, 'transcripts', { keepDays: null });
  const now = async () => Object.fromEntries((await readRetention(db)).map(({ rule, ...state }) => [rule, state]));
  expect(await now()).toMatchObject({
    jobs: { keepDays: 90, waiting: 1, held: 1, removed: 0 },
    transcripts: { keepDays: null, waiting: 0, held: null },
  });
  await all(removeOldJobs, 90);
  await rows(
    `INSERT INTO audit_log (at, actor_kind, operation, changed, request_id) VALUES (now() - interval '91 days', 'operator', 'setModel', '{}', 'r')`,
  );
  await all(removeOldAudit, 90);
  expect(await now()).toMatchObject({
    jobs: { waiting: 0, held: 1, removed: 1, removedInAll: 1 },
    audit_log: { removed: 1 },
  });
  const { entries } = (await api.call('/v1/audit?actor=maintenance')).json;
  expect(entries).toMatchObject([
    {
      actor: { kind: 'maintenance' },
      operation: 'removeAuditEntries',
      projectId: null,
      target: { removed: '1', keepDays: '90' },
    },
    {
      actor: { kind: 'maintenance' },
      operation: 'removeJobs',
      projectId: project,
      target: { removed: '1', keepDays: '90' },
    },
  ]);

  const { retention } = (await api.call('/v1/health')).json;
  expect(retention).toMatchObject({
    status: 'ok',
    message: expect.stringContaining('jobs 90 days, audit log 90 days'),
  });
  await beginRun(db, 'temporal', { keepDays: 1, problem: 'Temporal does not.' });
  const other = await startTestApi({ deps: { database: api.database } });
  expect((await other.call('/v1/health')).json.retention).toMatchObject({
    status: 'degraded',
    message: 'Temporal does not.',
  });
  await rows(
    `UPDATE retention_runs SET problem = NULL, ran_at = ran_at - CASE rule WHEN 'jobs' THEN interval '2 hours' ELSE interval '0' END`,
  );
  const third = await startTestApi({ deps: { database: api.database } });
  const late = (await third.call('/v1/health')).json.retention;
  expect(late).toMatchObject({
    status: 'degraded',
    message: expect.stringContaining('Nothing was deleted for more than an hour: jobs.'),
  });
});

test('Temporal keeps histories for the configured time, or the reason is reported', async () => {
  const connection = await Connection.connect({ address: services.temporalAddress });
  const before = await keepHistories(connection, 'default', undefined);
  expect(before.problem).toBe(null);
  try {
    expect(await keepHistories(connection, 'default', 9)).toEqual({ keepDays: 9, problem: null });
    expect(await keepHistories(connection, 'default', undefined)).toEqual({ keepDays: 9, problem: null });
  } finally {
    if (before.keepDays) await keepHistories(connection, 'default', before.keepDays);
  }
  const nowhere = await keepHistories(connection, 'no-such-namespace', 9);
  expect(nowhere.keepDays).toBe(null);
  expect(nowhere.problem).toContain('temporal operator namespace update --namespace no-such-namespace --retention 9d');
  await connection.close();
});
