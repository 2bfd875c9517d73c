import { rename } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { describe, expect } from 'vitest';
import { installationId } from '../../src/store/installation.ts';
import { jobWorkflowId } from '../../src/workflows/contract.ts';
import { testWithDocent as test, until, type Installation } from '../support/installation.ts';
import { services } from '../support/run-services.ts';

const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';

async function started(docent: Installation): Promise<void> {
  await Promise.all([docent.startApi(), docent.startWorker()]);
  await docent.createProject();
}

const turnsOf = async (docent: Installation, id: string) => {
  const { rows } = await docent.database.pool.query(
    'SELECT state, error_code FROM turns WHERE job_id = $1 ORDER BY no',
    [id],
  );
  return rows.map((row) => [row.state, row.error_code]);
};

describe('a job', () => {
  test('becomes a pull request, and a follow-up its second commit', async ({ docent }) => {
    await started(docent);
    const id = await docent.post(SECTION);
    const first = await docent.settled(id);
    expect(first).toMatchObject({
      status: 'completed',
      source: { ref: `docent/${id}` },
      error: null,
      archivedAt: null,
    });
    expect((await docent.say(id, 'Replace "Install" with "Set up" in guides/start')).status).toBe(200);
    expect((await docent.job(id)).prLink === null || (await docent.job(id)).status === 'completed').toBe(true);
    const second = await docent.settled(id);
    expect(second.prLink).toBe(first.prLink);
    expect(await docent.commits(`docent/${id}`)).toHaveLength(2);
    const page = await docent.git('show', `docent/${id}:guides/start.mdx`);
    expect(page).toBe('---\ntitle: Start\n---\n\nSet up Acme, then run it.\n\n## Next\n\nRead on.\n');
    const html = await (await fetch(second.prLink ?? '')).text();
    expect(html).toContain('2 commits');
  });

  test('has no activity wait for the server to hand it out', async ({ docent }) => {
    await started(docent);
    const id = await docent.post(SECTION);
    await docent.settled(id);
    const connection = await Connection.connect({ address: services.temporalAddress });
    try {
      const workflowId = jobWorkflowId(await installationId(docent.database.db), id);
      const history = await new Client({ connection }).workflow.getHandle(workflowId).fetchHistory();
      const times = (history.events ?? []).map(({ eventTime }) => tsToMs(eventTime));
      const waits = (history.events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }, i) =>
        started ? [(times[i] ?? NaN) - (times[Number(started.scheduledEventId) - 1] ?? NaN)] : [],
      );
      expect(waits.length).toBeGreaterThanOrEqual(5);
      // Handed out, it takes some milliseconds at the least.
      expect(waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)]).toBeLessThanOrEqual(1);
    } finally {
      await connection.close();
    }
  });

  test('that has nothing to change completes without a pull request', async ({ docent }) => {
    await started(docent);
    const id = await docent.post('Good morning');
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', prLink: null });
    expect(await docent.branches()).toEqual(['main']);
  });

  test('whose repository is gone fails once, with a sentence, and goes on when it is back', async ({ docent }) => {
    await started(docent);
    await rename(docent.repository, `${docent.repository}.away`);
    const id = await docent.post(SECTION);
    const failed = await docent.settled(id);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'repository_missing' } });
    expect(await turnsOf(docent, id)).toEqual([['failed', 'repository_missing']]);
    await rename(`${docent.repository}.away`, docent.repository);
    await docent.say(id, SECTION);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
  });

  test('is archived and taken back by request, and its workflow ends and begins with it', async ({ docent }) => {
    await started(docent);
    const id = await docent.post(SECTION);
    const { prLink } = await docent.settled(id);
    const order = (action: 'archive' | 'unarchive') =>
      docent.client.POST(`/v2/agent/{projectId}/job/{id}/${action}`, { params: { path: { projectId: 'acme', id } } });
    expect((await order('archive')).data).toMatchObject({ status: 'archived', prLink });
    expect((await docent.say(id, 'More')).status).toBe(409);
    expect((await order('unarchive')).data).toMatchObject({ status: 'completed', prLink, archivedAt: null });
    await docent.say(id, 'Replace "Install" with "Set up" in guides/start');
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    expect(await docent.commits(`docent/${id}`)).toHaveLength(2);
  });

  test('that is cancelled publishes nothing, and carries out what is said afterwards', async ({ docent }) => {
    await docent.startApi();
    const worker = await docent.startWorker();
    await docent.createProject();
    await worker.kill('SIGTERM');
    const id = await docent.post(SECTION);
    const { data } = await docent.client.POST('/v2/agent/{projectId}/job/{id}/cancel', {
      params: { path: { projectId: 'acme', id } },
    });
    expect(data).toMatchObject({ status: 'completed', prLink: null });
    await docent.startWorker();
    await docent.say(id, 'Append a section "Other" with text "Else." to the page guides/log');
    await until('the message is carried out', async () => (await docent.job(id)).prLink !== null);
    expect(await docent.git('diff', '--name-only', `main...docent/${id}`)).toBe('guides/log.mdx\n');
  });
});
