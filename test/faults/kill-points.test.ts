import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation, trapAt, type Trap } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { ScriptedModels, type Move } from '../support/scripted-models.ts';

/** Starting and killing processes one by one takes minutes under load. */
const LONG = { timeout: 400_000 };
const NEXT = 'Append a section "Next" with text "Read on." to the page guides/start';
const FOLLOW_UP = 'And say that it is done again.';
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
  const { rows } = await docent.database.pool.query(
    'SELECT job_id, count(*)::int AS n FROM pull_requests WHERE job_id = ANY($1) GROUP BY 1',
    [[...turnsOf.keys()]],
  );
  expect(new Map(rows.map(({ job_id: id, n }) => [id, n]))).toEqual(new Map([...turnsOf.keys()].map((id) => [id, 1])));
  await docent.git('fsck', '--strict');
}

// Late points come first: a turn that another worker took over does not pass the following points.
const EDITOR_POINTS = [
  'turn-finished',
  'publish-recorded',
  'pull-request-saved',
  'commit-pushed',
  'docs-checked',
  'tools-recorded',
  'turn-located',
  'turn-opened',
];
const MODEL_POINTS = ['tools-run', 'model-recorded', 'model-answered'];
// Before its answer; after its answer, before signaling Temporal; and after that.
const API_POINTS = ['job-accepted', 'wake-due', 'workflow-started'];

const models = new ScriptedModels();
/** Its projects name no model, and so use the scripted one. */
let installation: Installation;
/** Of all roles. */
let env: Record<string, string>;
let traps: ReadonlyMap<string, Trap>;
let api: RoleProcess;
let worker: RoleProcess;

async function startApi(): Promise<void> {
  api = await installation.startApi(env);
}

async function startWorker(): Promise<void> {
  worker = await installation.startWorker(env);
}

beforeAll(async () => {
  const url = await models.mock.start();
  installation = await Installation.create();
  const points = [...EDITOR_POINTS, ...MODEL_POINTS, ...API_POINTS, 'key-rotated'];
  traps = new Map(points.map((point) => [point, trapAt(installation, point)]));
  env = {
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
    DOCENT_MODEL: 'openai-compatible/qwen3',
    DOCENT_TEST_FAULT: [...traps.values()].map(({ spec }) => spec).join(','),
  };
  await Promise.all([startApi(), startWorker()]);
});
afterAll(async () => {
  await installation.stop();
  await models.mock.stop();
});

/** A project that uses the built-in editor. */
async function projectWithEditor(): Promise<Installation> {
  const docent = await installation.withOwnProject();
  const { response } = await docent.client.PATCH('/v1/projects/{projectId}', {
    params: { path: { projectId: docent.projectId } },
    body: { model: 'builtin' },
  });
  expect(response.status).toBe(200);
  return docent;
}

/**
 * A worker dies in a job at each of the points, and another one starts.
 * @param before the next point
 */
async function jobsKilledAt(
  points: readonly string[],
  post: (point: string) => Promise<string>,
  before: (id: string) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  for (const point of points) {
    const trap = traps.get(point)!;
    trap.arm();
    ids.push(await post(point));
    expect(await worker.ended, point).toBe('SIGKILL');
    expect(trap.reached(), point).toBe(true);
    await startWorker();
    await before(ids.at(-1)!);
  }
  return ids;
}

/** Only the answer that was not recorded is asked for again, and each answer counts once. */
async function expectPaidOnce(docent: Installation, ids: readonly string[]): Promise<void> {
  const usage = { modelCalls: 2, inputTokens: 2_000, outputTokens: 200 };
  for (const id of ids) {
    expect(await docent.job(id)).toMatchObject({ status: 'completed', error: null, usage });
    expect(await pageOf(docent, id)).toContain('Set Acme up');
  }
  const asked = MODEL_POINTS.map((point) => [point, models.asked(`Word-${point}.`)]);
  expect(asked).toEqual(MODEL_POINTS.map((point) => [point, point === 'model-answered' ? 3 : 2]));
  const params = { path: { projectId: docent.projectId } };
  const { data } = await docent.client.GET('/v2/agent/{projectId}/usage', { params });
  expect(data?.usage).toMatchObject({ modelCalls: 2 * ids.length, inputTokens: 2_000 * ids.length });
}

const pageOf = (docent: Installation, id: string) => docent.git('show', `docent/${id}:guides/start.mdx`);

/** What the scripted model does: one edit and one sentence per turn. A repeated request gets the same answer. */
function nextMove(messages: readonly { role: string; content: unknown }[]): Move {
  const followUp = messages.findLastIndex((message) => JSON.stringify(message).includes(FOLLOW_UP));
  const ofTurn = messages.slice(Math.max(followUp, 0));
  if (ofTurn.some(({ role }) => role === 'tool')) return { say: 'Done.' };
  const [oldText, newText] = followUp < 0 ? ['Install Acme', 'Set Acme up'] : ['Set Acme up', 'Set Acme up again'];
  return { say: '', calls: [['edit', { path: 'guides/start.mdx', oldText, newText }]] };
}

