import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { historyText } from '../support/history-text.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { TEST_KEY } from '../support/models.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { ScriptedModels, type Move } from '../support/scripted-models.ts';
import { services } from '../support/run-services.ts';

/**
 * Whole jobs, from the request to the pull request, with the wire of real providers between Docent and the
 * model.
 */
const models = new ScriptedModels();
let docent: Installation;
let roles: RoleProcess[];

beforeAll(async () => {
  const url = await models.mock.start();
  docent = await Installation.create();
  roles = [
    await docent.startApi(),
    await docent.startWorker({
      ANTHROPIC_API_KEY: TEST_KEY,
      ANTHROPIC_BASE_URL: url,
      OPENAI_API_KEY: TEST_KEY,
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
      DOCENT_MODEL_ATTEMPTS: '3',
      DOCENT_MODEL_IDLE_SECONDS: '2',
      DOCENT_LOG_LEVEL: 'trace',
    }),
  ];
  await docent.createProject();
});
afterAll(async () => {
  await docent.stop();
  await models.mock.stop();
});

type Settings = { model?: string; settings?: Record<string, number | null> };

async function change(body: Settings) {
  const params = { path: { projectId: docent.projectId } };
  return docent.client.PATCH('/v1/projects/{projectId}', { params, body });
}

async function use(model: string, settings: Record<string, number | null> = {}): Promise<void> {
  const none = { budgetJobTokens: null, budgetJobUsd: null, budgetDayTokens: null, budgetDayUsd: null };
  const { response, error } = await change({ model, settings: { ...none, ...settings } });
  if (!response.ok) throw new Error(JSON.stringify(error));
}

async function run(word: string, ...moves: Move[]) {
  models.play(word, ...moves);
  const id = await docent.post(`Improve the start page. ${word}`);
  return docent.settled(id);
}

const edit = (text: string): Move => ({
  say: 'I change it.',
  calls: [['edit', { path: 'guides/start.mdx', oldText: 'Install Acme', newText: text }]],
});

