import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { createDocentClient, type DocentClient } from '../../packages/client/src/index.ts';
import { freePort } from '../support/free-port.ts';
import { testWithDocent as test, type Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';

const PROJECTS = { small: 1, middle: 2, large: 3 };
const ALL = 3;
const JOBS = 18;

interface Seen {
  looks: number;
  /** Violations of the limit. */
  above: string[];
  /** Positions that rose. */
  rose: string[];
  most: number;
}

/** Reads the rows, as another program would, until `isOver`. */
async function observe(docent: Installation, isOver: () => boolean): Promise<Seen> {
  const seen: Seen = { looks: 0, above: [], rose: [], most: 0 };
  const places = new Map<string, number>();
  while (!isOver()) {
    const { rows } = await docent.database.pool.query<{
      id: string;
      project_id: string;
      runs: boolean;
      place: number;
    }>(`
      SELECT j.id, j.project_id, t.job_id IS NOT NULL AS runs,
        row_number() OVER (PARTITION BY j.project_id, t.job_id IS NULL ORDER BY j.queue_no)::int AS place
      FROM jobs j LEFT JOIN turns t ON t.job_id = j.id AND t.state = 'running'
      WHERE j.status = 'active' AND (t.job_id IS NOT NULL OR j.queue_no IS NOT NULL)`);
    const running = rows.filter(({ runs }) => runs);
    seen.looks += 1;
    seen.most = Math.max(seen.most, running.length);
    if (running.length > ALL) seen.above.push(`${running.length} in all`);
    for (const [project, limit] of Object.entries(PROJECTS)) {
      const own = running.filter(({ project_id }) => project_id === project).length;
      if (own > limit) seen.above.push(`${own} of ${project}`);
    }
    for (const { id, place } of rows.filter(({ runs }) => !runs)) {
      if (place > (places.get(id) ?? Infinity)) seen.rose.push(`${id}: ${places.get(id)} → ${place}`);
      places.set(id, place);
    }
    await sleep(5);
  }
  return seen;
}

/**
 * This many at once wait longer for a connection under load than an API has them wait: `unavailable` is
 * retried, as the docs say.
 */
async function post(client: DocentClient, projectId: string, n: number): Promise<{ projectId: string; id: string }> {
  for (;;) {
    const { data, error } = await client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId }, header: { 'Idempotency-Key': `job-${n}` } },
      body: { prompt: `Append a section "Added ${n}" with text "Text ${n}." to the page guides/start` },
    });
    if (data) return { projectId, id: data.id };
    if (error.code !== 'unavailable') throw new Error(`The job was refused: ${JSON.stringify(error)}`);
    await sleep(500);
  }
}

describe('jobs above the limit of running jobs', () => {
  test('wait for their turn on two APIs and two workers, one of each is killed with turns under way', async ({
    docent,
  }) => {
    const env = { DOCENT_CONCURRENT_JOBS: String(ALL), DOCENT_PROJECT_CONCURRENT_JOBS: '3' };
    const port = String(await freePort());
    const [api] = await Promise.all([docent.startApi(env), docent.startApi({ ...env, DOCENT_PORT: port })]);
    const [doomed] = await Promise.all([docent.startWorker(env), docent.startWorker(env)]);
    const other = createDocentClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: docent.operatorToken });
    for (const [id, concurrentJobs] of Object.entries(PROJECTS)) {
      const { error } = await docent.client.POST('/v1/projects', {
        body: { id, repository: docent.repository, ref: 'main', settings: { concurrentJobs } },
      });
      expect(error).toBeUndefined();
    }
    let over = false;
    const observed = observe(docent, () => over);
    try {
      const names = Object.keys(PROJECTS);
      const jobs = await Promise.all(
        Array.from({ length: JOBS }, (_, n) => post(n % 2 === 0 ? docent.client : other, names[n % 3] ?? '', n)),
      );
      const last = jobs.at(-1) ?? { projectId: '', id: '' };
      const look = async ({ projectId, id }: typeof last, client = other) =>
        (await client.GET('/v2/agent/{projectId}/job/{id}', { params: { path: { projectId, id } } })).data;
      await until('both APIs say where a job stands', async () => {
        const [here, there] = [await look(last, docent.client), await look(last)];
        return (here?.queue?.position ?? 0) > 0 && (there?.queue?.position ?? 0) > 0;
      });
      // The killed worker's turns continue elsewhere, and keep their slots until then. What the killed API had
      // still to start is started by a worker.
      await Promise.all([doomed.kill(), api.kill()]);
      for (const job of jobs) {
        await until(`job ${job.id} has ended`, async () => (await look(job))?.status !== 'active', 120_000);
        expect(await look(job)).toMatchObject({ status: 'completed', error: null, queue: null });
      }
    } finally {
      over = true;
    }
    const seen = await observed;
    expect(seen.looks).toBeGreaterThan(20);
    expect(seen).toMatchObject({ above: [], rose: [], most: ALL });
  });
});
