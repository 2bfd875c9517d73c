import { eq } from 'drizzle-orm';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listRested } from '../../src/store/automations/automation-runs.ts';
import { automationRuns, automations } from '../../src/store/automations/automation-schema.ts';
import { listSealedSecrets } from '../../src/store/installation/sealed-secrets.ts';
import { jobs, messages } from '../../src/store/schema.ts';
import { webhooks } from '../../src/store/webhooks/webhook-schema.ts';
import type { FoundFile } from '../../src/workflows/contract.ts';
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

test('a trigger starts one job with its context, however often it is repeated for the same release', async () => {
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

test('an automation starts on a schedule or on deliveries, and its runs show what happened with each event', async () => {
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

const file = (name: string, text: string | null): FoundFile => ({
  path: `.docent/automations/${name}`,
  kind: 'file',
  text,
});

/** What a worker finds in the repository. */
const answerWith =
  (found: () => { commit: string; files: FoundFile[] }): TestApi['workflows']['checkAnswer'] =>
  async ({ repository, ref, readFolder }) => ({
    ok: true,
    repository,
    url: '',
    ref: ref ?? 'main',
    repositoryId: null,
    site: null,
    instructions: null,
    commit: found().commit,
    files: readFolder === '.docent/automations' ? found().files : [],
  });

test('automations follow their files on the base branch only', async () => {
  const own = await api.addProject();
  let commit = 'b'.repeat(40);
  let files: FoundFile[] = [];
  api.workflows.checkAnswer = answerWith(() => ({ commit, files }));
  const run = (...args: string[]) => runInside(['automation', ...args, '--project', own], env, { input: '' });
  const states = async () => {
    const rows = await api.database.db.select().from(automations).where(eq(automations.projectId, own));
    return Object.fromEntries(rows.map(({ id, name, file: from }) => [id, `${name} ${from}`]));
  };
  await run('create', 'By hand', 'Fix links', '--id', 'hand');
  const weekly =
    'name: Weekly\nprompt: Fix links\ntrigger:\n  type: schedule\n  cron: "0 9 * * 1"\nbudget: { tokens: 900 }\n';
  files = [file('weekly.yaml', weekly), file('b.yml', 'name: B\nprompt: Fix typos\n')];

  const planned = await run('plan');
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  expect(planned.stdout).toContain('main at bbbbbbbbbb:\n+ create weekly (.docent/automations/weekly.yaml)\n');
  expect(planned.stdout).toMatch(/ {4}trigger: null → \{"type":"schedule","cron":"0 9 \* \* 1","timezone":"UTC"/);
  expect(Object.keys(await states())).toEqual(['hand']);
  expect((await run('apply')).code).toBe(2);
  expect((await run('apply', '--yes')).stdout).toContain('Applied:');
  const both = { weekly: 'Weekly .docent/automations/weekly.yaml', b: 'B .docent/automations/b.yml' };
  expect(await states()).toEqual({ hand: 'By hand null', ...both });
  // Again: nothing differs.
  for (const args of [['plan'], ['apply', '--yes']]) {
    expect((await run(...args)).stdout).toBe('The automations match their files on main at bbbbbbbbbb.\n');
  }

  // Manual changes, removed fields and removed files follow the files. A paused automation stays paused.
  await api.database.db
    .update(automations)
    .set({ pausedAt: new Date(), pausedReason: 'x' })
    .where(eq(automations.id, 'weekly'));
  await run('update', 'weekly', '--prompt', 'Other', '--draft');
  files = [file('weekly.yaml', weekly.replace('budget: { tokens: 900 }\n', ''))];
  const changed = JSON.parse((await run('plan', '--json')).stdout);
  expect(changed.changes).toMatchObject([
    { action: 'update', id: 'weekly', fields: [{ field: 'prompt' }, { field: 'draft' }, { field: 'budget' }] },
    { action: 'delete', id: 'b', fields: [] },
  ]);
  const apply = (of: string) =>
    api.call(`/v1/projects/${own}/automation-plan`, { method: 'POST', body: { commit: of } });
  const moved = await apply('c'.repeat(40));
  expect([moved.status, moved.json.code]).toEqual([412, 'precondition_failed']);
  const twice = await Promise.all([apply(commit), apply(commit)]);
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
  expect(twice.map(({ json }) => json.changes.length).toSorted((a, b) => a - b)).toEqual([0, 2]);
  expect(await states()).toEqual({ hand: 'By hand null', weekly: both.weekly });
  const [row] = await api.database.db.select().from(automations).where(eq(automations.id, 'weekly'));
  expect(row).toMatchObject({ prompt: 'Fix links', options: {}, pausedReason: 'x' });

  // Renamed, and changed at once: the file with the same `name` continues the automation.
  await api.database.db.insert(automationRuns).values({
    id: 'run-of-weekly',
    projectId: own,
    automationId: 'weekly',
    status: 'no_action',
    cause: { type: 'api', source: 'api', deliveryId: null, actor: null, url: null },
    source: 'api',
  });
  const renamed = 'name: weekly\nprompt: Fix typos\n';
  files = [file('every-week.yaml', renamed)];
  const plan = JSON.parse((await run('plan', '--json')).stdout);
  expect(plan.changes).toMatchObject([{ action: 'update', id: 'weekly', file: '.docent/automations/every-week.yaml' }]);
  expect((await run('plan')).stdout).toContain(
    'file: ".docent/automations/weekly.yaml" → ".docent/automations/every-week.yaml"',
  );
  expect((await apply(commit)).status).toBe(200);
  expect(await states()).toEqual({ hand: 'By hand null', weekly: 'weekly .docent/automations/every-week.yaml' });
  expect(JSON.parse((await run('runs', 'weekly', '--json')).stdout)).toMatchObject([{ id: 'run-of-weekly' }]);
  expect(JSON.parse((await run('plan', '--json')).stdout).changes).toEqual([]);
  // Its id is taken: a new file of that name is a problem, and creates no second automation.
  files = [file('every-week.yaml', renamed), file('weekly.yaml', 'name: Other\nprompt: x\n')];
  expect(JSON.parse((await run('plan', '--json')).stdout).problems).toMatchObject([
    { file: '.docent/automations/weekly.yaml', message: expect.stringContaining('every-week.yaml has the same ID') },
  ]);
  files = [file('weekly.yaml', weekly)];
  expect((await apply(commit)).status).toBe(200);
  expect(await states()).toEqual({ hand: 'By hand null', weekly: both.weekly });

  // A secret that a person set is not a difference, and stays with other changes.
  const hooked = (url: string) => `${weekly}webhook: { url: 'https://example.com/${url}' }\n`;
  files = [file('weekly.yaml', hooked('a'))];
  await apply(commit);
  const webhook = { url: 'https://example.com/a', secret: `whsec_${'A'.repeat(32)}` };
  const patched = await api.call(`/v1/projects/${own}/automations/weekly`, { method: 'PATCH', body: { webhook } });
  expect(patched.json.webhook).toMatchObject({ signed: true });
  const secretOf = async () => {
    const ofOwn = eq(automations.projectId, own);
    const rows = await api.database.db.select().from(automations).where(ofOwn);
    return rows.find(({ id }) => id === 'weekly')?.webhookSecret;
  };
  const secret = await secretOf();
  expect(secret).toBeTruthy();
  expect(JSON.parse((await run('plan', '--json')).stdout).changes).toEqual([]);
  files = [file('weekly.yaml', hooked('b'))];
  expect((await apply(commit)).json.changes).toMatchObject([{ fields: [{ field: 'webhook' }] }]);
  expect(await secretOf()).toEqual(secret);
  files = [file('weekly.yaml', weekly.replace('budget: { tokens: 900 }\n', ''))];
  await apply(commit);
  expect(await secretOf()).toBeNull();

  // A secret by its name: it must be there, signs each job's messages, and cannot be read.
  files = [
    file(
      'weekly.yaml',
      `${weekly.replace('budget: { tokens: 900 }\n', '')}webhook: { url: 'https://example.com/a', secretName: chat }\n`,
    ),
  ];
  const missing = JSON.parse((await run('plan', '--json')).stdout);
  expect(missing).toMatchObject({ changes: [], problems: [{ line: 6 }] });
  expect(missing.problems[0].message).toContain('no secret chat. Set it with `docent secret set chat`');
  const secrets = (...args: string[]) => runInside(['secret', ...args, '--project', own], env, { input: '' });
  await writeFile(path.join(folder, 'chat'), `whsec_${'A'.repeat(32)}\n`);
  expect((await secrets('set', 'chat', '--value', path.join(folder, 'chat'))).stdout).toBe('Stored chat.\n');
  const listed = await secrets('list', '--json');
  expect(JSON.parse(listed.stdout)).toEqual([{ name: 'chat', updatedAt: expect.any(String) }]);
  expect((await apply(commit)).json.changes).toMatchObject([{ fields: [{ after: { secretName: 'chat' } }] }]);
  expect(JSON.parse((await run('plan', '--json')).stdout).changes).toEqual([]);
  await run('update', 'weekly', '--enable');
  const start = () => api.call(`/v1/projects/${own}/automations/weekly/trigger`, { method: 'POST', body: {} });
  const { json: job } = await start();
  const [hook] = await api.database.db.select().from(webhooks).where(eq(webhooks.jobId, job.id));
  expect(hook).toMatchObject({ url: 'https://example.com/a', keyId: expect.any(String) });
  expect(await listSealedSecrets(api.database.db)).toContainEqual(expect.objectContaining({ kind: 'project secret' }));
  expect((await secrets('remove', 'chat', '--yes')).stdout).toBe('Removed chat.\n');
  expect((await secrets('remove', 'chat', '--yes')).stderr).toContain('no secret chat');
  expect((await start()).json).toMatchObject({ code: 'bad_request', error: expect.stringContaining('no secret chat') });
  files = [file('weekly.yaml', weekly.replace('budget: { tokens: 900 }\n', ''))];
  await apply(commit);

  // A file takes over an automation with its id that was created in another way. With a problem, nothing is
  // changed or deleted.
  commit = 'd'.repeat(40);
  files = [
    file('hand.yaml', 'name: Hand\nprompt: Fix links\n'),
    file('weekly.yaml', 'name: Weekly\nprompt: x\nnoSuch: 1\n'),
  ];
  const refused = await run('apply', '--yes');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('.docent/automations/weekly.yaml:3: `noSuch` is no field of an automation.');
  expect((await apply(commit)).json).toMatchObject({ code: 'bad_request' });
  // Files that the worker did not read do not count as deleted.
  files = Array.from({ length: 101 }, (_, i) => file(`a${i}.yaml`, `name: A${i}\nprompt: Fix links\n`));
  expect((await run('apply', '--yes')).stderr).toContain('more than 100 files');
  expect(await states()).toEqual({ hand: 'By hand null', weekly: both.weekly });
  files = [file('hand.yaml', 'name: Hand\nprompt: Fix links\n')];
  expect((await apply(commit)).status).toBe(200);
  expect(await states()).toEqual({ hand: 'Hand .docent/automations/hand.yaml' });
}, 60_000);

const define = (name: string, more = '') => `name: ${name}\nprompt: Fix links\n${more}`;

describe('a plan of files', () => {
  let own: string;
  let files: FoundFile[] = [];
  const commit = 'e'.repeat(40);
  const run = (...args: string[]) => runInside(['automation', ...args, '--project', own], env, { input: '' });
  const read = () => api.call(`/v1/projects/${own}/automation-plan`);
  const apply = (headers: Record<string, string> = {}) =>
    api.call(`/v1/projects/${own}/automation-plan`, { method: 'POST', body: { commit }, headers });
  const rowsOf = () => api.database.db.select().from(automations).where(eq(automations.projectId, own));
  const namesById = async () => Object.fromEntries((await rowsOf()).map(({ id, name }) => [id, name]));

  beforeEach(async () => {
    own = await api.addProject();
    files = [];
    api.workflows.checkAnswer = answerWith(() => ({ commit, files }));
  });

  test('is applied as it was shown, or not at all, though two editors apply it or change an automation', async () => {
    files = [file('a.yaml', define('A')), file('b.yaml', define('B'))];
    const tag = (await read()).headers.get('etag') ?? '';
    await run('create', 'C', 'Fix links', '--id', 'c');
    await run('create', 'Other', 'Fix links', '--id', 'a');
    const late = await apply({ 'if-match': tag });
    expect([late.status, late.json.error]).toEqual([412, 'The automations have changed since this plan. Plan again.']);
    expect(await namesById()).toEqual({ a: 'Other', c: 'C' });
    const now = (await read()).headers.get('etag') ?? '';
    const both = await Promise.all([apply({ 'if-match': now }), apply({ 'if-match': now })]);
    expect(both.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 412]);
    expect(await namesById()).toEqual({ a: 'A', b: 'B', c: 'C' });
  });

  test('never replaces a newer commit, though the call that read the older one ends last', async () => {
    const older = { commit, files: [file('a.yaml', define('Old')), file('b.yaml', define('B'))] };
    const newer = { commit: 'f'.repeat(40), files: [file('a.yaml', define('New'))] };
    const held = Promise.withResolvers<void>();
    const isReading = Promise.withResolvers<void>();
    let found = older;
    api.workflows.checkAnswer = async (asked) => {
      const answer = await answerWith(() => found)(asked);
      if (found === older) {
        isReading.resolve();
        await held.promise;
      }
      return answer;
    };
    const late = apply();
    await isReading.promise;
    found = newer;
    const route = `/v1/projects/${own}/automation-plan`;
    expect((await api.call(route, { method: 'POST', body: { commit: newer.commit } })).status).toBe(200);
    held.resolve();
    expect((await late).json).toMatchObject({
      code: 'precondition_failed',
      error: expect.stringContaining('ffffffffff'),
    });
    expect(await namesById()).toEqual({ a: 'New' });
  });

  test('swaps names, and passes one on to the next file', async () => {
    files = [file('a.yaml', define('A')), file('b.yaml', define('B')), file('c.yaml', define('C'))];
    expect((await apply()).status).toBe(200);
    files = [
      file('a.yaml', define('b')),
      file('b.yaml', define('A')),
      file('c.yaml', define('D')),
      file('d.yml', define('C')),
    ];
    expect((await run('apply', '--yes')).stderr).toBe('');
    expect(await namesById()).toEqual({ a: 'b', b: 'A', c: 'D', d: 'C' });
  });

  test('says what stops it before anything is applied', async () => {
    await run('create', 'Links', 'Fix links', '--id', 'hand');
    files = [file('links.yaml', define('LINKS'))];
    const named = await run('plan');
    expect(named.code).toBe(1);
    expect(named.stdout).toContain(
      '.docent/automations/links.yaml:1: `name`: The automation hand has the same ID or name.',
    );
    files = Array.from({ length: 100 }, (_, i) => file(`a${i}.yaml`, define(`A${i}`)));
    expect((await run('apply', '--yes')).stderr).toContain('would have 101 automations. The limit is 100.');
    files = [file('a.yaml', define('A', 'model: nobody/has-this\n')), file('b.yaml', define('B'))];
    const refused = await run('apply', '--yes');
    expect(refused.stderr).toContain('.docent/automations/a.yaml:3: ');
    files = [
      { ...file('linked.yaml', null), kind: 'symlink' },
      file('red.yaml', define('Red', '"\\e[31mx": 1\nwebhook: { url: "https://x.example", secret: whsec_VALUE }\n')),
    ];
    const hostile = await run('plan');
    expect(hostile.stdout).toContain('.docent/automations/linked.yaml:1: Docent follows no symbolic links.');
    for (const text of ['\u001b', 'whsec_VALUE']) expect(hostile.stdout).not.toContain(text);
    files = [{ path: '.docent/automations', kind: 'symlink', text: null }];
    expect((await apply()).json.error).toMatch(/^\.docent\/automations:1: Docent follows no symbolic links/);
    expect(await namesById()).toEqual({ hand: 'Links' });
  });

  test('deletes an automation whose run is at work, and the job continues', async () => {
    files = [file('hook.yaml', define('Hook'))];
    await apply();
    const job = JSON.parse((await run('trigger', 'hook', '--no-wait', '--json')).stdout);
    files = [];
    expect((await apply()).json.changes).toMatchObject([{ action: 'delete', id: 'hook' }]);
    const { db } = api.database;
    expect(await db.$count(automationRuns, eq(automationRuns.projectId, own))).toBe(0);
    const shown = await api.call(`/v2/agent/${own}/job/${job.id}`);
    expect(shown.json).toMatchObject({ status: 'active', automationId: 'hook' });
    await db.update(jobs).set({ status: 'completed', outcome: 'unchanged' }).where(eq(jobs.id, job.id));
    expect(await listRested(db, 1_000)).toEqual([]);
    // The same file again is a new automation.
    files = [file('hook.yaml', define('Hook'))];
    await apply();
    expect(await rowsOf()).toMatchObject([{ id: 'hook', runs: 0 }]);
  });
});
