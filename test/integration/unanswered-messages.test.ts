import { rename } from 'node:fs/promises';
import { withContext } from '@docent/recipes/prompt-context';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { TEST_KEY } from '../support/models.ts';
import { ScriptedModels, type Move } from '../support/scripted-models.ts';
import { withWorkflowOf } from '../support/workflow-handle.ts';

/** A user's messages reach the model in order, regardless of how the previous turn with them ended. */
const models = new ScriptedModels();
let docent: Installation;

beforeAll(async () => {
  const url = await models.mock.start();
  docent = await Installation.create();
  await docent.startApi();
  await docent.startWorker({
    OPENAI_API_KEY: TEST_KEY,
    OPENAI_BASE_URL: `${url}/v1`,
    DOCENT_MODEL_ATTEMPTS: '1',
    DOCENT_TURN_MESSAGES: '3',
  });
  await docent.createProject();
  await change({ model: 'openai/gpt-5.4' });
});
afterAll(async () => {
  await docent.stop();
  await models.mock.stop();
});

async function change(body: { model?: string; ref?: string; settings?: Record<string, number | null> }) {
  const params = { path: { projectId: docent.projectId } };
  const { response, error } = await docent.client.PATCH('/v1/projects/{projectId}', { params, body });
  if (!response.ok) throw new Error(JSON.stringify(error));
}

const cancel = (id: string) =>
  docent.client.POST('/v2/agent/{projectId}/job/{id}/cancel', { params: { path: { projectId: 'acme', id } } });

/** The user's messages that the model has answered, in the order in which it saw them. */
async function heard(id: string): Promise<string[]> {
  const { rows } = await docent.database.pool.query<{ text: string }>(
    `SELECT e ->> 'text' AS text FROM transcript, jsonb_array_elements(entries) WITH ORDINALITY AS x (e, i)
     WHERE job_id = $1 AND part = 'model' AND e ->> 'role' = 'user' ORDER BY turn_no, step_no, i`,
    [id],
  );
  return rows.map(({ text }) => text);
}

const ANSWER: Move = { say: 'Nothing to do' };
const WRONG_KEY: Move = { status: 401 };

const away = () => rename(docent.repository, `${docent.repository}.away`);
const back = () => rename(`${docent.repository}.away`, docent.repository);

