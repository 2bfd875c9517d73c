import { describe, expect } from 'vitest';
import { testWithDocent as test } from '../support/installation.ts';
import { until } from '../support/patience.ts';

const NOISY = 60;
/**
 * Of the noisy project, those that may be done before the quiet one. First come, first served made it 17;
 * taking turns, none.
 */
const FIRST_FEW = 8;

describe('one project posts sixty jobs, and then another posts one', () => {
  test('which is done among the first few, although a single worker takes two steps at a time', async ({ docent }) => {
    await docent.startApi();
    const first = await docent.startWorker();
    await docent.createProject();
    const { error } = await docent.client.POST('/v1/projects', {
      body: { id: 'quiet', repository: docent.repository, ref: 'main' },
    });
    expect(error).toBeUndefined();
    await first.kill('SIGTERM');
    // They wait in Temporal, too, until the worker comes.
    for (let n = 0; n < NOISY; n += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, k) => docent.post(`Hello ${n + k}`)));
    }
    const { data } = await docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId: 'quiet' } },
      body: { prompt: 'Hello' },
    });
    await docent.startWorker({ DOCENT_WORKER_CONCURRENCY: '2' });
    const ended = async (project: string) => {
      const { rows } = await docent.database.pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM jobs WHERE project_id = $1 AND status <> 'active'`,
        [project],
      );
      return rows[0]?.n ?? 0;
    };
    let before = 0;
    await until(
      'the quiet project has its answer',
      async () => {
        before = await ended(docent.projectId);
        return (await ended('quiet')) > 0;
      },
      240_000,
    );
    expect(data?.id).toBeDefined();
    expect(before).toBeLessThanOrEqual(FIRST_FEW);
  });
});
