import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { filesBelow } from '../../src/analytics/storage/files-below.ts';
import { freePort } from '../support/free-port.ts';
import { damageOf } from '../../src/store/analytics/damage.ts';
import { findFolder } from '../../src/store/analytics/folder.ts';
import { folderHolders } from '../../src/store/installation/folder-lock.ts';
import { BARE_ENV } from '../support/bare-env.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf, fillProject } from '../support/analytics-load.ts';
import type { FolderOrders } from '../support/folder-process.ts';
import { spawnRole, untilReady, type RoleProcess } from '../support/role-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';
import { builtProcess, CLI } from '../support/processes.ts';
import { services } from '../support/run-services.ts';

const FOLDER_PROCESS = builtProcess('folder-process');
const TOKEN = 'a-token-of-an-operator-that-is-long-enough';
const BATCHES = 4;

/** `docent api` on an analytics folder. */
interface Api {
  role: RoleProcess;
  url: string;
  call(path: string, body?: unknown): Promise<Response>;
}

let bench: AnalyticsBench;
let elsewhere: string;
let started: { kill(): Promise<void> }[] = [];
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  elsewhere = await mkdtemp(path.join(tmpdir(), 'docent-elsewhere-'));
});
afterEach(async () => {
  for (const role of started) await role.kill();
  started = [];
  await rm(elsewhere, { recursive: true, force: true });
});

