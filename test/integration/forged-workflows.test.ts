import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { messageOf } from '@docent/base/thrown';
import { SecretBox } from '../../src/platform/secret-box.ts';
import { Secret } from '../../src/platform/secret.ts';
import { insertCodeHost, encryptCredential } from '../../src/store/hosts/code-hosts.ts';
import { addControlRequest, findControlResult } from '../../src/store/installation/control-requests.ts';
import { installationId } from '../../src/store/installation/installation.ts';
import { WAKE_SIGNAL, taskQueueOf, WORKFLOW } from '../../src/workflows/contract.ts';
import { historyText } from '../support/history-text.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { services } from '../support/run-services.ts';

/**
 * An attacker who can only reach Temporal: a user of the same machine, a member of the namespace, a web page
 * that found a way in. Their workflows and signals must do nothing that the rows alone do not allow.
 */
const { limits: LIMITS } = loadConfig({});
let docent: Installation;
let connection: Connection;
let client: Client;
let taskQueue: string;
let jobId: string;
let pullRequestId: string;

beforeAll(async () => {
  docent = await Installation.started({
    env: { DOCENT_SECRET_KEY: SECRET_KEY, DOCENT_PRIVATE_HOSTS: '127.0.0.1' },
  });
  connection = await Connection.connect({ address: services.temporalAddress });
  client = new Client({ connection });
  taskQueue = taskQueueOf(await installationId(docent.database.db));
  jobId = await docent.post('Append a section "Next" with text "Read on." to the page guides/start');
  const { prLink } = await docent.settled(jobId);
  pullRequestId = prLink?.split('/').at(-1) ?? '';
});
afterAll(async () => {
  await connection?.close();
  await docent?.stop();
});

const SECRET_KEY = randomBytes(32).toString('base64');

const start = (type: string, ...args: unknown[]) =>
  client.workflow.start(type, { workflowId: `forged-${randomUUID()}`, taskQueue, args });

/** The result for the caller who started it. */
async function outcomeOf(type: string, ...args: unknown[]): Promise<{ result?: unknown; failure?: string }> {
  const handle = await client.workflow.start(type, {
    workflowId: `forged-${randomUUID()}`,
    taskQueue,
    args,
    workflowExecutionTimeout: 30_000,
  });
  try {
    return { result: await handle.result() };
  } catch (err) {
    if (!(err instanceof WorkflowFailedError)) throw err;
    return { failure: messageOf(err.cause?.cause ?? err.cause) };
  }
}

async function merge(): Promise<Response> {
  return fetch(`${docent.apiUrl}/pull-requests/${pullRequestId}/merge`, {
    method: 'POST',
    headers: { authorization: `Bearer ${docent.operatorToken}`, accept: 'application/json' },
  });
}

const mainTip = () => docent.git('rev-parse', 'main');
const stateOf = async () =>
  (await docent.database.pool.query('SELECT state FROM pull_requests WHERE id = $1', [pullRequestId])).rows[0].state;

const REFUSED = /No pending request exists/;