describe('a job with a language model', () => {
  test('ends in a pull request, whatever happens on the way, and each answer is paid for once', async () => {
    await use('anthropic/claude-sonnet-5');
    const job = await run(
      'Word-storm.',
      { status: 429, retryAfter: 1 },
      { status: 529, code: 'overloaded_error' },
      {
        say: 'I look at two pages.',
        calls: [
          ['read', { path: 'guides/start.mdx' }],
          ['read', { path: 'index.mdx' }],
        ],
      },
      { cut: 'This is never heard. ' },
      edit('Set Acme up'),
      { say: 'Say "set up" on the start page\n\nBoth pages were read.' },
    );
    expect(job).toMatchObject({ status: 'completed', error: null, model: 'anthropic/claude-sonnet-5' });
    expect(job.prLink).not.toBeNull();
    expect(job.summary).toMatch(/^Say "set up"/);
    expect(await docent.git('show', `docent/${job.id}:guides/start.mdx`)).toContain('Set Acme up, then run it.');
    expect(models.asked('Word-storm.')).toBe(6);
    // By the price of the model: 3 × (1,000 × $2 + 100 × $10) for a million.
    expect(job.usage).toEqual({
      modelCalls: 3,
      inputTokens: 3_000,
      cachedInputTokens: 0,
      outputTokens: 300,
      costUsd: 0.009,
    });
    const params = { path: { projectId: docent.projectId, id: job.id } };
    const { data } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/usage', { params });
    expect(data?.turns).toMatchObject([{ turn: 1, usage: job.usage, steps: [{ step: 1 }, { step: 2 }, { step: 3 }] }]);
    const transcript = await docent.database.pool.query('SELECT entries::text AS text FROM transcript');
    expect(JSON.stringify(transcript.rows)).not.toContain('never heard');
  });

  test('recovers from invalid JSON arguments, unknown tools, and answers that are none', async () => {
    await use('openai/gpt-5.4');
    const job = await run(
      'Word-clumsy.',
      { say: '', calls: [['edit', '{"path": "guides/start.mdx", "oldTe']] },
      { say: '', calls: [['rewrite_everything', { path: 'guides/start.mdx' }]] },
      { say: '' },
      { say: 'I found the page. Now I will edit guides/start.mdx.' },
      edit('Deploy Acme'),
      { say: '<tool_call>\n{"name": "read", "arguments": {"path": "guides/start.mdx"}}\n</tool_call>' },
      { say: 'Deploy instead of install' },
    );
    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(await docent.git('show', `docent/${job.id}:guides/start.mdx`)).toContain('Deploy Acme');
    expect(models.asked('Word-clumsy.')).toBe(7);
    expect(job.summary).toBe('Deploy instead of install');
  });

  test('works with your own server, whose prices are unknown', async () => {
    await use('openai-compatible/qwen3');
    const job = await run('Word-local.', edit('Run Acme'), { say: 'Run instead of install' });
    expect(job).toMatchObject({ status: 'completed', usage: { modelCalls: 2, costUsd: null } });
    expect(job.prLink).not.toBeNull();
  });

  test('answers with a question, and changes nothing', async () => {
    await use('openai/gpt-5.4');
    const job = await run('Word-question.', { say: 'Which version do you mean? The repository shows none.' });
    expect(job).toMatchObject({ status: 'completed', prLink: null, summary: expect.stringMatching(/^Which version/) });
  });

  test("shows the model's text while it is written, in one overwritten value", async () => {
    await use('openai-compatible/qwen3');
    models.play('Word-slow.', {
      say: 'A long account of what was found and what was not found. '.repeat(6),
      slowly: true,
    });
    const id = await docent.post('Improve the start page. Word-slow.');
    const params = { path: { projectId: docent.projectId, id } };
    const seen = new Set<string | null>();
    for (let progress = ''; ;) {
      const query = { progress, after: 1_000, waitSeconds: 5 };
      const { data } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/events', {
        params: { ...params, query },
      });
      seen.add(data!.progress);
      progress = data!.progress ?? '';
      if (data!.status !== 'active') break;
    }
    expect(
      [...seen].filter((words) => /^Step 1: writing, \d+ characters: .*found/.test(words ?? '')).length,
    ).toBeGreaterThan(1);
    const events = await docent.database.pool.query('SELECT count(*)::int AS n FROM job_events WHERE job_id = $1', [
      id,
    ]);
    expect(events.rows[0].n).toBeLessThan(8);
    expect(
      (await docent.database.pool.query('SELECT progress FROM jobs WHERE id = $1', [id])).rows[0].progress,
    ).toBeNull();
  });
});

describe('a job whose model cannot continue fails with a code and a sentence to act on', () => {
  /** One of each kind of end. What each answer of a provider means is tested with the providers' clients. */
  const cases: [what: string, code: string, sentence: RegExp, asked: number, moves: Move[]][] = [
    [
      'a wrong key',
      'model_key',
      /ANTHROPIC_API_KEY/,
      1,
      [{ status: 401, code: 'authentication_error', message: `invalid x-api-key ${TEST_KEY}` }],
    ],
    [
      'a server that says nothing',
      'model_unavailable',
      /sent nothing for 2 s.*asked 3 times/,
      3,
      [{ silentMs: 60_000 }],
    ],
    ['streams that always break', 'model_unavailable', /asked 3 times/, 3, [{ cut: 'Half an answer. ' }]],
    [
      'a wait beyond the turn',
      'model_rate_limited',
      /longer than a turn may take/,
      1,
      [{ status: 429, retryAfter: 90_000 }],
    ],
    ['nothing but empty answers', 'model_empty', /three empty answers/, 3, [{ say: '' }]],
    ['calls written as text', 'model_call_as_text', /tool parser/, 3, [{ say: '[read(path="guides/start.mdx")]' }]],
    ['answers that are always cut', 'model_output_limit', /maxOutputTokens/, 3, [{ say: 'Half a', finish: 'length' }]],
    [
      'a refusal',
      'model_refused',
      /The model refused: I will not/,
      1,
      [{ say: 'I will not do that.', finish: 'refusal' }],
    ],
  ];

  test.each(cases)('%s', async (what, code, sentence, asked, moves) => {
    await use('anthropic/claude-sonnet-5');
    const word = `Word-${what.replaceAll(' ', '-')}.`;
    const job = await run(word, ...moves);
    expect(job).toMatchObject({ status: 'failed', prLink: null, error: { code } });
    expect(job.error!.message).toMatch(sentence);
    expect(models.asked(word)).toBe(asked);
    if (code === 'model_refused') expect(job.summary).toBe('I will not do that.');
  });

  test('continues from its change when a message arrives', async () => {
    await use('anthropic/claude-sonnet-5');
    const failed = await run('Word-later.', edit('Start Acme'), { status: 401 }, { say: 'Start instead of install' });
    expect(failed).toMatchObject({ status: 'failed', prLink: null });
    await docent.say(failed.id, 'Go on.');
    const job = await docent.settled(failed.id);
    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(await docent.git('show', `docent/${job.id}:guides/start.mdx`)).toContain('Start Acme');
  });

  test.each(['anthropic/claude-sonnet-5', 'openai/gpt-5.4', 'openai-compatible/qwen3'])(
    'is not needed to find out whether %s works',
    async (model) => {
      models.play('tool `report`', { say: '', calls: [['report', { word: 'ready' }]] });
      const { data } = await docent.client.POST('/v1/model/test', { body: { model } });
      expect(data).toMatchObject({ model, ok: true, message: null, inputTokens: 1_000, outputTokens: 100 });
    },
  );

  test('is not created with a model that no worker knows', async () => {
    const unknown = await change({ model: 'acme/large' });
    expect(unknown.response.status).toBe(400);
    expect(unknown.error?.error).toMatch(/Use builtin, anthropic\/<model>/);
  });
});

