import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDocentClient, followJob, type JobStreamEvent } from '@docent/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres } from '@docent/servers/postgres/cluster';
import { createLogger } from '../../src/platform/log.ts';
import { Reaper } from '@docent/servers/processes/reaper';
import { addEvent } from '../../src/store/jobs/job-events.ts';
import { projects } from '../../src/store/schema.ts';
import { openStream } from '../support/event-stream.ts';
import { freePort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { ScriptedModels } from '../support/scripted-models.ts';
import { openTestDatabase } from '../support/stack.ts';

const models = new ScriptedModels();
let url: string;
beforeAll(async () => {
  url = await models.mock.start();
});
afterAll(() => models.mock.stop());

const env = () => ({ OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`, DOCENT_MODEL: 'openai-compatible/qwen3' });
const LONG = 'A long account of what was found and what was not found. '.repeat(15);

/** Follows a job in the background. */
function follower(events: AsyncIterable<JobStreamEvent>) {
  const seen: JobStreamEvent[] = [];
  const done = (async () => {
    for await (const event of events) seen.push(event);
  })();
  return { seen, done };
}

/** The text of a step as a reader received it. */
function textOf(seen: readonly JobStreamEvent[], step: number): string {
  let words = '';
  for (const event of seen) {
    if (event.type === 'words' && event.step === step)
      words = event.offset === 0 ? event.text : words.slice(0, event.offset) + event.text;
  }
  return words;
}

async function rowsOf(docent: Installation, id: string) {
  const params = { path: { projectId: docent.projectId, id }, query: { limit: 500 } };
  const { data } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/events', { params });
  return data!.events;
}

describe('a reader that follows a job', () => {
  let installation: Installation;
  let api: RoleProcess;
  /** Of the other API. */
  let port: string;
  let worker: RoleProcess;
  beforeAll(async () => {
    installation = await Installation.create();
    port = String(await freePort());
    [api, , worker] = await Promise.all([
      installation.startApi(env()),
      installation.startApi({ ...env(), DOCENT_PORT: port }),
      installation.startWorker(env()),
    ]);
  });
  afterAll(() => installation.stop());

  test('sees the words begin again where a worker is killed in the middle of them', async () => {
    const docent = await installation.withOwnProject();
    models.play('Word-killed-worker.', { say: LONG, slowly: true });
    const id = await docent.post('What is wrong with the start page? Word-killed-worker.');
    const client = createDocentClient({ baseUrl: docent.apiUrl, apiKey: docent.operatorToken });
    const { seen, done } = follower(followJob(client, { projectId: docent.projectId, id }));
    await until('words come', () => textOf(seen, 1).length > 20);
    await worker.kill('SIGKILL');
    await docent.startWorker(env());
    await done;
    const attempts = seen.flatMap((event) => (event.type === 'words' ? [event] : []));
    const again = attempts.find(({ attempt }) => attempt > 1);
    expect(again).toMatchObject({ offset: 0, step: 1 });
    expect(LONG.startsWith(textOf(seen, 1))).toBe(true);
    expect(seen.filter(({ type }) => type === 'answer')).toMatchObject([{ data: { words: LONG } }]);
    const rows = await rowsOf(docent, id);
    expect(seen.filter((event) => 'no' in event)).toEqual(rows);
    // No shown words remain.
    const left = await docent.database.pool.query('SELECT text FROM live_texts WHERE text <> $1', ['']);
    expect(left.rows).toEqual([]);
  });

  test('continues at another API where one is killed, and gets each event once and in order', async () => {
    const docent = await installation.withOwnProject();
    const change = { path: 'guides/start.mdx', oldText: 'Install Acme', newText: 'Set Acme up' };
    models.playByResults(
      'Word-two-apis.',
      { say: LONG, calls: [['edit', change]], slowly: true },
      { say: LONG, slowly: true },
    );
    const id = await docent.post('Improve the start page. Word-two-apis.');
    // A load balancer for both APIs: it uses the first one that answers.
    const either = async (request: Request): Promise<Response> => {
      const asked = new URL(request.url);
      try {
        return await fetch(request.clone());
      } catch {
        return fetch(new Request(`http://127.0.0.1:${port}${asked.pathname}${asked.search}`, request));
      }
    };
    const client = createDocentClient({ baseUrl: docent.apiUrl, apiKey: docent.operatorToken, fetch: either });
    const breaks: Error[] = [];
    const at = { projectId: docent.projectId, id };
    const { seen, done } = follower(followJob(client, { ...at, onBreak: (reason) => breaks.push(reason) }));
    const other = follower(
      followJob(createDocentClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: docent.operatorToken }), at),
    );
    await until('words come', () => textOf(seen, 1) !== '' && textOf(other.seen, 1) !== '');
    await api.kill('SIGKILL');
    await Promise.all([done, other.done]);
    expect(breaks.length).toBeGreaterThan(0);
    expect(seen.at(-1)).toMatchObject({ type: 'end', reason: 'rest', status: 'completed' });
    const replay = follower(followJob(client, at));
    await replay.done;
    const rows = kept(replay.seen);
    expect(rows.map((event) => 'no' in event && event.no)).toEqual(rows.map((_, i) => i + 1));
    expect(kept(seen)).toEqual(rows);
    expect(kept(other.seen)).toEqual(rows);
    expect(rows.map(({ type }) => type)).toEqual([
      'created',
      'turn_started',
      'step',
      'tools',
      'answer',
      'checks',
      'published',
      'turn_ended',
    ]);
    expect(rows.find(({ type }) => type === 'tools')).toMatchObject({
      data: { step: 1, results: [{ name: 'edit', ok: true, changed: ['guides/start.mdx'] }] },
    });
    expect(rows.find(({ type }) => type === 'published')).toMatchObject({ data: { branch: `docent/${id}` } });
    // The live text is a beginning of the stored text.
    expect(rows.find(({ type }) => type === 'answer')).toMatchObject({ data: { words: LONG } });
    expect(LONG.startsWith(textOf(other.seen, 2))).toBe(true);
    expect(textOf(other.seen, 2).length).toBeGreaterThan(20);
  });
});