describe('a prompt whose turn failed before the model had answered', () => {
  test.each([
    ['the repository was gone', 'repository_missing', away, back],
    [
      'the base branch was gone',
      'branch_missing',
      () => docent.git('branch', '-m', 'main', 'gone'),
      () => docent.git('branch', '-m', 'gone', 'main'),
    ],
    [
      'the budget was used up',
      'budget_project',
      () => change({ settings: { budgetDayTokens: 1 } }),
      () => change({ settings: { budgetDayTokens: null } }),
    ],
  ] as const)('is seen with the next message: %s', async (_, code, breakIt, mendIt) => {
    // Spends tokens, so that a budget can be used up.
    models.play(`Spend-${code}.`, ANSWER);
    await docent.settled(await docent.post(`Spend-${code}.`));
    const word = `Word-${code}.`;
    models.play(word, ANSWER);
    await breakIt();
    const id = await docent.post(`First. ${word}`);
    expect(await docent.settled(id)).toMatchObject({ status: 'failed', error: { code } });
    await docent.say(id, 'Second.');
    expect(await docent.settled(id)).toMatchObject({ status: 'failed', error: { code } });
    expect(await heard(id)).toEqual([]);
    await mendIt();
    await docent.say(id, 'Go on.');
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(await heard(id)).toEqual([`First. ${word}`, 'Second.', 'Go on.']);
  });

  test('is seen with the next message: the key of the model was wrong', async () => {
    models.play('Word-key.', WRONG_KEY, ANSWER);
    const id = await docent.post('Word-key.');
    expect(await docent.settled(id)).toMatchObject({ status: 'failed', error: { code: 'model_key' } });
    await docent.say(id, 'Go on.');
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    expect(await heard(id)).toEqual(['Word-key.', 'Go on.']);
  });

  test('is seen with the next message: its workflow was terminated externally', async () => {
    models.play('Word-lost.', { silentMs: 60_000 }, ANSWER);
    const id = await docent.post('Word-lost.');
    await until('the model is asked', () => models.asked('Word-lost.') > 0);
    await docent.say(id, 'And this.');
    await withWorkflowOf(docent, id, (handle) => handle.terminate());
    expect(await docent.settled(id)).toMatchObject({ status: 'failed', error: { code: 'workflow_lost' } });
    await docent.say(id, 'Go on.');
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    expect(await heard(id)).toEqual(['Word-lost.', 'And this.', 'Go on.']);
  });

  test('is seen once, as a follow-up, and is in the pull request without its material', async () => {
    const wish = withContext('Say "set up" on the start page.', 'Eve wrote before: nobody reads this.');
    const edit: Move = {
      say: 'I change it.',
      calls: [['edit', { path: 'guides/start.mdx', oldText: 'Install Acme', newText: 'Set Acme up' }]],
    };
    models.play('Word-follow.', ANSWER, edit, { say: 'Say "set up"' }, ANSWER);
    const id = await docent.post('Word-follow.');
    await docent.settled(id);
    await away();
    await docent.say(id, wish);
    expect(await docent.settled(id)).toMatchObject({ status: 'failed' });
    await back();
    await docent.say(id, 'Try again.');
    const job = await docent.settled(id);
    expect(job).toMatchObject({ status: 'completed' });
    const { rows } = await docent.database.pool.query('SELECT body FROM pull_requests WHERE job_id = $1', [id]);
    expect(rows[0].body).toContain('Say "set up" on the start page.');
    expect(rows[0].body).not.toMatch(/context|Eve wrote/);
    await docent.say(id, 'Thanks.');
    await docent.settled(id);
    expect(await heard(id)).toEqual(['Word-follow.', wish, 'Try again.', 'Thanks.']);
  });

  test('does not keep later ones from their turn, however many there are', async () => {
    models.play('Word-many.', ANSWER);
    await away();
    const id = await docent.post('Word-many.');
    const said = ['Word-many.'];
    for (let n = 0; n < 6; n += 1) {
      said.push(`More ${n}.`);
      await docent.say(id, `More ${n}.`);
    }
    expect(await docent.settled(id)).toMatchObject({ status: 'failed' });
    await back();
    await docent.say(id, 'Go on.');
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    expect(await heard(id)).toEqual([...said, 'Go on.']);
  });
});

describe('a message that came while the agent worked', () => {
  test('is seen with the next one when the model never answered to it', async () => {
    const read: Move = { say: 'I look.', calls: [['read', { path: 'guides/start.mdx' }]] };
    models.play('Word-midway.', { ...read, slowly: true }, WRONG_KEY, ANSWER);
    const id = await docent.post('Word-midway.');
    await until('the model is asked', () => models.asked('Word-midway.') > 0);
    await docent.say(id, 'And this.');
    expect(await docent.settled(id)).toMatchObject({ status: 'failed', error: { code: 'model_key' } });
    await docent.say(id, 'Go on.');
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    expect(await heard(id)).toEqual(['Word-midway.', 'And this.', 'Go on.']);
  });
});

describe('a prompt that is no longer wanted', () => {
  test('is not seen later if its turn was cancelled before an answer, nor is an earlier failed one', async () => {
    models.play('Word-cancel.', WRONG_KEY, { silentMs: 60_000 }, ANSWER);
    const id = await docent.post('Word-cancel.');
    expect(await docent.settled(id)).toMatchObject({ status: 'failed' });
    await docent.say(id, 'Try again.');
    await until('the model is asked', () => models.asked('Word-cancel.') > 1);
    await cancel(id);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    models.play('Word-other.', ANSWER);
    await docent.say(id, 'Word-other.');
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    expect(await heard(id)).toEqual(['Word-other.']);
  });

  test('is not shown again to a model for which it was too long', async () => {
    models.play('Word-long.', { status: 400, code: 'context_length_exceeded', message: 'maximum context length' });
    const id = await docent.post('Word-long.');
    expect(await docent.settled(id)).toMatchObject({ status: 'failed', error: { code: 'model_context' } });
    models.play('Word-short.', ANSWER);
    await docent.say(id, 'Word-short.');
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    expect(await heard(id)).toEqual(['Word-short.']);
  });
});