async function projectUsage() {
  const params = { path: { projectId: docent.projectId } };
  const { data } = await docent.client.GET('/v2/agent/{projectId}/usage', { params });
  return data!;
}

describe('a budget', () => {
  test('of a job stops between steps, keeps the work, and lets it continue when it is raised', async () => {
    await use('openai/gpt-5.4', { budgetJobTokens: 1_000 });
    const stopped = await run('Word-budget.', edit('Boot Acme'), { say: 'Boot instead of install' });
    expect(stopped).toMatchObject({
      status: 'failed',
      prLink: null,
      error: { code: 'budget_job' },
      usage: { modelCalls: 1 },
    });
    expect(stopped.error!.message).toContain('1,000 tokens');
    await docent.say(stopped.id, 'Go on.');
    expect(await docent.settled(stopped.id)).toMatchObject({ status: 'failed', error: { code: 'budget_job' } });
    await use('openai/gpt-5.4', { budgetJobTokens: 100_000 });
    await docent.say(stopped.id, 'Go on.');
    expect(await docent.settled(stopped.id)).toMatchObject({ status: 'completed', usage: { modelCalls: 2 } });
    expect(models.asked('Word-budget.')).toBe(2);
  });

  test('of one job alone, with its model and effort, tightens the project’s, and can be raised', async () => {
    await use('openai/gpt-5.4', { budgetJobTokens: 1_000_000 });
    models.play('Word-own.', edit('Boot Acme'), { say: 'Boot instead of install' });
    const params = { path: { projectId: docent.projectId } };
    const { data } = await docent.client.POST('/v2/agent/{projectId}/job', {
      params,
      body: { prompt: 'Improve it. Word-own.', model: 'openai/gpt-5.5', effort: 'high', budget: { tokens: 1_000 } },
    });
    const stopped = await docent.settled(data!.id);
    expect(stopped).toMatchObject({ model: 'openai/gpt-5.5', error: { code: 'budget_job' }, usage: { modelCalls: 1 } });
    expect(stopped.error!.message).toContain(`docent job update ${stopped.id}`);
    const path = { projectId: docent.projectId, id: stopped.id };
    const raised = await docent.client.PATCH('/v2/agent/{projectId}/job/{id}', {
      params: { path },
      body: { budget: { tokens: 2_000_000 } },
    });
    expect(raised.data?.budget).toEqual({ tokens: 2_000_000, usd: null });
    await docent.say(stopped.id, 'Go on.');
    expect(await docent.settled(stopped.id)).toMatchObject({ status: 'completed', usage: { modelCalls: 2 } });
    const asked = models.mock.getRequests().filter(({ body }) => JSON.stringify(body).includes('Word-own.'));
    expect(asked.map(({ body }) => (body as { model?: string } | null)?.model)).toEqual(['gpt-5.5', 'gpt-5.5']);
  });

  test('in dollars is refused, not ignored, for a model without a price', async () => {
    const refused = use('openai-compatible/qwen3', { budgetDayUsd: 1 });
    await expect(refused).rejects.toThrow('the price of openai-compatible/qwen3 is unknown');
    await use('openai-compatible/qwen3');
    // As after a budget was set while the price was known.
    await docent.database.pool.query(`UPDATE projects SET settings = settings || '{"budgetDayUsd": 1}' WHERE id = $1`, [
      docent.projectId,
    ]);
    const job = await run('Word-unpriced.', { say: 'Hello' });
    expect(job).toMatchObject({ status: 'failed', error: { code: 'budget_project' } });
    expect(job.error!.message).toMatch(/DOCENT_MODELS_FILE/);
  });

  test('of a day holds for jobs that run side by side: at most one step more', async () => {
    await use('openai/gpt-5.4');
    const before = (await projectUsage()).usage;
    const spent = before.inputTokens + before.outputTokens;
    const limit = spent + 5_000;
    await use('openai/gpt-5.4', { budgetDayTokens: limit });
    const words = ['Word-one.', 'Word-two.', 'Word-three.'];
    for (const word of words) {
      models.play(
        word,
        ...Array.from({ length: 20 }, (_, i): Move => ({ say: '', calls: [['search', { query: `${word} ${i}` }]] })),
      );
    }
    const ids = await Promise.all(words.map((word) => docent.post(`Improve it. ${word}`)));
    const jobs = await Promise.all(ids.map((id) => docent.settled(id)));
    for (const job of jobs) expect(job).toMatchObject({ status: 'failed', error: { code: 'budget_project' } });
    const after = await projectUsage();
    const total = after.usage.inputTokens + after.usage.outputTokens;
    expect(total).toBeGreaterThanOrEqual(limit);
    expect(total).toBeLessThan(limit + 1_100);
    expect(after.days).toHaveLength(1);
  });
});

