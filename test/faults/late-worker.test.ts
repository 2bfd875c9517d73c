import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { markerIn, testWithDocent as test, until, type Installation } from '../support/installation.ts';

const PROMPT = 'Append a section "Next" with text "Read on." to the page guides/start';

async function rowsOf(docent: Installation, id: string): Promise<unknown> {
  const query = (sql: string) => docent.database.pool.query(sql, [id]).then(({ rows }) => rows);
  return {
    job: await query('SELECT * FROM jobs WHERE id = $1'),
    turns: await query('SELECT * FROM turns WHERE job_id = $1 ORDER BY no'),
    messages: await query('SELECT * FROM messages WHERE job_id = $1 ORDER BY no'),
    transcript: await query('SELECT * FROM transcript WHERE job_id = $1 ORDER BY turn_no, step_no, part'),
    overlay: await query('SELECT * FROM overlay_files WHERE job_id = $1'),
    // Without what any worker sees there when it looks now and then.
    pullRequests: await query(
      'SELECT id, chain_no, link, head_branch, state, title, body, diff, commits, head_commit, merge_commit FROM pull_requests WHERE job_id = $1',
    ),
    events: await query('SELECT * FROM job_events WHERE job_id = $1 ORDER BY no'),
  };
}

describe.concurrent('a worker that is paused past its heartbeat and resumed after another one took over', () => {
  test.for(['model-answered', 'tools-run', 'commit-pushed', 'pull-request-saved'])(
    'at %s changes nothing any more',
    async (point, { docent }) => {
      const marker = markerIn(docent, point);
      await docent.startApi();
      const late = await docent.startWorker({ DOCENT_TEST_FAULT: `stop:${point}@${marker.file}` });
      await docent.createProject();
      const id = await docent.post(PROMPT);
      await until('the first worker is paused', () => marker.struck());
      await docent.startWorker();
      const job = await docent.settled(id);
      expect(job.status).toBe('completed');
      const before = { rows: await rowsOf(docent, id), refs: await docent.git('for-each-ref') };
      await late.resume();
      await sleep(6_000);
      expect({ rows: await rowsOf(docent, id), refs: await docent.git('for-each-ref') }).toEqual(before);
      expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
    },
  );
});

describe.concurrent('while a worker works', () => {
  test('an archived job is not pushed any more, whatever the worker was about to do', async ({ docent }) => {
    const marker = markerIn(docent, 'archive');
    await docent.startApi();
    const worker = await docent.startWorker({ DOCENT_TEST_FAULT: `stop:tools-run@${marker.file}` });
    await docent.createProject();
    const id = await docent.post(PROMPT);
    await until('the worker is paused', () => marker.struck());
    const { data } = await docent.client.POST('/v2/agent/{projectId}/job/{id}/archive', {
      params: { path: { projectId: docent.projectId, id } },
    });
    expect(data?.status).toBe('archived');
    await worker.resume();
    await sleep(5_000);
    expect(await docent.branches()).toEqual(['main']);
    expect(await docent.job(id)).toMatchObject({ status: 'archived', prLink: null });
    expect((await docent.say(id, 'And now?')).status).toBe(409);
  });

  test('a cancelled turn publishes nothing, and its request is not carried out later either', async ({ docent }) => {
    const marker = markerIn(docent, 'cancel');
    await docent.startApi();
    const worker = await docent.startWorker({ DOCENT_TEST_FAULT: `stop:tools-run@${marker.file}` });
    await docent.createProject();
    const id = await docent.post(PROMPT);
    await until('the worker is paused', () => marker.struck());
    await docent.client.POST('/v2/agent/{projectId}/job/{id}/cancel', {
      params: { path: { projectId: docent.projectId, id } },
    });
    await worker.resume();
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', prLink: null });
    expect(await docent.branches()).toEqual(['main']);
    await docent.say(id, 'Append a section "Last" with text "The end." to the page guides/log');
    expect((await docent.settled(id)).status).toBe('completed');
    expect(await docent.git('diff', '--name-only', `main...docent/${id}`)).toBe('guides/log.mdx\n');
  });

  test('a pull request merged by a person sends the work into a new one', async ({ docent }) => {
    const marker = markerIn(docent, 'merge');
    await docent.startApi();
    const first = await docent.startWorker();
    await docent.createProject();
    const id = await docent.post(PROMPT);
    const { prLink } = await docent.settled(id);
    await first.kill('SIGTERM');
    const second = await docent.startWorker({ DOCENT_TEST_FAULT: `stop:tools-run@${marker.file}` });
    await docent.say(id, 'Append a section "Last" with text "The end." to the page guides/log');
    await until('the worker is paused', () => marker.struck());
    await docent.git('update-ref', 'refs/heads/main', `docent/${id}`);
    await second.resume();
    const job = await docent.settled(id);
    expect(job.status).toBe('completed');
    expect(job.prLink).not.toBe(prLink);
    expect(await docent.branches()).toEqual([`docent/${id}`, `docent/${id}-2`, 'main']);
    expect(await docent.commits(`docent/${id}-2`)).toHaveLength(1);
    const { rows } = await docent.database.pool.query(
      'SELECT state FROM pull_requests WHERE job_id = $1 ORDER BY chain_no',
      [id],
    );
    expect(rows.map(({ state }) => state)).toEqual(['merged', 'open']);
  });

  test("a person's commit on the job's branch is kept, and a change to the same file is looked at again", async ({
    docent,
  }) => {
    const marker = markerIn(docent, 'person');
    await docent.startApi();
    const first = await docent.startWorker();
    await docent.createProject();
    const id = await docent.post(PROMPT);
    await docent.settled(id);
    await first.kill('SIGTERM');
    const second = await docent.startWorker({ DOCENT_TEST_FAULT: `stop:tools-run@${marker.file}` });
    await docent.say(id, 'Append a section "Last" with text "The end." to the page guides/start');
    await until('the worker is paused', () => marker.struck());
    await commitAsPerson(docent, `docent/${id}`, 'guides/start.mdx', (text) =>
      text.replace('Install Acme', 'Install Acme 2'),
    );
    await second.resume();
    expect((await docent.settled(id)).status).toBe('completed');
    const page = await docent.git('show', `docent/${id}:guides/start.mdx`);
    expect(page).toContain('Install Acme 2');
    expect(page.match(/^## (Next|Last)$/gm)).toEqual(['## Next', '## Last']);
    expect(await docent.commits(`docent/${id}`)).toHaveLength(3);
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
