import { afterAll, beforeAll, expect, test } from 'vitest';
import { JobReader } from '../../src/store/jobs/job-reader.ts';
import { updateJob } from '../../src/store/jobs/jobs.ts';
import { createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
let project: string;
let ids: string[];

beforeAll(async () => {
  api = await startTestApi();
  project = await api.addProject();
  ids = await Promise.all(Array.from({ length: 20 }, () => createJob(api, project)));
});
afterAll(() => api.close());

test('parallel callers get their own jobs from few queries', async () => {
  const { pool, db } = api.database;
  const reader = new JobReader(db);
  const query = pool.query.bind(pool);
  let queries = 0;
  pool.query = ((...args: Parameters<typeof query>) => {
    queries++;
    return query(...args);
  }) as typeof pool.query;
  try {
    const asked = [...ids, ...ids, 'nosuchjob'];
    const found = await Promise.all(asked.map((id) => reader.find(project, id)));
    expect(found.map((job) => job?.id ?? null)).toEqual([...ids, ...ids, null]);
    expect(found[0]?.createdAt).toBeInstanceOf(Date);
    expect(queries).toBeLessThan(4);
  } finally {
    pool.query = query;
  }
});

test('more than one query holds are asked for in turn', async () => {
  const reader = new JobReader(api.database.db);
  const found = await Promise.all(Array.from({ length: 1_000 }, (_, i) => reader.find(project, ids[i % 20] ?? '')));
  expect(found.every((job, i) => job?.id === ids[i % 20])).toBe(true);
});

test('a job of another project stays hidden', async () => {
  expect(await new JobReader(api.database.db).find('other', ids[0] ?? '')).toBeNull();
});

test('a caller never gets an answer from before its request', async () => {
  const reader = new JobReader(api.database.db);
  const id = ids[0] ?? '';
  for (let round = 0; round < 20; round++) {
    const noise = Array.from({ length: 10 }, () => reader.find(project, id));
    await updateJob(api.database.db, id, { title: `round ${round}` });
    expect((await reader.find(project, id))?.title).toBe(`round ${round}`);
    await Promise.all(noise);
  }
});

test('a failed query only fails the callers that waited for it', async () => {
  const { db } = api.database;
  const reader = new JobReader(db);
  await db.execute('ALTER TABLE jobs RENAME TO gone');
  const failed = await Promise.allSettled(ids.map((id) => reader.find(project, id)));
  expect(failed.every((outcome) => outcome.status === 'rejected')).toBe(true);
  await db.execute('ALTER TABLE gone RENAME TO jobs');
  expect((await reader.find(project, ids[0] ?? ''))?.id).toBe(ids[0]);
});
