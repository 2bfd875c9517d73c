import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { pollHost, type HostPollerOptions } from '../../src/activities/host-events/host-poller.ts';
import { HOST_EVENT_CONSUMERS } from '../../src/activities/host-events/consumers.ts';
import type { HostEventDeps } from '../../src/activities/host-events/host-event-consumer.ts';
import { dispatchHostEvent } from '../../src/activities/host-events/host-event-dispatcher.ts';
import type { HostEvent } from '@docent/code-hosts/events/host-event';
import { storeHostEvents } from '../../src/store/automations/store-host-events.ts';
import type { Polled } from '../../src/code-hosts/host.ts';
import { HostProblem } from '@docent/code-hosts/host-problem';
import { createLogger } from '../../src/platform/log.ts';
import { claimHostEvent, listDueHostEvents } from '../../src/store/automations/trigger-events.ts';
import { acceptJob } from '../../src/jobs/acceptance.ts';
import { checksOf } from '@docent/code-hosts/checks';
import { recordPoll, type SeenPullRequest } from '../../src/store/pull-requests/pull-request-polls.ts';
import {
  findPullRequestById,
  savePullRequest,
  type PullRequestRow,
} from '../../src/store/pull-requests/pull-requests.ts';
import { automations, triggerEvents, type Trigger } from '../../src/store/automations/automation-schema.ts';
import { noteDelivery } from '../../src/store/hosts/host-hooks.ts';
import { listDueRepositories, syncRepositories } from '../../src/store/hosts/host-repositories.ts';
import { sources } from '../../src/store/projects/source-schema.ts';
import { codeHosts, projects } from '../../src/store/schema.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';
import { MANY_SLOTS } from '../support/job-rows.ts';

const COMMIT = 'a'.repeat(40);
const UNCHANGED: SeenPullRequest = { headCommit: COMMIT, checks: checksOf([]), mergeable: true, review: null };
const FAILED = checksOf([{ name: 'lint', state: 'failed', url: null }]);

let database: TestDatabase;
let opened = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.insert(projects).values({ id: 'acme', repository: '/tmp/nowhere', ref: 'main', model: 'builtin' });
});
afterAll(() => database.drop());

/** As a pull request that was opened two hours ago and whose job is idle. */
async function openPullRequest(): Promise<PullRequestRow> {
  const { db, pool } = database;
  const job = await db.transaction((tx) =>
    acceptJob(tx, {
      projectId: 'acme',
      prompt: 'Fix it',
      repositoryUrl: () => 'file:///tmp/nowhere',
      limitPerHour: 99,
      slots: MANY_SLOTS,
    }),
  );
  await pool.query(`UPDATE jobs SET status = 'completed' WHERE id = $1`, [job.id]);
  opened += 1;
  const { id } = await savePullRequest(db, {
    projectId: 'acme',
    jobId: job.id,
    chainNo: 1,
    repository: '/tmp/nowhere',
    headBranch: `docent/${opened}`,
    baseBranch: 'main',
    title: 'Fix it',
    body: '',
    headCommit: COMMIT,
    diff: '',
    commits: [],
  });
  await pool.query(
    `UPDATE pull_requests SET created_at = now() - interval '2 hours', updated_at = now() - interval '2 hours' WHERE id = $1`,
    [id],
  );
  const row = await findPullRequestById(db, id);
  if (!row) throw new Error('It is not there.');
  return row;
}

const look = async (id: string, more: Partial<SeenPullRequest> = {}) => {
  const row = await recordPoll(database.db, id, { ...UNCHANGED, ...more });
  if (!row) throw new Error('It is not there.');
  return row;
};