describe('a manually started workflow', () => {
  test.for(['merge', 'close'])('does not %s a pull request', async (action) => {
    const tip = await mainTip();
    expect(await outcomeOf(WORKFLOW.changePullRequest, { pullRequestId, action })).toEqual({
      failure: expect.stringMatching(REFUSED),
    });
    expect(await mainTip()).toBe(tip);
    expect(await stateOf()).toBe('open');
  });

  test('does nothing with an id that is invented, expired, of another kind, or no text', async () => {
    const { db } = docent.database;
    const input = { pullRequestId, action: 'merge' };
    const expired = await addControlRequest(db, {
      kind: 'changePullRequest',
      input,
      requestedBy: 'operator',
      lifeMs: -1,
    });
    const other = await addControlRequest(db, { kind: 'checkModel', input, requestedBy: 'operator', lifeMs: 60_000 });
    for (const requestId of ['z'.repeat(32), expired, other, '', null, 7, ['x'], { id: 'x' }, "' OR true --"]) {
      expect(await outcomeOf(WORKFLOW.changePullRequest, { requestId, ...input })).toEqual({
        failure: expect.stringMatching(REFUSED),
      });
    }
    expect(await outcomeOf(WORKFLOW.changePullRequest)).toEqual({ failure: expect.stringMatching(REFUSED) });
    expect(await stateOf()).toBe('open');
    expect(await findControlResult(db, other)).toBeNull();
  });

  test('does not reveal which paths of the machine exist', async () => {
    const existing = await outcomeOf(WORKFLOW.checkRepository, {
      host: 'local',
      repository: docent.repository,
      ref: null,
    });
    const missing = await outcomeOf(WORKFLOW.checkRepository, { host: 'local', repository: '/no/such', ref: null });
    expect(existing).toEqual({ failure: expect.stringMatching(REFUSED) });
    expect(missing).toEqual(existing);
  });

  test('has no server asked, and no credential sent', async () => {
    let asked = 0;
    const server: Server = createServer((_request, response) => {
      asked += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const webUrl = `http://127.0.0.1:${port}`;
    const settings = { id: 'near', kind: 'gitea', webUrl, apiUrl: `${webUrl}/api/v1`, appId: null } as const;
    const { db } = docent.database;
    await insertCodeHost(db, settings, encryptCredential(new SecretBox([new Secret(SECRET_KEY)]), settings, 'a-token'));
    const refused = { failure: expect.stringMatching(REFUSED) };
    const host = { host: 'near', repository: `${webUrl}/a/b`, ref: null };
    expect(await outcomeOf(WORKFLOW.checkHost, host)).toEqual(refused);
    expect(await outcomeOf(WORKFLOW.checkHost, { ...host, host: 'no-such-host' })).toEqual(refused);
    expect(await outcomeOf(WORKFLOW.checkRepository, host)).toEqual(refused);
    expect(await outcomeOf(WORKFLOW.checkModel, { model: 'openai/gpt-5.4' })).toEqual(refused);
    expect(asked).toBe(0);
    server.close();
  });

  test('neither archives an idle job, nor stretches the limits of one', async () => {
    const forged = await start(WORKFLOW.agentJob, {
      jobId,
      limits: { ...LIMITS, idleMs: 1, steps: 1e9, activityMs: 1e12 },
      searchAttributes: true,
    });
    const timer = async () =>
      (await forged.fetchHistory()).events?.find((event) => event.timerStartedEventAttributes)
        ?.timerStartedEventAttributes;
    await until('it has looked at the rows and waits', async () => Boolean(await timer()));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect((await docent.job(jobId)).status).toBe('completed');
    expect(Number((await timer())?.startToFireTimeout?.seconds)).toBe(LIMITS.restMs / 1_000);
    await forged.terminate();
  });

  test('ends immediately if there is no job', async () => {
    expect(await outcomeOf(WORKFLOW.agentJob, { jobId: 'nosuchjob', limits: LIMITS, searchAttributes: true })).toEqual({
      result: undefined,
    });
  });

  test('does the maintenance of analytics and no more, whatever it is given', async () => {
    const { result } = await outcomeOf(WORKFLOW.maintainAnalytics, { projectId: '../..', projects: ['../..'] });
    expect(result).toEqual({ projects: 0, failed: [] });
  });
});

describe('a manually sent signal', () => {
  test.for(['archive', 'cancel', 'unarchive', 'message', 'nonsense'])('(%s) changes nothing', async (reason) => {
    const before = await docent.job(jobId);
    const workflowId = `${taskQueue}-job-${jobId}`;
    await client.workflow.getHandle(workflowId).signal(WAKE_SIGNAL, { reason, preview: 'x' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await docent.job(jobId)).toEqual(before);
  });
});

describe('a request of the API', () => {
  test('is carried out once: its id is useless afterwards, and its answer is only in the row', async () => {
    const answer = await merge();
    expect(answer.status).toBe(200);
    expect(await stateOf()).toBe('merged');
    const tip = await mainTip();
    const { rows } = await docent.database.pool.query(
      `SELECT id, requested_by, attempts, result FROM control_requests WHERE kind = 'changePullRequest' AND result IS NOT NULL`,
    );
    expect(rows).toEqual([
      { id: expect.any(String), requested_by: 'operator', attempts: 1, result: { ok: true, state: 'merged' } },
    ]);
    // Readers of histories find the id there.
    expect(await outcomeOf(WORKFLOW.changePullRequest, { requestId: rows[0].id })).toEqual({ result: undefined });
    expect(await mainTip()).toBe(tip);
    const again = await docent.database.pool.query('SELECT attempts FROM control_requests WHERE id = $1', [rows[0].id]);
    expect(again.rows).toEqual([{ attempts: 1 }]);
    const handle = client.workflow.getHandle(`${taskQueue}-changePullRequest-${rows[0].id}`);
    const history = historyText(await handle.fetchHistory());
    expect(history).not.toContain(pullRequestId);
    expect(history).not.toContain('merged');
  });
});