test(
  'a stream stays open while PostgreSQL is unavailable, and goes on when it is back',
  { timeout: 900_000 },
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'docent-job-stream-'));
    const reaper = new Reaper();
    reaper.deleteAfterDeath(folder);
    await chmod(folder, 0o711);
    const at = { dir: path.join(folder, 'postgres'), log: createLogger({ level: 'silent', name: 'postgres' }), reaper };
    let server = await startPostgres(at);
    const docent = await Installation.create({ database: await openTestDatabase(server.url) });
    try {
      await docent.startApi();
      await docent.database.db
        .insert(projects)
        .values({ id: 'acme', repository: '/x', ref: 'main', model: 'builtin', docsDir: '' });
      const id = await docent.post('Fix broken links');
      const stream = await openStream(`${docent.apiUrl}/v2/agent/acme/job/${id}/events`, {
        token: docent.operatorToken,
      });
      await stream.until('the first', (events) => events.length === 1);
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      await sleep(5_000);
      server = await startPostgres(at);
      await until('the database answers', () =>
        docent.database.pool.query('SELECT 1').then(
          () => true,
          () => false,
        ),
      );
      await addEvent(docent.database.db, { jobId: id, type: 'step', turnNo: null, text: 'After the break.' });
      await until('the event after the break', () => stream.events.length === 2);
      expect(stream.events.map(({ id: no }) => no)).toEqual(['1', '2']);
      stream.close();
    } finally {
      await docent.stop();
      await server.stop();
      await reaper.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
);

function kept(events: JobStreamEvent[]): JobStreamEvent[] {
  return events.filter((event) => 'no' in event);
}
