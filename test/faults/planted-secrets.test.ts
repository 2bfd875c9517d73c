import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { expect, test } from 'vitest';
import { installationId } from '../../src/store/installation/installation.ts';
import { historyText } from '../support/history-text.ts';
import { Installation } from '../support/installation.ts';
import { services } from '../support/run-services.ts';

const planted = (what: string) => `${what}${randomBytes(12).toString('hex')}`;
const IN_PAGE = planted('page');
const IN_TOOL = planted('tool');
const IN_PROMPT = planted('prompt');
const VISITOR = planted('visitor');

const FILES = {
  'docs.json': '{ "name": "Acme", "navigation": { "pages": ["index"] } }\n',
  'index.mdx': `---\ntitle: Welcome\n---\n\n${IN_PAGE} is said here.\n`,
};

/**
 * Makes the database reject rows with all their values in the error: in the message, the detail, the hint and
 * the context.
 */
const REFUSE = `
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'no: %', NEW USING DETAIL = NEW::text, HINT = NEW::text, ERRCODE = TG_ARGV[0]; END $$`;
const refuseOn = (table: string, state: string) =>
  `CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse('${state}')`;
const allowOn = (table: string) => `DROP TRIGGER refuse ON ${table}`;

test('prompts, page texts and visitors are in no log and no history, whichever query fails', async () => {
  const docent = await Installation.create({ files: FILES, env: { DOCENT_LOG_LEVEL: 'debug' } });
  const { pool, db } = docent.database;
  try {
    for (const word of [IN_PAGE, IN_TOOL, IN_PROMPT, VISITOR]) docent.forbiddenTexts.add(word);
    const [api, worker] = await Promise.all([docent.startApi(), docent.startWorker()]);
    await docent.createProject();
    await pool.query(REFUSE);
    // The first line is the title, which histories show.
    const prompt = `Fix broken links.\nAppend a section "${IN_PROMPT}" with text "${IN_TOOL}" to the page index`;

    // The API: a fault, an invalid value, and a query that takes too long.
    for (const state of ['P0001', '22P02', '57014', '23505']) {
      await pool.query(refuseOn('messages', state));
      await expect(docent.post(prompt)).rejects.toThrow(/refused/);
      await pool.query(allowOn('messages'));
    }

    // A worker, at each row that holds something of people: the turn fails, or continues when the database
    // does.
    for (const table of ['transcript', 'overlay_files', 'job_events', 'pull_requests']) {
      await pool.query(refuseOn(table, '22P02'));
      if (table === 'job_events') {
        await expect(docent.post(prompt)).rejects.toThrow(/refused/);
        await pool.query(allowOn(table));
        continue;
      }
      const id = await docent.post(prompt);
      const failed = await docent.settled(id, 150_000);
      expect(failed).toMatchObject({ status: 'failed', error: { code: 'internal' } });
      expect(docent.forbiddenTexts.foundIn(JSON.stringify(failed.error))).toBeUndefined();
      await pool.query(allowOn(table));
    }

    // Connections that break in the middle of a query.
    const sleeping = `CREATE FUNCTION doze() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2); RETURN NEW; END $$;
      CREATE TRIGGER doze BEFORE INSERT ON transcript FOR EACH ROW EXECUTE FUNCTION doze()`;
    await pool.query(sleeping);
    const broken = await docent.post(prompt);
    const dozing = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`;
    await expect.poll(async () => (await pool.query(dozing)).rowCount).toBeGreaterThan(0);
    await pool.query(`SELECT pg_terminate_backend(pid) FROM (${dozing}) AS d`);
    await pool.query('DROP TRIGGER doze ON transcript');
    expect((await docent.settled(broken)).status).toBe('completed');

    // Page views.
    const { response } = await docent.client.POST('/v1/analytics/{projectId}/events', {
      params: { path: { projectId: docent.projectId } },
      body: { events: [{ timestamp: new Date().toISOString(), path: '/', visitorId: VISITOR }] } as never,
    });
    expect([200, 202, 400]).toContain(response.status);

    await Promise.all([api.kill('SIGTERM'), worker.kill('SIGTERM')]);
    expect(worker.output()).toContain('QueryFailed');
    expect(api.output()).toContain('QueryFailed');

    // Histories hold only the prompt's beginning, for the Web UI, as documented.
    docent.forbiddenTexts.add(docent.operatorToken);
    const connection = await Connection.connect({ address: services.temporalAddress });
    const { workflow } = new Client({ connection });
    const prefix = `docent-${await installationId(db)}`;
    let histories = 0;
    for await (const { workflowId, runId } of workflow.list({ query: `WorkflowId STARTS_WITH "${prefix}"` })) {
      const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
      const [, ...later] = events ?? [];
      const text = historyText(later);
      for (const word of [IN_PAGE, IN_TOOL, IN_PROMPT, VISITOR, docent.operatorToken]) expect(text).not.toContain(word);
      histories += 1;
    }
    expect(histories).toBeGreaterThan(4);
    await connection.close();
  } finally {
    await docent.stop();
  }
}, 600_000);
