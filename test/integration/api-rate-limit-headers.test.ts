import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ config: { jobsPerHour: 3, messagesPerHour: 2, failedSignInsPerMinute: 2 } });
});
afterAll(() => api.close());

const NAMES = ['ratelimit-policy', 'ratelimit', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
const told = ({ headers }: { headers: Headers }) => NAMES.map((name) => headers.get(name));
const nothing = NAMES.map(() => null);

test("each new job reports the rest of the hour's limit, and the refusal does above it", async () => {
  const project = await api.addProject();
  const post = (headers = {}) => api.call(`/v2/agent/${project}/job`, { body: { prompt: 'Fix links' }, headers });
  expect(told(await post())).toEqual(['"jobs";q=3;w=3600', '"jobs";r=2;t=3600', '3', '2', '3600']);
  await api.database.db.execute(sql`UPDATE jobs SET created_at = now() - interval '50 minutes'`);
  const second = await post({ 'idempotency-key': 'again' });
  expect(told(second).slice(0, 2)).toEqual(['"jobs";q=3;w=3600', '"jobs";r=1;t=600']);
  // A replay counts against nothing.
  expect(told(await post({ 'idempotency-key': 'again' }))).toEqual(nothing);
  expect(told(await post())[1]).toBe('"jobs";r=0;t=600');
  const refused = await post();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
  expect(told(refused).slice(0, 2)).toEqual([
    '"jobs";q=3;w=3600',
    `"jobs";r=0;t=${refused.headers.get('retry-after')}`,
  ]);
  // The hour slides: older entries do not count.
  await api.database.db.execute(sql`UPDATE jobs SET created_at = created_at - interval '11 minutes'`);
  expect(told(await post())[1]).toMatch(/^"jobs";r=0;t=29\d\d$/);
});

test('each message reports it, too', async () => {
  const project = await api.addProject();
  const id = await createJob(api, project);
  const post = () => api.call(`/v2/agent/${project}/job/${id}/message`, { body: { prompt: 'More' } });
  expect(told(await post())[1]).toBe('"messages";r=1;t=3600');
  expect(told(await post())[3]).toBe('0');
  const refused = await post();
  expect([refused.status, told(refused)[0]]).toEqual([429, '"messages";q=2;w=3600']);
});

test('wrong keys beyond the limit see it in headers; valid keys and reads do not', async () => {
  const wrong = () => api.call('/v1/projects', { token: 'x'.repeat(40) });
  const answers = [await wrong(), await wrong(), await wrong()];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 429]);
  expect(told(answers[0]!)).toEqual(nothing);
  expect(told(answers[2]!)[0]).toBe('"sign-ins";q=2;w=60');
  expect(told(await api.call('/v1/projects'))).toEqual(nothing);
});
