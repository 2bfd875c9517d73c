import { Client, Connection, ScheduleNotFoundError } from '@temporalio/client';
import { expect } from 'vitest';
import { installationId } from '../../src/store/installation/installation.ts';
import { commandEnv } from '../support/command.ts';
import { testWithDocent as test, type Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { services } from '../support/run-services.ts';
import { runInside } from '../support/run-inside.ts';

const KEEP = { DOCENT_TRANSCRIPTS_KEEP_DAYS: '10', DOCENT_JOB_EVENTS_KEEP_DAYS: '20', DOCENT_JOBS_KEEP_DAYS: '30' };
const RULES = 5;

/** Has the schedule run now, and waits for its end. */
async function carriedOut({ database }: Installation): Promise<void> {
  const connection = await Connection.connect({ address: services.temporalAddress });
  const client = new Client({ connection });
  const [now] = (await database.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')).rows;
  const done = async () => {
    const query = 'SELECT count(*)::int AS n FROM retention_runs WHERE ran_at > $1';
    return (await database.pool.query<{ n: number }>(query, [now?.now])).rows[0]?.n === RULES;
  };
  const schedule = client.schedule.getHandle(`docent-${await installationId(database.db)}-retention`);
  await until('every rule is carried out', async () => {
    // A running one is not started twice. The worker creates it in the background.
    await schedule.trigger().catch((err: unknown) => {
      if (!(err instanceof ScheduleNotFoundError)) throw err;
    });
    for (let i = 0; i < 40; i += 1) {
      if (await done()) return true;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    return false;
  });
  await connection.close();
}

test('the worker deletes and reports expired data, and an unarchived job continues', async ({ docent }) => {
  const { pool } = docent.database;
  await Promise.all([docent.startApi(), docent.startWorker(KEEP)]);
  await docent.createProject();
  const ids = await Promise.all(
    ['A', 'B', 'C'].map((s) => docent.post(`Append a section "${s}" with text "x." to the page guides/log`)),
  );
  const [eleven, twentyOne, fresh] = ids as [string, string, string];
  for (const id of ids) await docent.settled(id);
  const at = (id: string) => ({ params: { path: { projectId: docent.projectId, id } } });
  for (const id of [eleven, twentyOne]) await docent.client.POST('/v2/agent/{projectId}/job/{id}/archive', at(id));
  const untold = 'SELECT 1 FROM jobs WHERE signal_pending';
  await until('their workflows know', async () => (await pool.query(untold)).rows.length === 0);
  for (const [id, days] of [
    [eleven, 11],
    [twentyOne, 40],
  ] as const) {
    await pool.query('UPDATE jobs SET archived_at = now() - make_interval(days => $2) WHERE id = $1', [id, days]);
  }
  await carriedOut(docent);
  const count = async (table: string, id: string) =>
    (await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE job_id = $1`, [id])).rows[0]?.n ??
    0;
  expect([await count('transcript', eleven), await count('transcript', twentyOne)]).toEqual([0, 0]);
  expect(await count('job_events', eleven)).toBeGreaterThan(3);
  // Its pull request is open: it stays, whatever its age.
  expect(await count('job_events', twentyOne)).toBe(1);
  expect(await count('transcript', fresh)).toBeGreaterThan(0);

  const env = commandEnv(docent.folder, { DOCENT_URL: docent.apiUrl, DOCENT_OPERATOR_TOKEN: docent.operatorToken });
  const said = await runInside(['status'], env);
  expect(said.stdout).toMatch(/^jobs +30 days +0, 1 with an open pull request +0, 0 total/m);
  expect(said.stdout).toMatch(/^transcripts +10 days +0 +\d, 2 total/m);
  const json = await runInside(['status', '--json'], env);
  expect(JSON.parse(json.stdout).retention.rules).toHaveLength(RULES);

  // The agent has lost the conversation, and continues.
  await docent.client.POST('/v2/agent/{projectId}/job/{id}/unarchive', at(eleven));
  expect((await docent.say(eleven, 'Append a section "D" with text "y." to the page guides/log')).status).toBe(200);
  expect(await docent.settled(eleven)).toMatchObject({ status: 'completed' });
  expect(await docent.git('show', `docent/${eleven}:guides/log.mdx`)).toMatch(/^## A$[^]*^## D$/m);

  // Merged, the other one may go.
  await docent.client.POST('/v2/agent/{projectId}/job/{id}/pull-request/merge', at(twentyOne));
  await carriedOut(docent);
  expect((await docent.client.GET('/v2/agent/{projectId}/job/{id}', at(twentyOne))).response.status).toBe(404);
  const { data } = await docent.client.GET('/v1/projects/{projectId}/pull-requests', {
    params: { path: { projectId: docent.projectId } },
  });
  expect(data?.pullRequests.map(({ jobId, state }) => [jobId, state])).toContainEqual([twentyOne, 'merged']);
});
