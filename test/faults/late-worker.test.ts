import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation, testWithDocent, trapAt, until, type Trap } from '../support/installation.ts';
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

// Two points per installation, one after the other: each takes a heartbeat's time-out.
describe.concurrent('a worker that is paused past its heartbeat and resumed after a takeover', () => {
  testWithDocent.for(['model-answered, commit-pushed', 'tools-run, pull-request-saved'])(
    'at %s changes nothing any more',
    LONG,
    async (points, { docent }) => {
      const traps = points.split(', ').map((point) => trapAt(docent, `stop:${point}`));
      const faults = { DOCENT_TEST_FAULT: traps.map(({ spec }) => spec).join(',') };
      const workers = [await docent.startApi().then(() => docent.startWorker(faults))];
      await docent.createProject();
      for (const trap of traps) {
        trap.arm();
        const id = await docent.post(PROMPT);
        await until('a worker is paused', () => trap.reached());
        if (workers.length === 1) workers.push(await docent.startWorker(faults));
        const job = await docent.settled(id);
        expect(job.status).toBe('completed');
        const before = { rows: await rowsOf(docent, id), refs: await docent.git('for-each-ref') };
        const late = await pausedOf(workers);
        await late.resume();
        await sleep(4_000);
        expect({ rows: await rowsOf(docent, id), refs: await docent.git('for-each-ref') }).toEqual(before);
        expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
      }
    },
  );
});

async function pausedOf(workers: readonly RoleProcess[]): Promise<RoleProcess> {
  for (const worker of workers) if (await worker.isPaused()) return worker;
  throw new Error('No worker is paused.');
}

describe('while a worker works', () => {
  let docent: Installation;
  let worker: RoleProcess;
  let trap: Trap;
  beforeAll(async () => {
    docent = await Installation.create();
    trap = trapAt(docent, 'stop:tools-run');
    [, worker] = await Promise.all([docent.startApi(), docent.startWorker({ DOCENT_TEST_FAULT: trap.spec })]);
    await docent.createProject();
  });
  afterAll(() => docent.stop());

  /** Pauses the worker before it records the agent's change, while `work` runs. */
  async function meanwhile<T>(begin: () => Promise<T>, happen: (begun: T) => Promise<void>): Promise<T> {
    trap.arm();
    const begun = await begin();
    await until('the worker is paused', () => trap.reached());
    await happen(begun);
    await worker.resume();
    return begun;
  }

  const branchesOf = async (id: string) =>
    (await docent.branches()).filter((branch) => branch.startsWith(`docent/${id}`));

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
