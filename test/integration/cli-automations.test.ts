import { eq } from 'drizzle-orm';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { automations } from '../../src/store/automations/automation-schema.ts';
import { jobs, messages } from '../../src/store/schema.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { commandEnv } from '../support/command.ts';
import { runInside } from '../support/run-inside.ts';

let api: TestApi;
let project: string;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  api = await startTestApi();
  project = await api.addProject();
  folder = await mkdtemp(path.join(tmpdir(), 'docent-cli-automations-'));
  env = commandEnv(folder, { DOCENT_URL: api.url, DOCENT_OPERATOR_TOKEN: api.operatorToken });
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

const automation = (args: string[], input = '') => {
  const [command = '', ...rest] = args;
  return runInside(['automation', command, '--project', project, ...rest], env, { input });
};
const inJson = async (args: string[], input = '') => JSON.parse((await automation([...args, '--json'], input)).stdout);

test('an automation is created, listed, shown, changed, switched off and removed', async () => {
  const options = [
    '--id',
    'links',
    '--branch',
    'docs/links-{run}',
    '--draft',
    '--budget-usd',
    '2',
    '--metadata',
    'a=b',
  ];
  const created = await automation(['create', 'Broken links', '-', ...options], 'Fix the broken links.');
  expect(created).toMatchObject({ code: 0, stderr: '' });
  expect(created.stdout).toContain('docent automation trigger links');
  expect(await inJson(['list'])).toMatchObject([{ id: 'links', prompt: 'Fix the broken links.', runs: 0 }]);
  expect((await automation(['list'])).stdout).toMatch(/^ID +STATE +RUNS +LAST +NAME\nlinks +on +0 +– +Broken links/);
  const shown = (await automation(['show', 'links'])).stdout;
  // As people know it.
  expect((await automation(['show', 'broken LINKS'])).stdout).toBe(shown);
  for (const words of ['docs/links-{run}', 'draft', '$2', 'a=b', 'Fix the broken links.'])
    expect(shown).toContain(words);
  const changed = await inJson(['update', 'links', '--disable', '--clear', 'draft', 'budget', '--name', 'Links']);
  expect(changed).toMatchObject({
    enabled: false,
    draft: null,
    budget: null,
    name: 'Links',
    branch: 'docs/links-{run}',
  });
  const refused = await automation(['trigger', 'links']);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('docent automation update links --enable');
  expect((await automation(['update', 'links'])).code).toBe(2);
  expect((await automation(['update', 'links', '--enable', '--disable'])).code).toBe(2);
  expect((await automation(['delete', 'links'])).code).toBe(2);
  expect((await automation(['delete', 'links', '--yes'])).stdout).toContain('Removed links.');
  expect((await automation(['show', 'links'])).stderr).toContain('docent automation list');
  expect((await automation(['list'])).stdout).toContain('docent automation create');
});

test('a trigger starts one job however often it is repeated for the same release, with what it is about', async () => {
  await inJson(['create', 'Changelog', 'Fix broken links', '--id', 'changelog']);
  const notes = path.join(folder, 'notes.md');
  await writeFile(notes, 'Dark mode is new.');
  const fire = () => inJson(['trigger', 'changelog', '--about-file', notes, '--once', 'v2.4.0', '--no-wait']);
  const [first, again] = [await fire(), await fire()];
  expect([first.automationId, again.id]).toEqual(['changelog', first.id]);
  const [message] = await api.database.db.select().from(messages).where(eq(messages.jobId, first.id));
  expect(message?.prompt).toContain('Dark mode is new.');
  const next = await inJson(['trigger', 'changelog', '--about', 'x', '--no-wait']);
  expect(next.id).not.toBe(first.id);
  expect(await api.database.db.$count(jobs, eq(jobs.automationId, 'changelog'))).toBe(2);
  const listed = await runInside(['job', 'list', '--project', project, '--automation', 'changelog', '--json'], env);
  expect(JSON.parse(listed.stdout).map(({ id }: { id: string }) => id)).toEqual([next.id, first.id]);
  const job = await runInside(['job', 'show', '--project', project, next.id], env);
  expect(job.stdout).toMatch(/automation +changelog/);
  expect((await automation(['trigger', 'changelog', '--about-file', path.join(folder, 'none')])).code).toBe(2);
});

test('an automation starts on a schedule or on deliveries, and its runs say what came of each event', async () => {
  const weekly = [
    'create',
    'Weekly',
    'Fix links',
    '--id',
    'weekly',
    '--cron',
    '0 9 * * 1',
    '--timezone',
    'Europe/Berlin',
  ];
  expect(await inJson([...weekly, '--max-runs-per-day', '2', '--no-fold'])).toMatchObject({
    trigger: { type: 'schedule', cron: '0 9 * * 1', timezone: 'Europe/Berlin', catchUp: 'one' },
    maxRunsPerDay: 2,
    foldIntoOpenPullRequest: false,
  });
  const weeklyShown = (await automation(['show', 'weekly'])).stdout;
  expect(weeklyShown).toContain('At 09:00 AM, only on Monday (Europe/Berlin)');
  expect(weeklyShown).toMatch(/^next run +\d{4}-\d\d-\d\d 0[78]:00 UTC$/m);
  const folded = await inJson(['update', 'weekly', '--fold', '--clear', 'max-runs-per-day', 'trigger']);
  expect(folded).toMatchObject({ foldIntoOpenPullRequest: true, maxRunsPerDay: null, trigger: { type: 'api' } });
  expect((await inJson(['update', 'weekly', '--cooldown', '5'])).foldIntoOpenPullRequest).toBe(true);
  expect(await automation(['update', 'weekly', '--timezone', 'UTC'])).toMatchObject({ code: 2 });

  const created = await automation(['create', 'Hook', 'Fix', '--id', 'hook', '--filter', "action == 'published'"]);
  expect(created.stdout).toContain('docent automation secret hook');
  const { url, secret } = await inJson(['secret', 'hook']);
  expect([url, secret]).toEqual([expect.stringMatching(/\/v1\/hooks\/hook$/), expect.stringMatching(/^whsec_/)]);
  expect((await automation(['runs', 'hook'])).stdout).toBe('No runs yet.\n');
  await automation(['trigger', 'hook', '--once', 'v3', '--no-wait']);
  expect((await automation(['runs', 'hook'])).stdout).toMatch(/^RUN +STATUS .*\n1 +running .* api Operator +1 /);
  expect(await inJson(['runs', 'hook', '--status', 'skipped'])).toEqual([]);

  const paused = { pausedAt: new Date(), pausedReason: '3 runs in a row have failed.' };
  await api.database.db.update(automations).set(paused).where(eq(automations.id, 'hook'));
  expect((await automation(['list'])).stdout).toMatch(/^hook +paused /m);
  const { stdout } = await runInside(['status'], env);
  expect(stdout).toContain(`${project}: automation hook is paused. 3 runs in a row have failed. To resume it:`);
});
