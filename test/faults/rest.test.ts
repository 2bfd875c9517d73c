import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../src/workflows/contract.ts';
import { times } from '../support/how-often.ts';
import { Installation, trapAt, type Trap } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { withWorkflowOf } from '../support/workflow-handle.ts';

const SOON = { DOCENT_REST_SECONDS: '1' };
const section = (name: string) => `Append a section "${name}" with text "${name}." to the page guides/start`;

const isOpen = (docent: Installation, id: string) =>
  withWorkflowOf(docent, id, async (handle) => (await handle.describe()).status.name === 'RUNNING');
const untilEnded = (docent: Installation, id: string) =>
  until('the run has ended', async () => !(await isOpen(docent, id)), 30_000);

const linesWith = (output: string, text: string) => output.split('\n').filter((line) => line.includes(text));

async function sectionsOf(docent: Installation, id: string): Promise<string[]> {
  const page = await docent.git('show', `docent/${id}:guides/start.mdx`);
  return [...page.matchAll(/^## (S\d+)$/gm)].map((match) => match[1] ?? '');
}

let docent: Installation;
let api: RoleProcess;
let apiTrap: Trap;
let worker: RoleProcess;
let pause: Trap;

beforeAll(async () => {
  docent = await Installation.create();
  apiTrap = trapAt(docent, 'wake-due');
  pause = trapAt(docent, 'stop:rest-looked');
  [api, worker] = await Promise.all([
    docent.startApi({ DOCENT_TEST_FAULT: apiTrap.spec }),
    docent.startWorker({ ...SOON, DOCENT_TEST_FAULT: pause.spec }),
  ]);
  await docent.createProject();
});
afterAll(() => docent.stop());

describe('a job whose run has ended', () => {
  test('receives messages around the end of each run, in order, without the reconciler', async () => {
    const told = worker.output().length;
    const rounds = times(3);
    const ids = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const id = await docent.post(section('S0'));
        for (let n = 1; n <= rounds; n += 1) {
          await docent.settled(id);
          // The run rests for one second.
          await sleep(600 + Math.random() * 1_200);
          expect((await docent.say(id, section(`S${n}`))).status).toBe(200);
        }
        expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
        expect(await sectionsOf(docent, id)).toEqual(Array.from({ length: rounds + 1 }, (_, n) => `S${n}`));
        return id;
      }),
    );
    const lookedAfter = linesWith(worker.output().slice(told), 'signaled a waiting job');
    // A run that is at work, under load, is on its way to the message.
    expect(lookedAfter.filter((line) => !line.includes('"workflow":"working"'))).toEqual([]);
    for (const id of ids) await untilEnded(docent, id);
  });

  test('is archived and unarchived immediately, continues with a message, and is never considered lost', async () => {
    const told = worker.output().length;
    const id = await docent.post(section('S1'));
    await docent.settled(id);
    await untilEnded(docent, id);
    const change = async (path: 'archive' | 'unarchive' | 'cancel') => {
      const params = { path: { projectId: docent.projectId, id } };
      const { data, response } = await docent.client.POST(`/v2/agent/{projectId}/job/{id}/${path}`, { params });
      return { status: response.status, job: data?.status };
    };
    expect(await change('cancel')).toEqual({ status: 409, job: undefined });
    expect(await change('archive')).toEqual({ status: 200, job: 'archived' });
    // The Web UI shows the row's status.
    const shown = () =>
      withWorkflowOf(docent, id, async (handle) => {
        const { typedSearchAttributes, status } = await handle.describe();
        const all = typedSearchAttributes.getAll();
        return `${status.name} ${String(all.find(({ key }) => key.name === SEARCH_ATTRIBUTES.status)?.value)}`;
      });
    await until('it is shown', async () => (await shown()) === 'COMPLETED archived', 20_000);
    expect((await docent.say(id, section('S2'))).status).toBe(409);
    expect(await change('unarchive')).toEqual({ status: 200, job: 'completed' });
    await until('it is shown', async () => (await shown()) === 'COMPLETED completed', 20_000);
    expect((await docent.say(id, section('S2'))).status).toBe(200);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
    await untilEnded(docent, id);
    // Longer than the reconciler would need.
    await sleep(6_000);
    expect(await docent.job(id)).toMatchObject({ status: 'completed', error: null });
    expect(worker.output().slice(told)).not.toContain('terminated externally');
    const { rows } = await docent.database.pool.query('SELECT count(*)::int AS n FROM jobs WHERE signal_pending');
    expect(rows[0].n).toBe(0);
    // The Web UI shows the same for the newest run as for the first.
    await withWorkflowOf(docent, id, async (handle) => {
      const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
      expect(metadata.currentDetails).toContain('**completed**');
      expect(metadata.currentDetails).toContain('Pull request');
      const { staticSummary, staticDetails, memo } = (await handle.describe()) as unknown as {
        staticSummary: () => Promise<string>;
        staticDetails: () => Promise<string>;
        memo: Record<string, unknown>;
      };
      expect(await staticSummary()).toBe(section('S1'));
      expect(await staticDetails()).toContain(section('S1'));
      expect(memo.pullRequest).toMatch(/pull-requests/);
    });
  });

  test('is started by the dispatcher if the API died before it could', async () => {
    const id = await docent.post(section('S1'));
    await docent.settled(id);
    await untilEnded(docent, id);
    apiTrap.arm();
    await docent.say(id, section('S2')).catch(() => null);
    expect(await api.ended).toBe('SIGKILL');
    api = await docent.startApi();
    await docent.settled(id, 30_000);
    expect(await sectionsOf(docent, id)).toEqual(['S1', 'S2']);
    await untilEnded(docent, id);
  });
});

describe('a worker that dies between the last read of the rows and the end of the run', () => {
  test.for(['stop', 'kill'] as const)(
    '(%s) loses no message that comes in that moment, and the run ends later',
    async (how) => {
      let trap = pause;
      if (how === 'kill') {
        await worker.kill('SIGTERM');
        trap = trapAt(docent, 'rest-looked');
        worker = await docent.startWorker({ ...SOON, DOCENT_TEST_FAULT: trap.spec });
      }
      trap.arm();
      const id = await docent.post(section('S1'));
      await docent.settled(id);
      await until('it has looked', () => trap.reached(), 30_000);
      expect((await docent.say(id, section('S2'))).status).toBe(200);
      if (how === 'stop') await worker.resume();
      else {
        await worker.ended;
        worker = await docent.startWorker(SOON);
      }
      expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
      expect(await sectionsOf(docent, id)).toEqual(['S1', 'S2']);
      expect(await docent.commits(`docent/${id}`)).toHaveLength(2);
      await untilEnded(docent, id);
    },
  );
});