describe('a poll of a pull request', () => {
  test.for([
    ['with a host that knows of no checks and no conflict', {}],
    ['with a host that tells nothing', { checks: null, mergeable: null }],
    ['with a host that has not looked for conflicts yet', { mergeable: null }],
  ] as const)('that finds nothing new is no change of it: %s', async ([, seen]) => {
    const before = await openPullRequest();
    const first = await look(before.id, seen);
    expect(first.updatedAt).toEqual(before.updatedAt);
    expect(first).toMatchObject({ ...UNCHANGED, ...seen });
    expect(first.polledAt).not.toBe(null);
    // Quiet pull requests are polled rarely.
    expect(first.nextPollAt.getTime() - Date.now()).toBeGreaterThan(500_000);
    expect((await look(before.id)).updatedAt).toEqual(before.updatedAt);
  });

  test.for([
    ['a check', { checks: FAILED }],
    ['a conflict', { mergeable: false }],
    ['a review', { review: 'approved' }],
    ['a push', { headCommit: 'b'.repeat(40) }],
  ] as const)('that finds %s is one, once, and is followed by another one soon', async ([, seen]) => {
    const before = await openPullRequest();
    const first = await look(before.id, seen);
    expect(first.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
    expect(first).toMatchObject(seen);
    expect(first.nextPollAt.getTime() - Date.now()).toBeLessThan(60_000);
    expect((await look(before.id, seen)).updatedAt).toEqual(first.updatedAt);
  });

  test('that finds a missing check or a conflict counts, too', async () => {
    const { id } = await openPullRequest();
    const failed = await look(id, { checks: FAILED, mergeable: false });
    const none = await look(id, { mergeable: false });
    expect(none.updatedAt.getTime()).toBeGreaterThan(failed.updatedAt.getTime());
    const merges = await look(id);
    expect(merges.updatedAt.getTime()).toBeGreaterThan(none.updatedAt.getTime());
  });
});

const push = (after: string): HostEvent => ({
  kind: 'push',
  repository: { id: '7', path: 'acme/docs' },
  at: null,
  branch: 'main',
  before: null,
  after,
});

const merged = (number: number): HostEvent => ({
  kind: 'pull_request',
  repository: { id: '7', path: 'acme/docs' },
  at: '2026-01-01T00:00:00Z',
  action: 'merged',
  body: null,
  pullRequest: {
    number,
    title: 'Fix it\0',
    isDraft: false,
    state: 'merged',
    author: { id: '1', login: 'ada' },
    head: { branch: 'docent/x', sha: COMMIT, repositoryId: '7' },
    base: { branch: 'main' },
    isFork: false,
    labels: [],
    url: 'https://git.example.com/acme/docs/pulls/1',
  },
});

const depsOf = (poll: () => Promise<unknown>) => {
  const log = createLogger({ level: 'fatal', name: 'test' });
  const hosts = { get: async () => ({ open: async () => ({ pollPullRequest: poll }) }) };
  return { db: database.db, hosts, log } as unknown as HostEventDeps;
};

const rowOf = async (id: string) =>
  (await database.pool.query('SELECT state, attempts, due_at > now() AS later FROM trigger_events WHERE id = $1', [id]))
    .rows[0];

describe('polling a repository', () => {
  const AT = { hostId: 'gh', repositoryId: '7' };
  const log = createLogger({ level: 'fatal', name: 'test' });

  test('writes events and cursor together, once, and leaves a rate-limiting host alone', async () => {
    const { db, pool } = database;
    const host = { id: 'gh', kind: 'github', webUrl: 'https://gh.example', apiUrl: 'https://gh.example' } as const;
    await db.insert(codeHosts).values({ ...host, credential: Buffer.alloc(1), keyId: 'k' });
    await pool.query(`UPDATE projects SET host = 'gh', repository_id = '7'`);
    await Promise.all([syncRepositories(db), syncRepositories(db)]);
    expect(await listDueRepositories(db, 9)).toEqual([AT]);
    const cursors: unknown[] = [];
    const found = { events: [push('a'), push('a')], cursor: { no: 1 } };
    let answer: () => Promise<Polled> = async () => found;
    const poll = (_which: unknown, { cursor }: { cursor: unknown }) => {
      cursors.push(cursor);
      return answer();
    };
    const hosts = { get: async () => ({ poll }) } as unknown as HostPollerOptions['hosts'];
    const polls = () => pollHost({ db, hosts, log, everySeconds: 60 }, AT);
    expect(await Promise.all([polls(), polls(), polls()])).toEqual([true, true, true]);
    expect(cursors).toEqual([{}]);
    const rowsOf = async () => db.$count(triggerEvents, eq(triggerEvents.source, 'host:gh'));
    expect(await rowsOf()).toBe(1);
    expect(await listDueRepositories(db, 9)).toEqual([]);
    // The process died before it could write what it found: the next one finds it again, from the same
    // cursor.
    const due = () => pool.query('UPDATE host_repositories SET poll_at = now()');
    await due();
    answer = () => Promise.reject(new TypeError('It died.'));
    await expect(polls()).rejects.toThrow('It died.');
    await due();
    answer = async () => ({ events: [push('a'), push('b')], cursor: { no: 2 } });
    await polls();
    expect([cursors, await rowsOf()]).toEqual([[{}, { no: 1 }, { no: 1 }], 2]);
    await due();
    answer = () => Promise.reject(new HostProblem('host_rate_limited', 'Later.', { retryAfterMs: 900_000 }));
    expect(await polls()).toBe(false);
    const { rows } = await pool.query(
      `SELECT poll_problem, poll_at > now() + interval '14 minutes' AS later, cursor FROM host_repositories`,
    );
    expect(rows).toEqual([{ poll_problem: 'Later.', later: true, cursor: { no: 2 } }]);
    await pool.query(`UPDATE projects SET host = 'local'`);
    await syncRepositories(db);
    expect((await pool.query('SELECT 1 FROM host_repositories')).rowCount).toBe(0);
    await db.delete(triggerEvents);
  });

  test('of a source happens while an automation watches it, and what it finds starts that automation once', async () => {
    const { db, pool } = database;
    const at = { hostId: 'gh', repositoryId: '9' };
    const source = { host: 'gh', repository: 'https://gh.example/acme/api', repositoryId: '9', ref: 'main', paths: [] };
    await db.insert(sources).values({ projectId: 'acme', name: 'api', ...source });
    await syncRepositories(db);
    expect(await listDueRepositories(db, 9)).toEqual([]);
    const trigger: Trigger = { type: 'code', events: ['merged'] };
    await db.insert(automations).values({ projectId: 'acme', id: 'a', name: 'Api', prompt: 'Follow', trigger });
    await syncRepositories(db);
    expect(await listDueRepositories(db, 9)).toEqual([at]);
    const asked: unknown[] = [];
    const event = { ...merged(5), repository: { id: '9', path: 'acme/api' } };
    const poll = async (...given: unknown[]) => {
      asked.push(given);
      return { events: [event], cursor: { no: 1 } };
    };
    const hosts = { get: async () => ({ poll }) } as unknown as HostPollerOptions['hosts'];
    for (let round = 0; round < 2; round += 1) {
      await pool.query('UPDATE host_repositories SET poll_at = now()');
      expect(await pollHost({ db, hosts, log, everySeconds: 60 }, at)).toBe(true);
      const deps = depsOf(async () => ({}));
      for (const { id } of await listDueHostEvents(db, 9)) await dispatchHostEvent(deps, id);
    }
    const which = { repository: source.repository, repositoryId: '9' };
    expect(asked).toEqual([
      [which, { cursor: {}, own: [] }],
      [which, { cursor: { no: 1 }, own: [] }],
    ]);
    const { rows } = await pool.query(`SELECT event FROM trigger_events WHERE automation_id = 'a'`);
    expect(rows).toEqual([{ event: 'merged' }]);
    // With polling turned off, what a delivery lacks is still polled, even if it comes during a poll.
    const due = () => listDueRepositories(db, 9);
    await pool.query('DELETE FROM host_repositories');
    await syncRepositories(db, 0);
    expect(await due()).toEqual([]);
    const lacks = { event: 'pull_request_comment', repositories: ['9'], incomplete: '9' };
    await noteDelivery(db, 'gh', lacks);
    expect(await due()).toEqual([at]);
    const early = async () => {
      await noteDelivery(db, 'gh', lacks);
      return poll();
    };
    const during = { get: async () => ({ poll: early }) } as unknown as HostPollerOptions['hosts'];
    await pollHost({ db, hosts: during, log, everySeconds: 0 }, at);
    expect(await due()).toEqual([at]);
    await pollHost({ db, hosts, log, everySeconds: 0 }, at);
    await syncRepositories(db, 0);
    expect(await due()).toEqual([]);
    await syncRepositories(db);
    expect(await due()).toEqual([at]);
    await db.delete(automations);
    await syncRepositories(db);
    expect((await pool.query('SELECT 1 FROM host_repositories')).rowCount).toBe(0);
    await db.delete(sources);
    await db.delete(triggerEvents);
  });
});

describe('an event of a code host', () => {
  test('refreshes its pull request once, by any worker', async () => {
    const row = await openPullRequest();
    await database.pool.query(`UPDATE projects SET host = 'gh', repository_id = '7'`);
    await database.pool.query(`UPDATE pull_requests SET number = 71, repository_id = '7' WHERE id = $1`, [row.id]);
    expect(await storeHostEvents(database.db, 'gh', [merged(71), merged(71)])).toBe(1);
    expect(await storeHostEvents(database.db, 'gh', [merged(71)])).toBe(0);
    // That of another host, and of another repository, is about another one.
    await storeHostEvents(database.db, 'other', [merged(71)]);
    await storeHostEvents(database.db, 'gh', [{ ...merged(71), repository: { id: '8', path: 'acme/docs' } }]);
    let polls = 0;
    const deps = depsOf(async () => {
      polls += 1;
      return { state: 'open', ...UNCHANGED, review: 'approved' };
    });
    const due = await listDueHostEvents(database.db, 10);
    expect(due).toHaveLength(3);
    await Promise.all([...due, ...due].map(({ id }) => dispatchHostEvent(deps, id)));
    expect(polls).toBe(1);
    expect((await findPullRequestById(database.db, row.id))?.review).toBe('approved');
    expect(await listDueHostEvents(database.db, 10)).toEqual([]);
  });

  test('is retried later if a consumer fails, without delaying other consumers and events', async () => {
    await database.db.delete(triggerEvents);
    await storeHostEvents(database.db, 'gh', [merged(1), merged(2)]);
    const [first, second] = await listDueHostEvents(database.db, 10);
    const seen: string[] = [];
    const consumers = {
      fails: async ({ id }: { id: string }) => {
        if (id === first!.id) throw new HostProblem('host_rate_limited', 'Later.', { retryAfterMs: 600_000 });
      },
      sees: async ({ id }: { id: string }) => void seen.push(id),
    };
    const deps = depsOf(async () => null);
    await dispatchHostEvent(deps, first!.id, consumers);
    await dispatchHostEvent(deps, second!.id, consumers);
    expect(seen).toEqual([first!.id, second!.id]);
    expect(await rowOf(first!.id)).toEqual({ state: 'waiting', attempts: 1, later: true });
    expect(await rowOf(second!.id)).toMatchObject({ state: 'done', attempts: 1 });
    // A process died with it: another one takes it when its lease ends.
    await database.pool.query(`UPDATE trigger_events SET due_at = now() WHERE id = $1`, [first!.id]);
    expect(await claimHostEvent(database.db, first!.id)).not.toBe(null);
    expect(await claimHostEvent(database.db, first!.id)).toBe(null);
    await database.pool.query(`UPDATE trigger_events SET due_at = now() WHERE id = $1`, [first!.id]);
    await dispatchHostEvent(deps, first!.id, { sees: consumers.sees });
    expect(await rowOf(first!.id)).toMatchObject({ state: 'done', attempts: 3 });
    expect(Object.keys(HOST_EVENT_CONSUMERS)).toContain('refresh pull requests');
  });
});
