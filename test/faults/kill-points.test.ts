import { describe, expect } from 'vitest';
import { testWithDocent as test, trapAt, until, type Installation } from '../support/installation.ts';

/** Starting and killing processes one by one takes minutes under load. */
const LONG = { timeout: 400_000 };
const NEXT = 'Append a section "Next" with text "Read on." to the page guides/start';
const LAST = 'Append a section "Last" with text "The end." to the page guides/start';

/**
 * Holds after any death: for each job one branch, one pull request, each turn's commit once, each message
 * carried out once.
 */
async function expectOneOfEach(docent: Installation, turnsOf: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, turns] of turnsOf) {
    const job = await docent.settled(id);
    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(job.prLink).toMatch(/\/pull-requests\//);
    const branch = `docent/${id}`;
    const commits = await docent.commits(branch);
    expect(commits).toHaveLength(turns);
    const trailers = await docent.git(
      'log',
      '--reverse',
      '--format=%(trailers:key=Docent-Turn,valueonly,separator=)',
      `main..${branch}`,
    );
    expect(trailers.trim().split('\n')).toEqual(Array.from({ length: turns }, (_, i) => `${id}/${i + 1}`));
  }
  expect(await docent.branches()).toEqual([...[...turnsOf.keys()].map((id) => `docent/${id}`), 'main'].toSorted());
  const { rows } = await docent.database.pool.query('SELECT job_id, count(*)::int AS n FROM pull_requests GROUP BY 1');
  expect(new Map(rows.map(({ job_id: id, n }) => [id, n]))).toEqual(new Map([...turnsOf.keys()].map((id) => [id, 1])));
  await docent.git('fsck', '--strict');
}

describe.concurrent('a worker that is killed', () => {
  // A worker for each point, and one that finishes their work. Late points come first: a turn that another
  // worker took over does not pass the following points.
  test.for([
    'turn-finished, commit-pushed, tools-recorded, tools-run, model-answered, turn-opened',
    'publish-recorded, pull-request-saved, docs-checked, model-recorded, turn-located',
  ])('at %s leaves a job that another one ends, with nothing done twice', LONG, async (points, { docent }) => {
    const traps = points.split(', ').map((point) => trapAt(docent, point));
    const faults = { DOCENT_TEST_FAULT: traps.map(({ spec }) => spec).join(',') };
    let [, doomed] = await Promise.all([docent.startApi(), docent.startWorker(faults)]);
    await docent.createProject();
    const ids: string[] = [];
    for (const trap of traps) {
      trap.arm();
      ids.push(await docent.post(NEXT));
      expect(await doomed.ended).toBe('SIGKILL');
      expect(trap.reached()).toBe(true);
      doomed = await docent.startWorker(faults);
    }
    const killedAt = Date.now();
    for (const id of ids) await docent.settled(id);
    expect(Date.now() - killedAt).toBeLessThan(60_000);
    await Promise.all(ids.map((id) => docent.say(id, LAST)));
    await expectOneOfEach(docent, new Map(ids.map((id) => [id, 2])));
    for (const id of ids) {
      const page = await docent.git('show', `docent/${id}:guides/start.mdx`);
      expect(page.match(/^## (Next|Last)$/gm)).toEqual(['## Next', '## Last']);
    }
  });
});

describe.concurrent('an API that is killed', () => {
  test('has accepted a job and a message once, which are carried out', LONG, async ({ docent }) => {
    // Before its answer; after its answer, before signaling Temporal; and after that.
    const points = ['job-accepted', 'wake-due', 'workflow-started'];
    const traps = points.map((point) => trapAt(docent, point));
    const faults = { DOCENT_TEST_FAULT: traps.map(({ spec }) => spec).join(',') };
    let [api] = await Promise.all([docent.startApi(faults), docent.startWorker()]);
    await docent.createProject();
    const ids: string[] = [];
    for (const [i, trap] of traps.entries()) {
      trap.arm();
      // Clients without an answer ask again.
      const answered = await docent.post(NEXT, `key-${i}`).catch(() => null);
      expect(await api.ended, points[i]).toBe('SIGKILL');
      api = await docent.startApi(faults);
      const id = await docent.post(NEXT, `key-${i}`);
      if (answered !== null) expect(id, points[i]).toBe(answered);
      ids.push(id);
    }
    const { data } = await docent.client.GET('/v2/agent/{projectId}/jobs', {
      params: { path: { projectId: docent.projectId } },
    });
    expect(data?.jobs.map((job) => job.id).toSorted()).toEqual(ids.toSorted());
    // Before signaling the workflow about a message.
    const [followed = ''] = ids;
    await docent.settled(followed);
    traps[1]?.arm();
    await docent.say(followed, LAST).catch(() => null);
    expect(await api.ended).toBe('SIGKILL');
    await docent.startApi();
    await expectOneOfEach(docent, new Map(ids.map((id) => [id, id === followed ? 2 : 1])));
  });

  test('before it could start the workflow leaves that to the worker', async ({ docent }) => {
    await Promise.all([docent.startApi(), docent.startWorker()]);
    await docent.createProject();
    const id = await docent.post(NEXT);
    await docent.settled(id);
    // The state that an API leaves when it dies between its commit and the signal.
    await docent.database.pool.query(`
      WITH counted AS (UPDATE jobs SET last_message_no = 2, status = 'active', updated_at = now() RETURNING id)
      INSERT INTO messages (job_id, no, id, prompt) SELECT id, 2, 'm2', 'Append a section "B" with text "b" to the page guides/start' FROM counted`);
    await until('the reconciler has signalled', async () => (await docent.job(id)).status === 'completed');
    await expectOneOfEach(docent, new Map([[id, 2]]));
  });

  test('after it rotated a key and before it answered keeps the old secret working', async ({ docent }) => {
    const doomed = await docent.startApi({ DOCENT_TEST_FAULT: 'key-rotated' });
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
    // Both are in the audit log, written by two processes: the outcome of the first is unknown, and no entry
    // claims success.
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
