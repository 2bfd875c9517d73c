import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installationId } from '../../src/store/installation/installation.ts';
import { taskQueueOf, WORKFLOW } from '../../src/workflows/contract.ts';
import { Installation, trapAt, type Trap } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { withWorkflowOf } from '../support/workflow-handle.ts';

/** Starting and killing processes one by one takes minutes under load. */
const LONG = { timeout: 400_000 };
const NEXT = 'Append a section "Next" with text "Read on." to the page guides/start';
const AGAIN = 'Append a section "Again" with text "Once more." to the page guides/start';

let installation: Installation;
let worker: RoleProcess;
/** Both of the first worker. */
let pause: Trap;
let death: Trap;

beforeAll(async () => {
  installation = await Installation.create();
  pause = trapAt(installation, 'stop:model-answered');
  death = trapAt(installation, 'tools-recorded');
  const faults = { DOCENT_TEST_FAULT: `${pause.spec},${death.spec}` };
  [, worker] = await Promise.all([installation.startApi(), installation.startWorker(faults)]);
});
afterAll(() => installation.stop());

describe('a workflow that someone ends in the Web UI', () => {
  test(
    'leaves a job that says so within a minute and that a message revives; one at rest has nothing to lose',
    LONG,
    async () => {
      const docent = await installation.withOwnProject();
      const resting = await docent.post(NEXT);
      await docent.settled(resting);
      const ended: { id: string; at: number }[] = [];
      for (const how of ['terminate', 'cancel'] as const) {
        pause.arm();
        const id = await docent.post(NEXT);
        await until('the worker is paused', () => pause.reached());
        await withWorkflowOf(docent, id, (handle) => handle[how]());
        ended.push({ id, at: Date.now() });
        await worker.resume();
      }
      await withWorkflowOf(docent, resting, (handle) => handle.terminate());
      expect((await docent.job(resting)).status).toBe('completed');
      for (const { id, at } of ended) {
        const lost = await docent.settled(id);
        expect(lost).toMatchObject({ status: 'failed', error: { code: 'workflow_lost' }, prLink: null });
        expect(Date.now() - at).toBeLessThan(60_000);
      }
      const ids = [resting, ...ended.map(({ id }) => id)];
      for (const id of ids) expect((await docent.say(id, AGAIN)).status).toBe(200);
      for (const id of ids) {
        expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
        // Requests before the end are carried out too, because they had no answer.
        expect((await docent.git('show', `docent/${id}:guides/start.mdx`)).match(/^## .*$/gm)).toEqual([
          '## Next',
          '## Again',
        ]);
      }
      expect(await docent.commits(`docent/${resting}`)).toHaveLength(2);
      expect(await docent.branches()).toEqual([...ids.map((id) => `docent/${id}`), 'main'].toSorted());
    },
  );

  // The server pauses between the failures of a workflow task, longer each time.
  test(
    'whose history no worker can go on from is replaced, and the job goes on from its rows',
    { timeout: 900_000 },
    async () => {
      const docent = await installation.withOwnProject();
      death.arm();
      const id = await docent.post(NEXT);
      expect(await worker.ended).toBe('SIGKILL');
      // A run that cannot begin: each of its workflow tasks fails.
      await withWorkflowOf(docent, id, async ({ client, workflowId }) => {
        const taskQueue = taskQueueOf(await installationId(docent.database.db));
        const workflowIdConflictPolicy = 'TERMINATE_EXISTING' as const;
        await client.start(WORKFLOW.agentJob, { workflowId, taskQueue, args: [null], workflowIdConflictPolicy });
      });
      const next = await docent.startWorker();
      expect(await docent.settled(id, 300_000)).toMatchObject({ status: 'completed', error: null });
      expect(next.output()).toContain('replaced a workflow');
      expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
    },
  );
});