describe('a worker that is killed', () => {
  // A worker for each point, and one that finishes their work. Jobs with the scripted model come first, so
  // that none but them dies at a point of a model call.
  test('at any point leaves a job that another one ends, with nothing done or paid twice', LONG, async () => {
    const modeled = await installation.withOwnProject();
    const docent = await projectWithEditor();
    for (const point of MODEL_POINTS) models.answer(`Word-${point}.`, nextMove);
    // One after the other: a worker that dies in two jobs could lose two answers.
    const modelIds = await jobsKilledAt(
      MODEL_POINTS,
      (point) => modeled.post(`Improve the start page. Word-${point}.`),
      (id) => modeled.settled(id),
    );
    const ids = await jobsKilledAt(EDITOR_POINTS, () => docent.post(NEXT));
    const killedAt = Date.now();
    for (const id of ids) await docent.settled(id);
    expect(Date.now() - killedAt).toBeLessThan(60_000);

    await expectPaidOnce(modeled, modelIds);
    await Promise.all(modelIds.map((id, i) => modeled.say(id, `${FOLLOW_UP} Word-${MODEL_POINTS[i]}.`)));
    await Promise.all(ids.map((id) => docent.say(id, LAST)));
    await expectOneOfEach(docent, new Map(ids.map((id) => [id, 2])));
    await expectOneOfEach(modeled, new Map(modelIds.map((id) => [id, 2])));
    for (const id of ids)
      expect((await pageOf(docent, id)).match(/^## (Next|Last)$/gm)).toEqual(['## Next', '## Last']);
    for (const id of modelIds) expect(await pageOf(modeled, id)).toContain('Set Acme up again');
  });
});

describe('an API that is killed', () => {
  test('has accepted a job and a message once, which are carried out', LONG, async () => {
    const docent = await projectWithEditor();
    const ids: string[] = [];
    for (const point of API_POINTS) {
      traps.get(point)!.arm();
      // Clients without an answer ask again.
      const answered = await docent.post(NEXT, `key-${point}`).catch(() => null);
      expect(await api.ended, point).toBe('SIGKILL');
      await startApi();
      const id = await docent.post(NEXT, `key-${point}`);
      if (answered !== null) expect(id, point).toBe(answered);
      ids.push(id);
    }
    const { data } = await docent.client.GET('/v2/agent/{projectId}/jobs', {
      params: { path: { projectId: docent.projectId } },
    });
    expect(data?.jobs.map((job) => job.id).toSorted()).toEqual(ids.toSorted());
    // Before signaling the workflow about a message.
    const [followed = ''] = ids;
    await docent.settled(followed);
    traps.get('wake-due')!.arm();
    await docent.say(followed, LAST).catch(() => null);
    expect(await api.ended).toBe('SIGKILL');
    await startApi();
    await expectOneOfEach(docent, new Map(ids.map((id) => [id, id === followed ? 2 : 1])));
  });

  test('before it could start the workflow leaves that to the worker', async () => {
    const docent = await projectWithEditor();
    const id = await docent.post(NEXT);
    await docent.settled(id);
    // The state that an API leaves when it dies between its commit and the signal.
    await docent.database.pool.query(
      `WITH counted AS (UPDATE jobs SET last_message_no = 2, status = 'active', updated_at = now() WHERE id = $1 RETURNING id)
      INSERT INTO messages (job_id, no, id, prompt) SELECT id, 2, 'm2', 'Append a section "B" with text "b" to the page guides/start' FROM counted`,
      [id],
    );
    await until('the reconciler has signalled', async () => (await docent.job(id)).status === 'completed');
    await expectOneOfEach(docent, new Map([[id, 2]]));
  });

  test('after it rotated a key and before it answered keeps the old secret working', async () => {
    const body = { name: 'CI', projectIds: null };
    const { data: made } = await installation.client.POST('/v1/keys', { body });
    const rotate = () =>
      installation.client.POST('/v1/keys/{keyId}/rotate', {
        params: { path: { keyId: made?.id ?? '' }, header: { 'Idempotency-Key': 'rotate-1' } },
        body: { overlapSeconds: 600 },
      });
    traps.get('key-rotated')!.arm();
    await expect(rotate()).rejects.toThrow();
    expect(await api.ended).toBe('SIGKILL');
    await startApi();
    const { data } = await rotate();
    // Rotated once. The secret was lost with the answer, and nothing else.
    expect(data).toMatchObject({ id: made?.id, key: null, secrets: [{}, { hint: made?.hint }] });
    // Both are in the audit log, written by two processes: the outcome of the first is unknown, and no entry
    // claims success.
    const rotations = async () =>
      (await installation.client.GET('/v1/audit', { params: { query: { operation: 'rotateKey' } } })).data?.entries;
    await until('the outcome is written', async () => (await rotations())?.[0]?.status === 200);
    const target = { keyId: made?.id };
    expect(await rotations()).toMatchObject([
      { target, changed: ['overlapSeconds'], status: 200, replayed: true },
      { target, changed: ['overlapSeconds'], status: null, replayed: false },
    ]);
    const old = { headers: { authorization: `Bearer ${made?.key}` } };
    expect((await fetch(`${installation.apiUrl}/v1/me`, old)).status).toBe(200);
  });
});
