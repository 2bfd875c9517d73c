import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLog } from '../../src/store/access/audit-schema.ts';
import { removeOldAudit } from '../../src/store/installation/retention.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

/** The entries of a query, once all outcomes are known. */
async function audit(query = '', from: TestApi = api) {
  const read = async () => (await from.call(`/v1/audit?limit=100&${query}`)).json.entries;
  await expect
    .poll(async () => (await read()).filter((entry: { status: number | null }) => entry.status === null))
    .toEqual([]);
  return read();
}

const job = (projectId: string, key: string, headers: Record<string, string> = {}) =>
  api.call(`/v2/agent/${projectId}/job`, { body: { prompt: 'Say nothing of this prompt' }, token: key, headers });

const daysAgo = (days: number) => sql`now() - make_interval(days => ${days})`;

describe('the audit log', () => {
  test('records the creator of a job with address, fields and outcome', async () => {
    const projectId = await api.addProject();
    const key = await api.addKey({ name: 'CI' });
    const answer = await job(projectId, key, { 'user-agent': 'ci/1.0' });
    expect(answer.status).toBe(201);
    const [entry, ...others] = await audit(`projectId=${projectId}`);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actor: { kind: 'key', id: expect.stringMatching(/^key_/), name: 'CI', keyId: null },
      operation: 'createJob',
      projectId,
      changed: ['prompt'],
      createdId: answer.json.id,
      address: '127.0.0.1',
      userAgent: 'ci/1.0',
      requestId: answer.headers.get('x-request-id'),
      status: 201,
      code: null,
      replayed: false,
    });
    expect(JSON.stringify(await api.database.db.select().from(auditLog))).not.toContain('Say nothing');
  });

  test("marks a replay, and counts a token's actions for its key", async () => {
    const projectId = await api.addProject();
    const key = await api.addKey({ name: 'Site' });
    const headers = { 'idempotency-key': 'once' };
    await job(projectId, key, headers);
    await job(projectId, key, headers);
    const made = await api.call('/v1/tokens', { body: { projectId, scopes: ['write'] }, token: key });
    expect(made.status, made.text).toBe(201);
    await job(projectId, made.json.token);
    const entries = await audit(`projectId=${projectId}`);
    expect(entries.map((entry: { replayed: boolean }) => entry.replayed)).toEqual([false, true, false]);
    const { actor } = entries[0];
    expect(actor).toMatchObject({ kind: 'token', name: 'Site' });
    const ofKey = await audit(`actor=${actor.keyId}`);
    expect(ofKey.map((entry: { operation: string }) => entry.operation)).toEqual([
      'createJob',
      'createToken',
      'createJob',
      'createJob',
    ]);
    expect(await audit(`actor=${actor.id}`)).toHaveLength(1);
  });

  test('records refusals with their codes, within limits', async () => {
    const projectId = await api.addProject();
    const reader = await api.addKey({ name: 'reader', scopes: ['read'] });
    expect((await job(projectId, reader)).status).toBe(403);
    expect((await api.call(`/v1/projects/${projectId}x`, { method: 'DELETE' })).status).toBe(404);
    // Without a key: wrong ones are refused by another limit, too.
    const nobody = () => api.call(`/v2/agent/${projectId}/job`, { body: { prompt: 'a' }, token: null });
    const strangers = await Promise.all(Array.from({ length: 200 }, nobody));
    expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([401]));
    await expect.poll(async () => (await audit(`actor=anonymous&projectId=${projectId}`)).length).toBeGreaterThan(0);
    const wrong = await audit(`actor=anonymous&projectId=${projectId}`);
    // And one more each second.
    expect(await api.database.db.$count(auditLog, eq(auditLog.projectId, projectId))).toBeLessThan(100);
    expect(new Set(wrong.map((entry: { status: number; code: string }) => `${entry.status} ${entry.code}`))).toEqual(
      new Set(['401 unauthorized']),
    );
    const [refused] = (await audit(`projectId=${projectId}`)).filter(
      (e: { actor: { name: string } }) => e.actor.name === 'reader',
    );
    expect(refused).toMatchObject({ status: 403, code: 'forbidden_scope' });
    const [missing] = await audit(`projectId=${projectId}x`);
    expect(missing).toMatchObject({
      operation: 'deleteProject',
      status: 404,
      code: 'project_not_found',
      actor: { kind: 'operator' },
    });
  });

  test('handles a user agent of 10 kB, or with terminal control characters', async () => {
    const projectId = await api.addProject();
    const key = await api.addKey();
    await job(projectId, key, { 'user-agent': `x\u009b31m${'y'.repeat(10_000)}` });
    const [entry] = await audit(`projectId=${projectId}`);
    expect(entry.userAgent).toMatch(/^x\uFFFD31my{290,}…$/);
    expect(entry.userAgent).toHaveLength(300);
  });

  test('pages through everything once, newest first, while more comes, and refuses the cursor of another list', async () => {
    const projectId = await api.addProject();
    await api.database.db
      .execute(sql`INSERT INTO audit_log (at, actor_kind, operation, project_id, changed, request_id, status)
      SELECT '2026-01-01'::timestamptz + (n / 7) * interval '1 ms', 'operator', 'createJob', ${projectId}, '{}', n::text, 201
      FROM generate_series(1, 250) AS n`);
    const seen: string[] = [];
    let path: string | null = `/v1/audit?projectId=${projectId}&limit=37`;
    while (path) {
      const { json, headers }: Awaited<ReturnType<TestApi['call']>> = await api.call(path);
      seen.push(...json.entries.map((entry: { requestId: string }) => entry.requestId));
      const link = headers.get('link');
      path = link ? `/v1/audit${/<([^>]+)>/.exec(link)?.[1]}` : null;
      if (path) await job(projectId, await api.addKey());
    }
    expect(seen).toEqual(Array.from({ length: 250 }, (_, i) => String(250 - i)));
    const { json } = await api.call(`/v1/audit?limit=1`);
    expect((await api.call(`/v1/audit?limit=1&operation=createJob&cursor=${json.nextCursor}`)).status).toBe(400);
    const inTime = `from=2026-01-01T00:00:00.010Z&to=2026-01-01T00:00:00.012Z`;
    expect(await audit(`projectId=${projectId}&${inTime}`)).toHaveLength(14);
    expect((await api.call('/v1/audit?from=2026-02-01&to=2026-01-01')).json.param).toBe('from');
  });

  test('is for the operator alone', async () => {
    expect((await api.call('/v1/audit', { token: await api.addKey() })).status).toBe(403);
    expect((await api.call('/v1/audit', { token: null })).status).toBe(401);
  });

  test('deletes only entries past their retention', async () => {
    const row = { actorKind: 'operator' as const, operation: 'setModel', changed: [], requestId: 'old', status: 200 };
    await api.database.db.insert(auditLog).values([
      { ...row, at: daysAgo(366) },
      { ...row, at: daysAgo(364) },
    ]);
    await removeOldAudit(api.database.db, { days: 365 });
    expect((await audit('operation=setModel')).map((entry: { requestId: string }) => entry.requestId)).toEqual(['old']);
  });
});

