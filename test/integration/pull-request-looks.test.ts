import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptJob } from '../../src/jobs/acceptance.ts';
import { checksOf } from '../../src/store/pull-request-checks.ts';
import { recordLook, type SeenPullRequest } from '../../src/store/pull-request-looks.ts';
import { findPullRequestById, savePullRequest, type PullRequestRow } from '../../src/store/pull-requests.ts';
import { projects } from '../../src/store/schema.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';

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

/** As one that was opened two hours ago, whose job rests. */
async function openPullRequest(): Promise<PullRequestRow> {
  const { db, pool } = database;
  const job = await db.transaction((tx) =>
    acceptJob(tx, {
      projectId: 'acme',
      prompt: 'Fix it',
      repositoryUrl: () => 'file:///tmp/nowhere',
      limitPerHour: 99,
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
  const row = await recordLook(database.db, id, { ...UNCHANGED, ...more });
  if (!row) throw new Error('It is not there.');
  return row;
};

describe('a look at a pull request', () => {
  test.for([
    ['with a host that knows of no checks and no conflict', {}],
    ['with a host that tells nothing', { checks: null, mergeable: null }],
    ['with a host that has not looked for conflicts yet', { mergeable: null }],
  ] as const)('that finds nothing new is no change of it: %s', async ([, seen]) => {
    const before = await openPullRequest();
    const first = await look(before.id, seen);
    expect(first.updatedAt).toEqual(before.updatedAt);
    expect(first).toMatchObject({ ...UNCHANGED, ...seen });
    expect(first.lookedAt).not.toBe(null);
    // What has been quiet for long is asked for seldom.
    expect(first.lookAt.getTime() - Date.now()).toBeGreaterThan(500_000);
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
    expect(first.lookAt.getTime() - Date.now()).toBeLessThan(60_000);
    expect((await look(before.id, seen)).updatedAt).toEqual(first.updatedAt);
  });

  test('that finds a check gone, or a conflict, is one, too', async () => {
    const { id } = await openPullRequest();
    const failed = await look(id, { checks: FAILED, mergeable: false });
    const none = await look(id, { mergeable: false });
    expect(none.updatedAt.getTime()).toBeGreaterThan(failed.updatedAt.getTime());
    const merges = await look(id);
    expect(merges.updatedAt.getTime()).toBeGreaterThan(none.updatedAt.getTime());
  });
});