async function spawnApi(folder: string): Promise<Api> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const role = spawnRole('api', {
    DATABASE_URL: bench.database.url,
    TEMPORAL_ADDRESS: services.temporalAddress,
    DOCENT_PORT: String(port),
    DOCENT_OPERATOR_TOKEN: TOKEN,
    DOCENT_ANALYTICS_DIR: folder,
    DOCENT_CACHE_DIR: path.join(elsewhere, 'cache'),
  });
  started.push(role);
  return {
    role,
    url,
    call: (route, body) =>
      fetch(url + route, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

const answers = async (api: Api) => (await fetch(`${api.url}/healthz`)).ok;

async function viewsAt(api: Api, project: string): Promise<number> {
  const answer = await api.call(`/v1/analytics/${project}/views`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { totals: { total: number } }).totals.total;
}

test('a second API with its own folder refuses to start, and no view is lost', async () => {
  const project = await fillProject(bench, { batches: BATCHES, unmerged: 2 });
  const first = await spawnApi(bench.folder.root);
  await untilReady(first.role, () => answers(first));
  expect(await viewsAt(first, project)).toBe(BATCHES * BATCH);

  const second = await spawnApi(path.join(elsewhere, 'analytics'));
  const ended = await Promise.race([second.role.ended, untilReady(second.role, () => answers(second))]);
  if (ended === undefined) {
    // Continues after a failed guard, to see the effect.
    for (const api of [second, first]) {
      expect((await api.call(`/v1/analytics/${project}/events`, { events: eventsOf(0) })).status).toBe(202);
      await sleep(2_500);
      await api.call(`/v1/analytics/${project}/views`);
    }
  }
  expect(await viewsAt(first, project)).toBe(BATCHES * BATCH);
  expect(await damageOf(bench.database.db, project)).toEqual([]);
  expect(ended).toBe(1);
  for (const words of [bench.folder.root, path.join(elsewhere, 'analytics'), 'DOCENT_ANALYTICS_DIR'])
    expect(second.role.output()).toContain(words);
});

test('while an analytics folder is missing, every query answers 503; when it is back, all work as before', async () => {
  const project = await fillProject(bench, { batches: BATCHES, unmerged: 2 });
  const api = await spawnApi(bench.folder.root);
  await untilReady(api.role, () => answers(api));
  expect(await viewsAt(api, project)).toBe(BATCHES * BATCH);
  const send = (no: number) => api.call(`/v1/analytics/${project}/events`, { events: eventsOf(no) });
  const views = () => api.call(`/v1/analytics/${project}/views`);
  const ready = () => api.call('/readyz');
  expect((await send(BATCHES)).status).toBe(202);

  const { root } = bench.folder;
  await rename(root, `${root}-away`);
  // The mount point of an unmounted disk: an empty folder, or one that a process once wrote to.
  for (const name of ['', 'wal', 'files', 'tmp', 'processes']) await mkdir(path.join(root, name));
  for (const ask of [() => send(BATCHES + 1), views, ready]) {
    await expect.poll(async () => (await ask()).status).toBe(503);
  }
  const told = (await (await ready()).json()) as { error: string };
  expect(told).toMatchObject({ code: 'unavailable', analyticsFolder: false, database: true });
  expect(told.error).toContain('analytics folder');
  await sleep(3_000);
  expect((await views()).status).toBe(503);
  expect(await filesIn(root)).toEqual([]);

  await rm(root, { recursive: true });
  await rename(`${root}-away`, root);
  for (const ask of [ready, views]) {
    await expect.poll(async () => (await ask()).status).not.toBe(503);
  }
  await expect.poll(async () => (await send(BATCHES + 1)).status).toBe(202);
  await expect.poll(() => viewsAt(api, project)).toBe((BATCHES + 2) * BATCH);
  expect(await damageOf(bench.database.db, project)).toEqual([]);
});

const filesIn = async (root: string) => (await filesBelow(root)).map((file) => path.relative(root, file));

/** A process that holds a folder. */
interface Holder {
  /** Its output, line by line. */
  said: string[];
  ended: Promise<string | null>;
  kill(): Promise<void>;
}

function hold(database: TestDatabase, folder: string, more: Partial<FolderOrders> = {}): Holder {
  const orders: FolderOrders = { databaseUrl: database.url, folder, ...more };
  const child = spawn(process.execPath, [FOLDER_PROCESS, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(...chunk.toString().trim().split('\n')));
  child.stderr.on('data', (chunk: Buffer) => said.push(`error ${chunk.toString()}`));
  const ended = once(child, 'exit').then(([, signal]) => signal as string | null);
  const holder = {
    said,
    ended,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
  started.push(holder);
  return holder;
}

const first = (holder: Holder) => expect.poll(() => holder.said[0], { timeout: 120_000, interval: 20 });

/** A database of an installation that has no folder yet. */
async function withDatabase(work: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  try {
    await work(database);
  } finally {
    for (const role of started) await role.kill();
    await database.drop();
  }
}

test('of simultaneous processes with separate folders, one wins; with the same folder, all run', () =>
  withDatabase(async (database) => {
    const folders = ['a', 'b'].map((name) => path.join(elsewhere, name));
    const holders = folders.flatMap((folder) => [hold(database, folder), hold(database, folder)]);
    for (const holder of holders) await first(holder).toBeDefined();
    const words = holders.map(({ said }) => said[0]!.split(' ')[0]);
    expect(words.map(String).toSorted()).toEqual(['open', 'open', 'refused', 'refused']);
    const winner = folders[Math.floor(words.indexOf('open') / 2)]!;
    expect(words[words.indexOf('open') + 1]).toBe('open');
    for (const { said } of holders.filter((_, i) => words[i] === 'refused')) expect(said[0]).toContain(winner);
    // Refused processes left no trace of another folder.
    const { id } = (await findFolder(database.db))!;
    expect(JSON.parse(await readFile(path.join(winner, 'identity.json'), 'utf8'))).toMatchObject({ folder: id });
    expect((await filesBelow(elsewhere)).filter((file) => file.endsWith('identity.json'))).toHaveLength(1);
  }));

test.each(['folder-identity-written', 'folder-claimed'])(
  'a process that dies at %s leaves a folder that the next one opens, and that no other folder can take the place of',
  (fault) =>
    withDatabase(async (database) => {
      const folder = path.join(elsewhere, 'analytics');
      expect(await hold(database, folder, { fault }).ended).toBe('SIGKILL');
      const before = JSON.parse(await readFile(path.join(folder, 'identity.json'), 'utf8')) as { folder: string };
      await first(hold(database, folder)).toBe('open');
      expect(await findFolder(database.db)).toMatchObject({ id: before.folder });
      await first(hold(database, path.join(elsewhere, 'other'))).toContain('refused');
    }),
);

const QUICK = { beatMs: 200 };

/** A killed process releases the folder a moment later. */
const untilFree = (database: TestDatabase) => expect.poll(() => folderHolders(database.db)).toEqual([]);

test('a copy of the folder is refused while the original is open; of both at the same time, one runs', () =>
  withDatabase(async (database) => {
    const original = path.join(elsewhere, 'original');
    const copy = path.join(elsewhere, 'copy');
    await first(hold(database, original, QUICK)).toBe('open');
    await cp(original, copy, { recursive: true, preserveTimestamps: true });
    const late = hold(database, copy, QUICK);
    await first(late).toContain('is a copy');
    for (const words of [original, 'a test, process ']) expect(late.said[0]).toContain(words);
    await first(hold(database, original, QUICK)).toBe('open');
    for (const role of started) await role.kill();
    await untilFree(database);

    const pair = [hold(database, original, QUICK), hold(database, copy, QUICK)];
    for (const holder of pair) await first(holder).toBeDefined();
    expect(
      pair.map(({ said }) => said[0]!.split(' ')[0]).toSorted((a, b) => String(a).localeCompare(String(b))),
    ).toEqual(['open', 'refused']);
  }));

test('a folder that was moved or restored is taken up once no process has the other one open, and the other one is refused from then on', () =>
  withDatabase(async (database) => {
    const folder = path.join(elsewhere, 'analytics');
    const one = hold(database, folder, QUICK);
    await first(one).toBe('open');
    await one.kill();
    await untilFree(database);
    await first(hold(database, folder, QUICK)).toBe('open');
    for (const role of started) await role.kill();
    await untilFree(database);
    // After a death at this point, the next process uses the folder.
    const restored = path.join(elsewhere, 'restored');
    await cp(path.join(folder, 'identity.json'), path.join(restored, 'identity.json'), { recursive: true });
    expect(await hold(database, restored, { fault: 'folder-identity-written' }).ended).toBe('SIGKILL');
    await untilFree(database);
    const holders = [hold(database, restored, QUICK), hold(database, restored, QUICK)];
    for (const holder of holders) await first(holder).toBe('open');
    await first(hold(database, folder, QUICK)).toContain('is another analytics folder');
  }));

test('a process takes its share of the lock again when its connection is lost', () =>
  withDatabase(async (database) => {
    const folder = path.join(elsewhere, 'analytics');
    const holder = hold(database, folder, QUICK);
    await first(holder).toBe('open');
    const { rows } = await database.pool.query(
      // Only of this database: parallel tests have such locks, too.
      `SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE locktype = 'advisory' AND classid = 7264
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(rows).toHaveLength(1);
    await expect.poll(() => folderHolders(database.db)).toHaveLength(1);
    expect(holder.said.at(-1)).toBe('here');
  }));

test('a folder that lost files, or that is bare, is refused until an operator accepts it; then recover brings all together', async () => {
  const database = await createTestDatabase();
  const root = path.join(elsewhere, 'analytics');
  const own = await analyticsBench({ root, database });
  const project = await fillProject(own, { batches: BATCHES, unmerged: 2 });
  own.duck.close();
  await (await openFolder(database, root, { log: own.log, name: 'a test' })).close();
  const lost = path.join(elsewhere, 'lost');
  await rename(root, lost);
  // An incomplete backup: without the folder's identity and some of its files.
  const files = await filesBelow(path.join(lost, 'files', project, 'events'));
  await cp(path.join(lost, 'files'), path.join(root, 'files'), { recursive: true });
  await rm(path.join(root, path.relative(lost, files[0]!)));

  await first(hold(database, root)).toContain(`are missing in ${root}`);
  await first(hold(database, path.join(elsewhere, 'bare'))).toContain('Check that its disk is mounted');

  const env = { ...BARE_ENV, DATABASE_URL: database.url, DOCENT_ANALYTICS_DIR: root };
  const docent = (...args: string[]) => promisify(execFile)(process.execPath, [CLI, 'analytics', ...args], { env });
  await expect(docent('verify', '--project', project)).rejects.toMatchObject({
    stderr: expect.stringContaining('docent analytics accept-folder'),
  });
  await docent('accept-folder', '--yes');
  await docent('recover', '--project', project);
  const held = hold(database, root);
  await first(held).toBe('open');
  // A process that has the earlier folder open stops using it, and continues once it is accepted again.
  await expect.poll(() => held.said.at(-1)).toBe('here');
  await database.pool.query(`UPDATE analytics_folder SET id = 'another'`);
  await expect.poll(() => held.said.at(-1)).toContain('is not the analytics folder of this database');
  await docent('accept-folder', '--yes');
  await expect.poll(() => held.said.at(-1)).toBe('here');
  await held.kill();
  await database.drop();
});
