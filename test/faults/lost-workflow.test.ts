import { describe, expect } from 'vitest';
import { installationId } from '../../src/store/installation.ts';
import { taskQueueOf, WORKFLOW } from '../../src/workflows/contract.ts';
import { markerIn, testWithDocent as test, until } from '../support/installation.ts';
import { withWorkflowOf } from '../support/workflow-handle.ts';

describe.concurrent('a workflow that somebody ends in the Web UI', () => {
  test.for(['terminate', 'cancel'] as const)(
    '(%s) leaves a job that says so within a minute, and that a message revives',
    async (how, { docent }) => {
      const marker = markerIn(docent, 'lost');
      await docent.startApi();
      const paused = await docent.startWorker({ DOCENT_TEST_FAULT: `stop:model-answered@${marker.file}` });
      await docent.createProject();
      const id = await docent.post('Append a section "Next" with text "Read on." to the page guides/start');
      await until('the worker is paused', () => marker.struck());
      await withWorkflowOf(docent, id, (handle) => handle[how]());
      const endedAt = Date.now();
      await paused.resume();
      const lost = await docent.settled(id);
      expect(lost).toMatchObject({ status: 'failed', error: { code: 'workflow_lost' }, prLink: null });
      expect(Date.now() - endedAt).toBeLessThan(60_000);

      expect(
        (await docent.say(id, 'Append a section "Again" with text "Once more." to the page guides/start')).status,
      ).toBe(200);
      const revived = await docent.settled(id);
      expect(revived).toMatchObject({ status: 'completed', error: null });
      expect(await docent.branches()).toEqual([`docent/${id}`, 'main']);
      // What was asked before the end is carried out too: nobody had answered to it.
      expect((await docent.git('show', `docent/${id}:guides/start.mdx`)).match(/^## .*$/gm)).toEqual([
        '## Next',
        '## Again',
      ]);
    },
  );

  // The server pauses between the failures of a workflow task, longer each time.
  test(
    'whose history no worker can go on from is replaced, and the job goes on from its rows',
    { timeout: 900_000 },
    async ({ docent }) => {
      const begun = markerIn(docent, 'begun');
      await docent.startApi();
      const dying = await docent.startWorker({ DOCENT_TEST_FAULT: `tools-recorded@${begun.file}` });
      await docent.createProject();
      const id = await docent.post('Append a section "Next" with text "Read on." to the page guides/start');
      await dying.ended;
      // A run that cannot begin: each of its workflow tasks fails.
      await withWorkflowOf(docent, id, async ({ client, workflowId }) => {
        const taskQueue = taskQueueOf(await installationId(docent.database.db));
        const workflowIdConflictPolicy = 'TERMINATE_EXISTING' as const;
        await client.start(WORKFLOW.agentJob, { workflowId, taskQueue, args: [null], workflowIdConflictPolicy });
      });
      const worker = await docent.startWorker();
      expect(await docent.settled(id, 300_000)).toMatchObject({ status: 'completed', error: null });
      expect(worker.output()).toContain('replaced a workflow');
      expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
    },
  );

  test('has nothing to lose while the job rests, and a message goes to a new run', async ({ docent }) => {
    await Promise.all([docent.startApi(), docent.startWorker()]);
    await docent.createProject();
    const id = await docent.post('Append a section "Next" with text "Read on." to the page guides/start');
    await docent.settled(id);
    await withWorkflowOf(docent, id, (handle) => handle.terminate());
    expect((await docent.job(id)).status).toBe('completed');
    await docent.say(id, 'Append a section "Again" with text "Once more." to the page guides/start');
    expect((await docent.settled(id)).status).toBe('completed');
    expect(await docent.commits(`docent/${id}`)).toHaveLength(2);
  });
});
