import { afterAll, beforeAll, expect, test } from 'vitest';
import { endTurn, openTurn } from '../../src/jobs/turn-life.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { createJob } from '../support/api-jobs.ts';
import { MANY_SLOTS } from '../support/job-rows.ts';

let api: TestApi;
let project: string;

beforeAll(async () => {
  api = await startTestApi({ config: { jobsPerHour: 1_000, messagesPerHour: 1_000 } });
  project = await api.addProject();
});
afterAll(() => api.close());

interface Message {
  no: number;
  id: string;
  role: string;
  text: string;
  state: string;
  turn: number | null;
  outcome: string | null;
}

const path = (id: string, rest = '') => `/v2/agent/${project}/job/${id}${rest}`;
const read = async (id: string, query = '') =>
  (await api.call(path(id, `/messages${query}`))).json as { messages: Message[]; nextCursor: string | null };
const say = (id: string, prompt: string) => api.call(path(id, '/message'), { body: { prompt } });

/** Opens the next turn and ends it, as a worker does; its messages are unanswered, because no model ran. */
async function answer(id: string, summary: string, between: () => Promise<unknown> = async () => {}): Promise<void> {
  const { db } = api.database;
  const opened = await db.transaction((tx) => openTurn(tx, id, 20, MANY_SLOTS));
  if (opened.kind !== 'turn') throw new Error(opened.kind);
  await between();
  await db.transaction((tx) =>
    endTurn(tx, id, opened.turn.no, { state: 'unchanged', summary, declared: 'answered', error: null }),
  );
}

test('a conversation is returned in order, and entries keep their numbers while it grows', async () => {
  const id = await createJob(api, project, 'One?');
  expect((await read(id)).messages).toMatchObject([
    { no: 1, role: 'user', text: 'One?', state: 'waiting', turn: null },
  ]);
  // The second message comes while the first turn runs, and waits for the next.
  await answer(id, 'First answer.', () => say(id, 'Two?'));
  const before = (await read(id)).messages;
  expect(before.map(({ no, role, text }) => [no, role, text])).toEqual([
    [1, 'user', 'One?'],
    [2, 'user', 'Two?'],
    [3, 'assistant', 'First answer.'],
  ]);
  await answer(id, 'Second answer.');
  await say(id, 'Three?');
  const after = (await read(id)).messages;
  expect(after.slice(0, 3).map(({ no, id: same }) => [no, same])).toEqual(before.map(({ no, id: same }) => [no, same]));
  expect(after.slice(3).map(({ no, text, turn, outcome }) => [no, text, turn, outcome])).toEqual([
    [4, 'Second answer.', 2, 'answered'],
    [5, 'Three?', null, null],
  ]);
});

test('pages continue from either end while the conversation grows', async () => {
  const id = await createJob(api, project, 'm1');
  for (const text of ['m2', 'm3', 'm4']) await say(id, text);
  const first = await read(id, '?limit=2');
  await say(id, 'm5');
  const second = await read(id, `?limit=2&cursor=${first.nextCursor}`);
  const third = await read(id, `?limit=2&cursor=${second.nextCursor}`);
  expect([first, second, third].flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual([
    'm1',
    'm2',
    'm3',
    'm4',
    'm5',
  ]);
  expect(third.nextCursor).toBeNull();
  const newest = await read(id, '?limit=2&order=desc');
  await say(id, 'm6');
  const older = await read(id, `?limit=3&order=desc&cursor=${newest.nextCursor}`);
  expect([newest, older].flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual([
    'm5',
    'm4',
    'm3',
    'm2',
    'm1',
  ]);
  for (const query of ['?cursor=x', '?order=up', '?limit=0']) {
    expect((await api.call(path(id, `/messages${query}`))).status).toBe(400);
  }
});

test('one message is read by its number, and a missing one is 404', async () => {
  const id = await createJob(api, project, 'Only this.');
  expect((await api.call(path(id, '/messages/1'))).json).toMatchObject({ no: 1, text: 'Only this.', attachments: [] });
  for (const no of ['2', '0', 'x', '99999999999']) {
    expect((await api.call(path(id, `/messages/${no}`))).json.code).toBe('message_not_found');
  }
  expect((await api.call(path('0'.repeat(20), '/messages'))).json.code).toBe('job_not_found');
  const other = await api.addKey({ projectIds: [await api.addProject()] });
  expect((await api.call(path(id, '/messages'), { token: other })).json.code).toBe('project_not_found');
});

test('apparent secrets are not returned', async () => {
  const token = ['ghp', 'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2bC4'].join('_');
  const id = await createJob(api, project, `Use the token ${token} in the example`);
  const [message] = (await read(id)).messages;
  expect(message?.text).toContain('[secret]');
  expect(JSON.stringify(message)).not.toContain(token);
});

test('a message cancelled before its turn is dropped, and a failed turn gives its reason', async () => {
  const id = await createJob(api, project, 'Never mind');
  await api.call(path(id, '/cancel'), { method: 'POST' });
  expect((await read(id)).messages).toMatchObject([{ state: 'dropped' }]);
  await say(id, 'Again');
  const { db } = api.database;
  const opened = await db.transaction((tx) => openTurn(tx, id, 20, MANY_SLOTS));
  const error = { code: 'repository_missing', message: 'There is no repository.' };
  const no = opened.kind === 'turn' ? opened.turn.no : 0;
  await db.transaction((tx) => endTurn(tx, id, no, { state: 'failed', summary: null, error }));
  expect((await read(id)).messages.at(-1)).toMatchObject({
    role: 'assistant',
    text: 'There is no repository.',
    outcome: 'failed',
  });
});

test("a job that commits to a person's branch accepts messages only from the pull request", async () => {
  const id = await createJob(api, project, 'Fix it');
  const url = 'https://git.example/acme/docs/pulls/3';
  const options = { mode: 'push', ref: 'theirs', cause: { url, isOwnBranch: true } };
  await api.database.pool.query('UPDATE jobs SET options = $2 WHERE id = $1', [id, options]);
  const { status, json } = await say(id, 'Delete all.');
  expect([status, json]).toMatchObject([403, { code: 'push_not_allowed' }]);
  expect(JSON.stringify(json)).toContain(url);
  expect((await read(id)).messages).toHaveLength(1);
  const allowPush = (isAllowed: boolean) =>
    api.database.pool.query(`UPDATE projects SET settings = settings || $2 WHERE id = $1`, [
      project,
      { allowPush: isAllowed },
    ]);
  await allowPush(true);
  expect((await say(id, 'Sort it.')).status).toBe(200);
  await allowPush(false);
});