describe('a long conversation', () => {
  test("is shortened and continues, and the model keeps the user's messages", async () => {
    await use('anthropic/claude-sonnet-5');
    const tooLong: Move = {
      status: 400,
      code: 'invalid_request_error',
      message: 'prompt is too long: 300000 tokens > 200000 maximum',
    };
    const reads = Array.from({ length: 12 }, (_, i): Move => ({
      say: '',
      calls: [['search', { query: `things ${i}` }]],
    }));
    const job = await run('Word-long.', ...reads, tooLong, edit('Open Acme'), { say: 'Open instead of install' });
    expect(job).toMatchObject({ status: 'completed', error: null });
    const sent = JSON.stringify(models.mock.getLastRequest()?.body);
    expect(sent).toContain('Word-long.');
    const marks = await docent.database.pool.query(
      "SELECT entries FROM transcript WHERE job_id = $1 AND part = 'compact'",
      [job.id],
    );
    expect(marks.rows).toHaveLength(1);
  });
});

test('the key is in no log, row, history, commit or answer', async () => {
  await until('the last job is written down', () => true);
  const places: Record<string, string> = { logs: roles.map((role) => role.output()).join('\n') };
  const { rows: tables } = await docent.database.pool.query<{ name: string }>(
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  for (const { name } of tables) {
    const { rows } = await docent.database.pool.query(`SELECT row_to_json(t)::text AS text FROM ${name} t`);
    places[name] = rows.map((row: { text: string }) => row.text).join('\n');
  }
  expect(places.transcript).toContain('Word-storm.');
  const connection = await Connection.connect({ address: services.temporalAddress });
  const client = new Client({ connection });
  const { rows: ids } = await docent.database.pool.query<{ id: string }>('SELECT id FROM jobs');
  const installation = (await docent.database.pool.query('SELECT id FROM installation')).rows[0].id as string;
  for (const { id } of ids) {
    const handle = client.workflow.getHandle(`docent-${installation}-job-${id}`);
    places[`history ${id}`] = historyText(await handle.fetchHistory());
  }
  await connection.close();
  places.commits = await docent.git('log', '--all', '-p');
  for (const [place, text] of Object.entries(places)) {
    expect(text.includes(TEST_KEY), place).toBe(false);
    expect(text.includes(TEST_KEY.slice(0, 16)), place).toBe(false);
  }
  expect(Object.keys(places).length).toBeGreaterThan(20);
});
