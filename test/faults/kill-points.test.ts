import { describe, expect } from 'vitest';
import { markerIn, testWithDocent as test, until, type Installation } from '../support/installation.ts';

/** What must hold whatever died: one branch, one pull request, each turn's commit once, each message carried out once. */
async function expectOneOfEach(docent: Installation, id: string, turns: number): Promise<void> {
  const job = await docent.settled(id);
  expect(job).toMatchObject({ status: 'completed', error: null });
  expect(job.prLink).toMatch(/\/pull-requests\//);
  const branch = `docent/${id}`;
  expect(await docent.branches()).toEqual([branch, 'main']);
  const commits = await docent.commits(branch);
  expect(commits).toHaveLength(turns);
  const trailers = await Promise.all(
    commits.map((commit) => docent.git('log', '-1', '--format=%(trailers:key=Docent-Turn,valueonly)', commit)),
  );
  expect(trailers.map((trailer) => trailer.trim())).toEqual(Array.from({ length: turns }, (_, i) => `${id}/${i + 1}`));
  const { rows } = await docent.database.pool.query('SELECT count(*)::int AS n FROM pull_requests WHERE job_id = $1', [
    id,
  ]);
  expect(rows[0].n).toBe(1);
  await docent.git('fsck', '--strict');
}

describe.concurrent('a worker that is killed', () => {
  test.for([
    'turn-opened',
    'turn-located',
    'model-answered',
    'model-recorded',
    'tools-run',
    'tools-recorded',
    'docs-checked',
    'commit-pushed',
    'pull-request-saved',
    'publish-recorded',
    'turn-finished',
  ])('at %s leaves a job that another one ends, with nothing done twice', async (point, { docent }) => {
    const marker = markerIn(docent, point);
    await docent.startApi();
    const doomed = await docent.startWorker({ DOCENT_TEST_FAULT: `${point}@${marker.file}` });
    await docent.createProject();
    const id = await docent.post('Append a section "Next" with text "Read on." to the page guides/start');
    expect(await doomed.ended).toBe('SIGKILL');
    expect(marker.struck()).toBe(true);
    const killedAt = Date.now();
    await docent.startWorker();
    await docent.settled(id);
    expect(Date.now() - killedAt).toBeLessThan(60_000);
    await docent.say(id, 'Append a section "Last" with text "The end." to the page guides/start');
    await expectOneOfEach(docent, id, 2);
    const page = await docent.git('show', `docent/${id}:guides/start.mdx`);
    expect(page.match(/^## Next$/gm)).toHaveLength(1);
    expect(page.match(/^## Last$/gm)).toHaveLength(1);
  });
});

describe.concurrent('an API that is killed', () => {
  // Before its answer; about to tell Temporal, behind its answer; and when it has.
  test.for(['job-accepted', 'wake-due', 'workflow-started'])(
    'at %s has accepted the job once, and it is carried out',
    async (point, { docent }) => {
      const marker = markerIn(docent, 'api');
      const doomed = await docent.startApi({ DOCENT_TEST_FAULT: `${point}@${marker.file}` });
      await docent.startWorker();
      await docent.createProject();
      const prompt = 'Append a section "Next" with text "Read on." to the page guides/start';
      // Whoever gets no answer asks again.
      const answered = await docent.post(prompt, 'key-1').catch(() => null);
      expect(await doomed.ended).toBe('SIGKILL');
      await docent.startApi();
      const id = await docent.post(prompt, 'key-1');
      if (answered !== null) expect(id).toBe(answered);
      await expectOneOfEach(docent, id, 1);
      const { data } = await docent.client.GET('/v2/agent/{projectId}/jobs', {
        params: { path: { projectId: docent.projectId } },
      });
      expect(data?.jobs.map((job) => job.id)).toEqual([id]);
    },
  );

  test('about to tell the workflow of a message leaves that to the worker', async ({ docent }) => {
    const marker = markerIn(docent, 'api');
    const [first] = await Promise.all([docent.startApi(), docent.startWorker()]);
    await docent.createProject();
    const id = await docent.post('Append a section "A" with text "a" to the page guides/start');
    await docent.settled(id);
    await first.kill();
    const doomed = await docent.startApi({ DOCENT_TEST_FAULT: `wake-due@${marker.file}` });
    await docent.say(id, 'Append a section "B" with text "b" to the page guides/start').catch(() => null);
    expect(await doomed.ended).toBe('SIGKILL');
    await docent.startApi();
    await expectOneOfEach(docent, id, 2);
  });

  test('before it could start the workflow leaves that to the worker', async ({ docent }) => {
    await Promise.all([docent.startApi(), docent.startWorker()]);
    await docent.createProject();
    const id = await docent.post('Append a section "A" with text "a" to the page guides/start');
    await docent.settled(id);
    // What an API leaves behind that dies between its commit and the signal.
    await docent.database.pool.query(`
      WITH counted AS (UPDATE jobs SET last_message_no = 2, status = 'active', updated_at = now() RETURNING id)
      INSERT INTO messages (job_id, no, id, prompt) SELECT id, 2, 'm2', 'Append a section "B" with text "b" to the page guides/start' FROM counted`);
    await until('the reconciler has signalled', async () => (await docent.job(id)).status === 'completed');
    await expectOneOfEach(docent, id, 2);
  });

  test('after it gave a key a new secret and before it said so leaves the old one at work', async ({ docent }) => {
    const marker = markerIn(docent, 'key');
    const doomed = await docent.startApi({ DOCENT_TEST_FAULT: `key-rotated@${marker.file}` });
    const body = { name: 'CI', projectIds: null };
    const { data: made } = await docent.client.POST('/v1/keys', { body });
    const rotate = () =>
      docent.client.POST('/v1/keys/{keyId}/rotate', {
        params: { path: { keyId: made?.id ?? '' }, header: { 'Idempotency-Key': 'rotate-1' } },
        body: { overlapSeconds: 600 },
      });
    await expect(rotate()).rejects.toThrow();
    expect(await doomed.ended).toBe('SIGKILL');
    await docent.startApi();
    const { data } = await rotate();
    // Rotated once. The secret was lost with the answer, and nothing else.
    expect(data).toMatchObject({ id: made?.id, key: null, secrets: [{}, { hint: made?.hint }] });
    // Both are in the audit log, written by two processes: of the first it is not known what came of it, and nothing says that it was done.
    const rotations = async () =>
      (await docent.client.GET('/v1/audit', { params: { query: { operation: 'rotateKey' } } })).data?.entries;
    await until('the outcome is written', async () => (await rotations())?.[0]?.status === 200);
    const target = { keyId: made?.id };
    expect(await rotations()).toMatchObject([
      { target, changed: ['overlapSeconds'], status: 200, replayed: true },
      { target, changed: ['overlapSeconds'], status: null, replayed: false },
    ]);
    const old = { headers: { authorization: `Bearer ${made?.key}` } };
    expect((await fetch(`${docent.apiUrl}/v1/me`, old)).status).toBe(200);
  });
});
