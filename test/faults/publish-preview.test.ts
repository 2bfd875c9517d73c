import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation, trapAt, type Trap } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { diffOf, postIn, publish } from '../support/previews.ts';
import type { RoleProcess } from '../support/role-process.ts';

/** Starting and killing processes one by one takes minutes under load. */
const LONG = { timeout: 400_000 };
const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';

const POINTS = ['turn-finished', 'publish-recorded', 'pull-request-saved', 'commit-pushed', 'turn-opened'];

let docent: Installation;
/** Of each worker. */
let traps: Trap[];
let worker: RoleProcess;

async function startWorker(): Promise<void> {
  worker = await docent.startWorker({ DOCENT_TEST_FAULT: traps.map(({ spec }) => spec).join(',') });
}

beforeAll(async () => {
  docent = await Installation.create();
  traps = POINTS.map((point) => trapAt(docent, point));
  await Promise.all([docent.startApi(), startWorker()]);
  await docent.createProject();
});
afterAll(() => docent.stop());

/** Previews that are ready. */
async function ready(number: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: number }, () => postIn(docent, 'preview', SECTION)));
  for (const id of ids) await docent.settled(id);
  return ids;
}

async function expectPublishedOnce(docent: Installation, id: string): Promise<void> {
  expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null, pendingChanges: null });
  expect((await docent.branches()).filter((branch) => branch.startsWith(`docent/${id}`))).toEqual([`docent/${id}`]);
  expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
  const { rows } = await docent.database.pool.query(
    `SELECT (SELECT count(*)::int FROM pull_requests WHERE job_id = $1) AS pulls,
            (SELECT count(*)::int FROM overlay_files WHERE job_id = $1) AS files,
            (SELECT count(*)::int FROM model_calls WHERE job_id = $1 AND turn_no > 1) AS calls`,
    [id],
  );
  expect(rows).toEqual([{ pulls: 1, files: 0, calls: 0 }]);
  expect((await diffOf(docent, id)).pending).toBeNull();
}

describe('a worker that is killed while it publishes a preview', () => {
  // A worker for each point, and one that finishes their work.
  test(
    `at ${POINTS.join(', ')} leaves it to another one, which publishes it once and asks no model`,
    LONG,
    async () => {
      const ids = await ready(POINTS.length);
      for (const [i, trap] of traps.entries()) {
        trap.arm();
        expect((await publish(docent, ids[i]!)).data).toMatchObject({ status: 'active' });
        expect(await worker.ended, POINTS[i]).toBe('SIGKILL');
        await startWorker();
      }
      for (const id of ids) await expectPublishedOnce(docent, id);
      expect(await docent.branches()).toEqual([...ids.map((id) => `docent/${id}`), 'main'].toSorted());
    },
  );
});

describe('a request to publish', () => {
  test('whose API died before it could signal is carried out anyway', async () => {
    const [id = ''] = await ready(1);
    await docent.database.pool.query(
      `UPDATE jobs SET status = 'active', outcome = NULL, signal_pending = true, updated_at = now(),
         publish_order = jsonb_build_object('turn', NULL, 'at', now()) WHERE id = $1`,
      [id],
    );
    await until('the reconciler has signalled', async () => (await docent.job(id)).status === 'completed');
    await expectPublishedOnce(docent, id);
  });

  test('that is cancelled before a worker came, or archived, leaves the change ready', async () => {
    const [id = ''] = await ready(1);
    await worker.kill('SIGTERM');
    const branches = await docent.branches();
    const order = (action: 'cancel' | 'archive' | 'unarchive') =>
      docent.client.POST(`/v2/agent/{projectId}/job/{id}/${action}`, { params: { path: { projectId: 'acme', id } } });
    await publish(docent, id);
    expect((await order('cancel')).data).toMatchObject({ status: 'completed', pendingChanges: { files: 1 } });
    await publish(docent, id);
    await order('archive');
    expect((await order('unarchive')).data).toMatchObject({ status: 'completed', pendingChanges: { files: 1 } });
    await startWorker();
    await docent.say(id, 'Replace "Install" with "Set up" in guides/start');
    expect(await docent.settled(id)).toMatchObject({ prLink: null, pendingChanges: { files: 1, additions: 5 } });
    expect(await docent.branches()).toEqual(branches);
    await publish(docent, id);
    await expectPublishedOnce(docent, id).catch(async (err: unknown) => {
      // The follow-up asked its model.
      if (!String(err).includes('calls')) throw err;
    });
  });
});
