import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { startPostgres, type RunningPostgres } from '@docent/servers/postgres/cluster';
import { Reaper } from '@docent/servers/processes/reaper';
import { Installation, trapAt, type Trap } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { putJobRowsBack, saveJobRows, type JobRows } from '../support/job-rows.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { openTestDatabase } from '../support/stack.ts';

/**
 * Docent with a database that knows less than Temporal does: restored from a backup, or failed over to a
 * delayed replica.
 */
const section = (name: string, page = 'guides/start') =>
  `Append a section "${name}" with text "text of ${name}" to the page ${page}`;

const order = (docent: Installation, id: string, action: 'archive' | 'unarchive' | 'cancel') =>
  docent.client.POST(`/v2/agent/{projectId}/job/{id}/${action}`, { params: { path: { projectId: 'acme', id } } });

const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

const headings = async (docent: Installation, id: string, page = 'guides/start') =>
  (await docent.git('show', `docent/${id}:${page}.mdx`)).match(/^## .*$/gm) ?? [];

/** One branch and one pull request for the job, and nothing in them twice. */
async function expectDoneOnce(docent: Installation, id: string, names: string[]): Promise<void> {
  const job = await docent.job(id);
  expect(job).toMatchObject({ status: 'completed', error: null, source: { ref: `docent/${id}` } });
  expect((await docent.branches()).filter((name) => name.startsWith(`docent/${id}`))).toEqual([`docent/${id}`]);
  expect((await headings(docent, id)).filter((line) => line !== '## Start')).toEqual(names.map((name) => `## ${name}`));
  const { rows } = await docent.database.pool.query('SELECT link, id FROM pull_requests WHERE job_id = $1', [id]);
  expect(rows).toHaveLength(1);
  expect(job.prLink).toContain(rows[0].id);
}

describe('the database falls back behind the workflow', () => {
  const points = [
    'model-answered',
    'model-recorded',
    'commit-pushed',
    'pull-request-saved',
    'publish-recorded',
    'turn-finished',
  ];
  let docent: Installation;
  let worker: RoleProcess;
  let begun: Trap;
  let there: ReadonlyMap<string, Trap>;
  beforeAll(async () => {
    docent = await Installation.create();
    begun = trapAt(docent, 'stop:tools-recorded');
    there = new Map([...points, 'tools-run'].map((point) => [point, trapAt(docent, `stop:${point}`)]));
    const DOCENT_TEST_FAULT = [begun, ...there.values()].map(({ spec }) => spec).join(',');
    [, worker] = await Promise.all([docent.startApi(), docent.startWorker({ DOCENT_TEST_FAULT })]);
    await docent.createProject();
  });
  afterAll(() => docent.stop());

  /** Pauses the worker at the trap while `work` runs. */
  async function pausedAt<T>(trap: Trap, happen: () => Promise<T>): Promise<T> {
    await until('the worker is paused', () => trap.reached());
    const happened = await happen();
    await worker.resume();
    return happened;
  }

  /** A job in the middle of its first turn, and its rows of that moment. `next` is armed there, too. */
  async function beginJob(next?: Trap): Promise<{ id: string; rows: JobRows }> {
    begun.arm();
    const id = await docent.post(section('Next'));
    const rows = await pausedAt(begun, () => {
      next?.arm();
      return saveJobRows(docent.database.pool, id);
    });
    return { id, rows };
  }

  test.for(points)('while a worker is at %s: the turn continues from the database', async (point) => {
    const trap = there.get(point)!;
    const { id, rows } = await beginJob(trap);
    await pausedAt(trap, () => putJobRowsBack(docent.database.pool, id, rows));
    await docent.settled(id);
    await expectDoneOnce(docent, id, ['Next']);
    expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
    await docent.say(id, section('More'));
    await docent.settled(id);
    await expectDoneOnce(docent, id, ['Next', 'More']);
  });

  test('after the turn has ended: the resting workflow learns that it continues', async () => {
    const { id, rows } = await beginJob();
    await docent.settled(id);
    await docent.say(id, section('Lost'));
    await docent.settled(id);
    await putJobRowsBack(docent.database.pool, id, rows);
    expect((await docent.job(id)).status).toBe('active');
    await docent.settled(id);
    // A pushed commit for a message that the database forgot stays on the branch.
    await expectDoneOnce(docent, id, ['Next', 'Lost']);
  });

  test('to before the job was accepted: its workflow ends without effects on others', async () => {
    const trap = there.get('tools-run')!;
    trap.arm();
    const forgotten = await docent.post(section('Next'));
    await pausedAt(trap, () => docent.database.pool.query('DELETE FROM jobs WHERE id = $1', [forgotten]));
    const id = await docent.post(section('Other'));
    await docent.settled(id);
    await expectDoneOnce(docent, id, ['Other']);
    await until('the workflow has ended', async () => {
      const { withWorkflowOf } = await import('../support/workflow-handle.ts');
      const { status } = await withWorkflowOf(docent, forgotten, (handle) => handle.describe());
      return status.name === 'COMPLETED';
    });
    expect(await docent.branches()).not.toContain(`docent/${forgotten}`);
  });
});

describe('the documented restore of a backup', () => {
  let folder: string;
  let reaper: Reaper;
  const log = createLogger({ level: 'silent', name: 'restored' });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'docent-restored-'));
    reaper = new Reaper();
    reaper.deleteAfterDeath(folder);
  });
  afterAll(async () => {
    await reaper.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test('has every job end, with one branch and one pull request each', { timeout: 600_000 }, async () => {
    const dir = path.join(folder, 'postgres');
    const backup = path.join(folder, 'backup');
    let server: RunningPostgres = await startPostgres({ dir, log, reaper });
    const docent = await Installation.create({ database: await openTestDatabase(server.url) });
    try {
      let api = await docent.startApi();
      // One point before the first effect of a turn, one between effects, and one after them.
      const traps = ['turn-opened', 'tools-run', 'commit-pushed'].map((point) => ({
        point,
        trap: trapAt(docent, point),
      }));
      const faults = { DOCENT_TEST_FAULT: traps.map(({ trap }) => trap.spec).join(',') };
      let worker = await docent.startWorker(faults);
      await docent.createProject();
      const names = new Map<string, string[]>();
      const post = async (name: string) => {
        const id = await docent.post(section(name));
        names.set(id, [name]);
        return id;
      };
      const say = async (id: string, name: string) => {
        expect((await docent.say(id, section(name))).status).toBe(200);
        names.get(id)?.push(name);
      };

      // Jobs in all states. Each kill leaves some of them somewhere else in their turns.
      const resting = await Promise.all(Array.from({ length: 4 }, (_, n) => post(`R${n}`)));
      for (const id of resting) await docent.settled(id);
      const [archived = '', followed = '', laterFollowed = '', laterArchived = ''] = resting;
      await order(docent, archived, 'archive');
      await docent.git('branch', '-m', 'main', 'elsewhere');
      const failed = await post('F');
      await docent.settled(failed);
      await docent.git('branch', '-m', 'elsewhere', 'main');
      for (const { point, trap } of traps) {
        trap.arm();
        await post(point);
        await worker.ended;
        if (point !== traps.at(-1)?.point) worker = await docent.startWorker(faults);
      }
      await post('unbegun');
      await say(followed, 'waiting');

      await api.kill();
      await server.stop();
      await copy(dir, backup);

      // Life continues.
      server = await startPostgres({ dir, log, reaper });
      api = await docent.startApi();
      worker = await docent.startWorker();
      for (const id of names.keys()) if (id !== archived) await docent.settled(id, 180_000);
      await order(docent, archived, 'unarchive');
      await order(docent, laterArchived, 'archive');
      const lost = await docent.post(section('Lost'));
      await docent.settled(lost);
      await docent.say(laterFollowed, section('Forgotten'));
      await docent.settled(laterFollowed);
      names.get(laterFollowed)?.push('Forgotten');

      // The restore, as it is written down.
      await Promise.all([api.kill(), worker.kill()]);
      await server.stop();
      await rm(dir, { recursive: true, force: true });
      await copy(backup, dir);
      server = await startPostgres({ dir, log, reaper });
      api = await docent.startApi();
      worker = await docent.startWorker();
      const startedAt = Date.now();
      for (const id of names.keys()) await docent.settled(id, 180_000);
      process.stdout.write(`${names.size} jobs had ended ${Date.now() - startedAt} ms after the roles were back\n`);

      expect((await docent.job(archived)).status).toBe('archived');
      expect(await docent.job(failed)).toMatchObject({ status: 'failed', error: { code: 'branch_missing' } });
      for (const [id, sections] of names) {
        if (id === archived || id === failed) continue;
        await expectDoneOnce(docent, id, sections);
      }
      // They all accept messages, and the next commit follows the others.
      await docent.say(failed, section('F2'));
      names.set(failed, ['F', 'F2']);
      for (const id of [failed, followed, laterFollowed, laterArchived]) {
        if (id !== failed) await say(id, 'After');
        await docent.settled(id);
        await expectDoneOnce(docent, id, names.get(id) ?? []);
      }
    } finally {
      await docent.stop();
      await server.stop();
    }
  });
});
