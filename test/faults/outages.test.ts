import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { startPostgres, type RunningPostgres } from '@docent/servers/postgres/cluster';
import type { RunningTemporal } from '@docent/servers/temporal/server';
import { Reaper } from '@docent/servers/processes/reaper';
import { Installation, trapAt, type Trap } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { times } from '../support/how-often.ts';
import { ownTemporal } from '../support/own-temporal.ts';
import { randomFrom } from '../../scripts/random.ts';
import { openTestDatabase } from '../support/stack.ts';

/** Starting and killing processes one by one takes minutes under load. */
const LONG = { timeout: 400_000 };
/** How often something dies at random. */
const KILLS = times(4);
/** Slow restarts do not increase the work. */
const MOST_JOBS = times(7);
/** The client's longest pause: its jobs are spread over all kills. */
const PAUSE_MS = 2_500;
const PROMPT = 'Append a section "Next" with text "Read on." to the page guides/start';
const MORE = 'Append a section "More" with text "more" to the page guides/start';

const POINTS = ['stop:model-answered', 'model-recorded', 'tools-recorded'];

/**
 * Shared by all tests, which run one after the other and have separate projects: servers of their own, which
 * can die, and an API and a worker.
 */
let folder: string;
let reaper: Reaper;
let shared: Installation;
let postgres: RunningPostgres;
let temporal: RunningTemporal;
let temporalFile: string;
let startTemporal: () => Promise<RunningTemporal>;
let api: RoleProcess;
let worker: RoleProcess;
let traps: ReadonlyMap<string, Trap>;

const log = createLogger({ level: 'silent', name: 'outages' });
const startOwnPostgres = () => startPostgres({ dir: path.join(folder, 'postgres'), log, reaper });
const startArmedWorker = () =>
  shared.startWorker({ DOCENT_TEST_FAULT: [...traps.values()].map(({ spec }) => spec).join(',') });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-outages-'));
  reaper = new Reaper();
  reaper.deleteAfterDeath(folder);
  const server = await ownTemporal(folder, 'temporal', reaper);
  temporalFile = server.dbFile;
  startTemporal = server.start;
  [postgres, temporal] = await Promise.all([startOwnPostgres(), startTemporal()]);
  shared = await Installation.create({
    database: await openTestDatabase(postgres.url),
    env: { TEMPORAL_ADDRESS: server.address },
  });
  traps = new Map(POINTS.map((point) => [point, trapAt(shared, point)]));
  [api, worker] = await Promise.all([shared.startApi(), startArmedWorker()]);
});
afterAll(async () => {
  await shared?.stop();
  await Promise.all([temporal?.stop(), postgres?.stop()]);
  await reaper.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function kill(server: RunningPostgres | RunningTemporal): Promise<void> {
  process.kill(server.pid, 'SIGKILL');
  await server.exited;
}

test(
  'while Temporal is down: accepts jobs and messages, answers reads, and carries out everything within a minute of its return',
  LONG,
  async () => {
    const docent = await shared.withOwnProject();
    const before = await docent.post(PROMPT);
    await docent.settled(before);
    await kill(temporal);

    const startedAt = Date.now();
    const id = await docent.post(PROMPT);
    expect(Date.now() - startedAt).toBeLessThan(6_000);
    expect((await docent.say(before, MORE)).status).toBe(200);
    expect((await docent.job(id)).status).toBe('active');
    expect((await fetch(`${docent.apiUrl}/healthz`)).status).toBe(200);
    expect((await fetch(`${docent.apiUrl}/readyz`)).status).toBe(503);

    temporal = await startTemporal();
    const backAt = Date.now();
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(await docent.settled(before)).toMatchObject({ status: 'completed', error: null });
    expect(Date.now() - backAt).toBeLessThan(60_000);
    expect(await docent.commits(`docent/${before}`)).toHaveLength(2);
    expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
  },
);

test(
  'while PostgreSQL is down: answers 503 with Retry-After, and a running job waits and then continues',
  LONG,
  async () => {
    const docent = await shared.withOwnProject();
    const trap = traps.get('stop:model-answered')!;
    trap.arm();
    const id = await docent.post(PROMPT);
    await until('the worker is paused in the middle of a turn', () => trap.reached());
    await kill(postgres);
    await worker.resume();

    const answer = await fetch(`${docent.apiUrl}/v2/agent/${docent.projectId}/job/${id}`, {
      headers: { Authorization: `Bearer ${docent.operatorToken}` },
    });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ code: 'unavailable' });
    await sleep(20_000);

    postgres = await startOwnPostgres();
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
  },
);

