import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation, trapAt, type Trap } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';

/** Two workers are found to be gone one after the other, which takes minutes under load. */
const LONG = { timeout: 400_000 };
const PROMPT = 'Append a section "Next" with text "Read on." to the page guides/start';
const LAST = 'Append a section "Last" with text "The end." to the page guides/log';

async function rowsOf(docent: Installation, id: string): Promise<unknown> {
  const query = (sql: string) => docent.database.pool.query(sql, [id]).then(({ rows }) => rows);
  return {
    job: await query('SELECT * FROM jobs WHERE id = $1'),
    turns: await query('SELECT * FROM turns WHERE job_id = $1 ORDER BY no'),
    messages: await query('SELECT * FROM messages WHERE job_id = $1 ORDER BY no'),
    transcript: await query('SELECT * FROM transcript WHERE job_id = $1 ORDER BY turn_no, step_no, part'),
    overlay: await query('SELECT * FROM overlay_files WHERE job_id = $1'),
    // Without entries of workers' periodic tasks.
    pullRequests: await query(
      'SELECT id, chain_no, link, head_branch, state, title, body, diff, commits, head_commit, merge_commit FROM pull_requests WHERE job_id = $1',
    ),
    events: await query('SELECT * FROM job_events WHERE job_id = $1 ORDER BY no'),
  };
}

let docent: Installation;
const workers: RoleProcess[] = [];
/** Of all workers. */
let traps: ReadonlyMap<string, Trap>;

async function startWorker(): Promise<void> {
  const DOCENT_TEST_FAULT = [...traps.values()].map(({ spec }) => spec).join(',');
  workers.push(await docent.startWorker({ DOCENT_TEST_FAULT }));
}

beforeAll(async () => {
  docent = await Installation.create();
  const points = ['model-answered', 'commit-pushed', 'tools-run', 'pull-request-saved'];
  traps = new Map(points.map((point) => [point, trapAt(docent, `stop:${point}`)]));
  await Promise.all([docent.startApi(), startWorker()]);
  await docent.createProject();
});
afterAll(() => docent.stop());

async function pausedOf(all: readonly RoleProcess[]): Promise<RoleProcess[]> {
  const paused = await Promise.all(all.map((worker) => worker.isPaused()));
  return all.filter((_, i) => paused[i]);
}

/** Pauses the worker before it records the agent's change, while `work` runs. */
async function meanwhile<T>(begin: () => Promise<T>, happen: (begun: T) => Promise<void>): Promise<T> {
  const trap = traps.get('tools-run')!;
  trap.arm();
  const begun = await begin();
  await until('the worker is paused', () => trap.reached());
  await happen(begun);
  await workers[0]!.resume();
  return begun;
}

const branchesOf = async (id: string) =>
  (await docent.branches()).filter((branch) => branch.startsWith(`docent/${id}`));

describe('while the only worker works', () => {
  test('an archived job is no longer pushed, whatever the worker was about to do', async () => {
    const id = await meanwhile(
      () => docent.post(PROMPT),
      async (begun) => {
        const { data } = await docent.client.POST('/v2/agent/{projectId}/job/{id}/archive', {
          params: { path: { projectId: docent.projectId, id: begun } },
        });
        expect(data?.status).toBe('archived');
      },
    );
    await sleep(4_000);
    expect(await branchesOf(id)).toEqual([]);
    expect(await docent.job(id)).toMatchObject({ status: 'archived', prLink: null });
    expect((await docent.say(id, 'And now?')).status).toBe(409);
  });

  test('a cancelled turn publishes nothing, and its request is not carried out later either', async () => {
    const id = await meanwhile(
      () => docent.post(PROMPT),
      async (begun) => {
        await docent.client.POST('/v2/agent/{projectId}/job/{id}/cancel', {
          params: { path: { projectId: docent.projectId, id: begun } },
        });
      },
    );
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', prLink: null });
    expect(await branchesOf(id)).toEqual([]);
    await docent.say(id, LAST);
    expect((await docent.settled(id)).status).toBe('completed');
    expect(await docent.git('diff', '--name-only', `main...docent/${id}`)).toBe('guides/log.mdx\n');
  });

  test("a person's commit on the job's branch is kept, and a change to the same file is looked at again", async () => {
    const id = await docent.post(PROMPT);
    await docent.settled(id);
    await meanwhile(
      () => docent.say(id, 'Append a section "Last" with text "The end." to the page guides/start'),
      () =>
        commitAsPerson(docent, `docent/${id}`, 'guides/start.mdx', (text) =>
          text.replace('Install Acme', 'Install Acme 2'),
        ),
    );
    expect((await docent.settled(id)).status).toBe('completed');
    const page = await docent.git('show', `docent/${id}:guides/start.mdx`);
    expect(page).toContain('Install Acme 2');
    expect(page.match(/^## (Next|Last)$/gm)).toEqual(['## Next', '## Last']);
    expect(await docent.commits(`docent/${id}`)).toHaveLength(3);
  });

  test('a pull request merged by a person sends the work into a new one', async () => {
    const id = await docent.post(PROMPT);
    const { prLink } = await docent.settled(id);
    await meanwhile(
      () => docent.say(id, LAST),
      async () => {
        await docent.git('update-ref', 'refs/heads/main', `docent/${id}`);
      },
    );
    const job = await docent.settled(id);
    expect(job.status).toBe('completed');
    expect(job.prLink).not.toBe(prLink);
    expect(await branchesOf(id)).toEqual([`docent/${id}`, `docent/${id}-2`]);
    expect(await docent.commits(`docent/${id}-2`)).toHaveLength(1);
    const { rows } = await docent.database.pool.query(
      'SELECT state FROM pull_requests WHERE job_id = $1 ORDER BY chain_no',
      [id],
    );
    expect(rows.map(({ state }) => state)).toEqual(['merged', 'open']);
  });
});

// Two jobs at a time: each takes a heartbeat's time-out.
describe('workers that are paused past their heartbeat and resumed after a takeover', () => {
  test.for([
    ['model-answered', 'commit-pushed'],
    ['tools-run', 'pull-request-saved'],
  ])('at %s and %s change nothing any more', LONG, async (points) => {
    while (workers.length < 3) await startWorker();
    const ids: string[] = [];
    for (const point of points) {
      traps.get(point)!.arm();
      ids.push(await docent.post(PROMPT));
      await until('a worker is paused', () => traps.get(point)!.reached());
    }
    for (const id of ids) expect((await docent.settled(id)).status).toBe('completed');
    const state = async () => ({
      rows: await Promise.all(ids.map((id) => rowsOf(docent, id))),
      refs: await docent.git('for-each-ref'),
    });
    const before = await state();
    const late = await pausedOf(workers);
    expect(late).toHaveLength(points.length);
    await Promise.all(late.map((worker) => worker.resume()));
    await sleep(4_000);
    expect(await state()).toEqual(before);
    for (const id of ids) expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
  });
});

async function commitAsPerson(
  docent: Installation,
  branch: string,
  file: string,
  change: (text: string) => string,
): Promise<void> {
  const work = `${docent.folder}/person`;
  const { execFileSync } = await import('node:child_process');
  const { readFileSync, writeFileSync } = await import('node:fs');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=P', '-c', 'user.email=p@example.org', ...args], { stdio: 'pipe' });
  git('clone', '-q', '--branch', branch, docent.repository, work);
  writeFileSync(`${work}/${file}`, change(readFileSync(`${work}/${file}`, 'utf8')));
  git('-C', work, 'commit', '-qam', 'A correction');
  git('-C', work, 'push', '-q', 'origin', `HEAD:${branch}`);
}