test('for a merge by form, it names the job and the sender, without the address of the page', async () => {
  const { startExampleWorld, EXAMPLE_IDS } = await import('../support/example-world.ts');
  const world = await startExampleWorld();
  try {
    await world.prepare('mergePullRequest');
    const send = (token: string | null) =>
      world.api.call(`/pull-requests/${EXAMPLE_IDS.prId}/merge`, {
        method: 'POST',
        token,
        headers: { accept: 'application/json' },
      });
    expect((await send(null)).status).toBe(401);
    // A refusal is written a moment after its answer.
    await expect.poll(() => audit('operation=mergePullRequest', world.api)).toHaveLength(1);
    expect((await send(world.api.operatorToken)).status).toBe(200);
    const entries = await audit('operation=mergePullRequest', world.api);
    const target = { id: EXAMPLE_IDS.id };
    expect(entries).toMatchObject([
      { actor: { kind: 'operator' }, projectId: EXAMPLE_IDS.projectId, target, status: 200 },
      { actor: { kind: 'anonymous' }, projectId: EXAMPLE_IDS.projectId, target, status: 401 },
    ]);
    expect(JSON.stringify(await world.api.database.db.select().from(auditLog))).not.toContain(EXAMPLE_IDS.prId);
  } finally {
    await world.close();
  }
});

describe('without the database', () => {
  test('nothing changes, the answer is 503, and outcomes of earlier writes are written later', async () => {
    const own = await startTestApi();
    try {
      const key = await own.addKey();
      const projectId = await own.addProject();
      const refuse = (isRefused: boolean) =>
        own.database.db.execute(
          isRefused
            ? sql`ALTER TABLE audit_log RENAME TO audit_log_away`
            : sql`ALTER TABLE audit_log_away RENAME TO audit_log`,
        );
      await refuse(true);
      const before = await own.call(`/v2/agent/${projectId}/job`, { body: { prompt: 'a' }, token: key });
      expect(before.status).toBeGreaterThanOrEqual(500);
      expect((await own.call(`/v2/agent/${projectId}/jobs`, { token: key })).json.jobs).toEqual([]);
      await refuse(false);

      await own.database.db.execute(sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'away' USING ERRCODE = '57P01'; END $$`);
      await own.database.db.execute(
        sql`CREATE TRIGGER refuse BEFORE UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse()`,
      );
      expect((await own.call(`/v2/agent/${projectId}/job`, { body: { prompt: 'a' }, token: key })).status).toBe(201);
      await sleep(300);
      expect((await own.call(`/v1/audit?projectId=${projectId}`)).json.entries[0].status).toBe(null);
      await own.database.db.execute(sql`DROP TRIGGER refuse ON audit_log`);
      expect((await audit(`projectId=${projectId}`, own))[0].status).toBe(201);
    } finally {
      await own.close();
    }
  });
});