test(
  "when Temporal's file is behind, as after a power cut: continues from the rows, and does nothing twice",
  LONG,
  async () => {
    const docent = await shared.withOwnProject();
    traps.get('model-recorded')!.arm();
    const running = await docent.post(PROMPT);
    await worker.ended;
    await temporal.stop();
    await copyFile(temporalFile, `${temporalFile}.behind`);

    temporal = await startTemporal();
    worker = await startArmedWorker();
    await docent.settled(running);
    const forgotten = await docent.post(PROMPT);
    await docent.settled(forgotten);
    traps.get('tools-recorded')!.arm();
    const midway = await docent.post(PROMPT);
    await worker.ended;
    await kill(temporal);
    for (const end of ['-wal', '-shm']) await rm(`${temporalFile}${end}`, { force: true });
    await copyFile(`${temporalFile}.behind`, temporalFile);

    temporal = await startTemporal();
    worker = await shared.startWorker();
    const jobs = [running, forgotten, midway];
    for (const id of jobs) {
      expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
      await docent.say(id, MORE);
    }
    for (const id of jobs) {
      expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
      expect(await docent.commits(`docent/${id}`)).toHaveLength(2);
    }
    expect(await docent.branches()).toEqual([...jobs.map((id) => `docent/${id}`), 'main'].toSorted());
    expect(await pullRequestsOf(docent)).toEqual({ n: jobs.length, jobs: jobs.length });
  },
);

test(
  'when anything dies at any moment: loses no job, no message, and does nothing twice',
  { timeout: 900_000 },
  async () => {
    const docent = await shared.withOwnProject();
    const { projectId } = docent;
    const workers = [worker, await shared.startWorker()];

    // The choice of what dies and when is printed, so that a failure can be reproduced.
    const seed = Number(process.env.DOCENT_TEST_SEED ?? Date.now() % 100_000);
    const random = randomFrom(seed);
    const accepted = new Map<string, string[]>();
    const kills: string[] = [];
    const done = () => kills.length >= KILLS;

    const client = async () => {
      for (let n = 0; n < MOST_JOBS && !done(); n += 1) {
        await tryFor(async () => {
          const id = await docent.post(section(`J${n}`), `job-${n}`);
          accepted.set(id, [`J${n}`]);
        });
        await sleep(PAUSE_MS * random());
        const [id, sections] = [...accepted][Math.floor(random() * accepted.size)] ?? [];
        if (!id || !sections) continue;
        const name = `M${n}`;
        await tryFor(async () => {
          const { response } = await docent.client.POST('/v2/agent/{projectId}/job/{id}/message', {
            params: { path: { projectId, id }, header: { 'Idempotency-Key': name } },
            body: { prompt: section(name) },
          });
          if (response.status !== 200) throw new Error(`status ${response.status}`);
          sections.push(name);
        });
        await sleep(PAUSE_MS * random());
      }
    };
    const killer = async () => {
      while (!done()) {
        await sleep(500 + 3_000 * random());
        const dice = random();
        if (dice < 0.25) {
          kills.push('api');
          await api.kill();
          api = await shared.startApi();
        } else if (dice < 0.35) {
          kills.push('temporal');
          await kill(temporal);
          temporal = await startTemporal();
        } else {
          const i = Math.floor(random() * workers.length);
          kills.push(`worker ${i}`);
          await workers[i]?.kill();
          workers[i] = await shared.startWorker();
        }
      }
    };
    await Promise.all([client(), killer()]);

    const told = `seed ${seed}, kills: ${kills.join(', ')}`;
    for (const [id, sections] of accepted) {
      const job = await docent.settled(id);
      expect(job, told).toMatchObject({ status: 'completed', error: null });
      const page = await docent.git('show', `docent/${id}:guides/log.mdx`);
      expect(
        [...page.matchAll(/^## (.*)$/gm)].map((match) => match[1]),
        told,
      ).toEqual(sections);
    }
    const trailers = (
      await docent.git('log', '--branches', '--not', 'main', '--format=%(trailers:key=Docent-Turn,valueonly)')
    )
      .split('\n')
      .filter(Boolean);
    expect(new Set(trailers).size, told).toBe(trailers.length);
    expect(await docent.branches(), told).toEqual(
      [...[...accepted.keys()].map((id) => `docent/${id}`), 'main'].toSorted(),
    );
    expect(await pullRequestsOf(docent), told).toEqual({ n: accepted.size, jobs: accepted.size });
  },
);

async function pullRequestsOf({ database, projectId }: Installation): Promise<{ n: number; jobs: number }> {
  const { rows } = await database.pool.query(
    'SELECT count(*)::int AS n, count(DISTINCT job_id)::int AS jobs FROM pull_requests WHERE project_id = $1',
    [projectId],
  );
  return rows[0];
}

const section = (name: string) => `Append a section "${name}" with text "text of ${name}" to the page guides/log`;

/** Repeats a request until it is answered, as a careful client does with an idempotency key. */
async function tryFor(request: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await request();
    } catch (err) {
      if (attempt > 200) throw err;
      await sleep(200);
    }
  }
}
