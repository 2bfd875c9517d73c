import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { startPostgres, type RunningPostgres } from '@docent/servers/postgres/cluster';
import { Reaper } from '@docent/servers/processes/reaper';
import { Installation, markerIn, until } from '../support/installation.ts';
import { times } from '../support/how-often.ts';
import { ownTemporal } from '../support/own-temporal.ts';
import { randomFrom } from '../../scripts/random.ts';
import { openTestDatabase } from '../support/stack.ts';

/** Starting and killing processes one by one takes minutes under load. */
const LONG = { timeout: 400_000 };
/** How often something dies at random. */
const KILLS = times(4);
/** Slow restarts do not increase the work. */
const MOST_JOBS = times(12);
const PROMPT = 'Append a section "Next" with text "Read on." to the page guides/start';

let folder: string;
let reaper: Reaper;
const log = createLogger({ level: 'silent', name: 'outages' });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-outages-'));
  reaper = new Reaper();
  reaper.deleteAfterDeath(folder);
});
afterAll(async () => {
  await reaper.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('Temporal is down', () => {
  test(
    'accepts jobs and messages, answers reads, and carries out everything within a minute of its return',
    LONG,
    async () => {
      const temporal = await ownTemporal(folder, 'down', reaper);
      let server = await temporal.start();
      const docent = await Installation.started({ env: { TEMPORAL_ADDRESS: temporal.address } });
      try {
        const before = await docent.post(PROMPT);
        await docent.settled(before);
        process.kill(server.pid, 'SIGKILL');
        await server.exited;

        const startedAt = Date.now();
        const id = await docent.post(PROMPT);
        expect(Date.now() - startedAt).toBeLessThan(6_000);
        expect(
          (await docent.say(before, 'Append a section "More" with text "more" to the page guides/start')).status,
        ).toBe(200);
        expect((await docent.job(id)).status).toBe('active');
        expect((await fetch(`${docent.apiUrl}/healthz`)).status).toBe(200);
        expect((await fetch(`${docent.apiUrl}/readyz`)).status).toBe(503);

        server = await temporal.start();
        const backAt = Date.now();
        expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
        expect(await docent.settled(before)).toMatchObject({ status: 'completed', error: null });
        expect(Date.now() - backAt).toBeLessThan(60_000);
        expect(await docent.commits(`docent/${before}`)).toHaveLength(2);
        expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
      } finally {
        await docent.stop();
        await server.stop();
      }
    },
  );
});

describe.concurrent("Temporal's file is behind, as after a power cut", () => {
  test('continues from the rows, and does nothing twice', LONG, async () => {
    const temporal = await ownTemporal(folder, 'behind', reaper);
    let server = await temporal.start();
    const docent = await Installation.create({ env: { TEMPORAL_ADDRESS: temporal.address } });
    try {
      await docent.startApi();
      const marker = markerIn(docent, 'behind');
      const doomed = await docent.startWorker({ DOCENT_TEST_FAULT: `model-recorded@${marker.file}` });
      await docent.createProject();
      const running = await docent.post(PROMPT);
      await doomed.ended;
      await server.stop();
      await copyFile(temporal.dbFile, `${temporal.dbFile}.behind`);

      server = await temporal.start();
      const worker = await docent.startWorker();
      await docent.settled(running);
      const forgotten = await docent.post(PROMPT);
      await docent.settled(forgotten);
      const reached = markerIn(docent, 'struck');
      await worker.kill();
      const dying = await docent.startWorker({ DOCENT_TEST_FAULT: `tools-recorded@${reached.file}` });
      const midway = await docent.post(PROMPT);
      await dying.ended;
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      for (const end of ['-wal', '-shm']) await rm(`${temporal.dbFile}${end}`, { force: true });
      await copyFile(`${temporal.dbFile}.behind`, temporal.dbFile);

      server = await temporal.start();
      await docent.startWorker();
      const jobs = [running, forgotten, midway];
      for (const id of jobs) {
        expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
        await docent.say(id, 'Append a section "More" with text "more" to the page guides/start');
      }
      for (const id of jobs) {
        expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
        expect(await docent.commits(`docent/${id}`)).toHaveLength(2);
      }
      expect(await docent.branches()).toEqual([...jobs.map((id) => `docent/${id}`), 'main'].toSorted());
      const { rows } = await docent.database.pool.query('SELECT count(*)::int AS n FROM pull_requests');
      expect(rows[0]).toEqual({ n: jobs.length });
    } finally {
      await docent.stop();
      await server.stop();
    }
  });
});

describe.concurrent('PostgreSQL is down', () => {
  test('answers 503 with Retry-After, and a running job waits and then continues', LONG, async () => {
    const dir = path.join(folder, 'postgres');
    let server: RunningPostgres = await startPostgres({ dir, log, reaper });
    const docent = await Installation.create({ database: await openTestDatabase(server.url) });
    try {
      const marker = markerIn(docent, 'postgres');
      await docent.startApi();
      const worker = await docent.startWorker({ DOCENT_TEST_FAULT: `stop:model-answered@${marker.file}` });
      await docent.createProject();
      const id = await docent.post(PROMPT);
      await until('the worker is paused in the middle of a turn', () => marker.reached());
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      await worker.resume();

      const answer = await fetch(`${docent.apiUrl}/v2/agent/acme/job/${id}`, {
        headers: { Authorization: `Bearer ${docent.operatorToken}` },
      });
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ code: 'unavailable' });
      await sleep(20_000);

      server = await startPostgres({ dir, log, reaper });
      expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
      expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
    } finally {
      await docent.stop();
      await server.stop();
    }
  });
});

describe.concurrent('anything dies at any moment', () => {
  test('loses no job, no message, and does nothing twice', { timeout: 900_000 }, async () => {
    const temporal = await ownTemporal(folder, 'random', reaper);
    let server = await temporal.start();
    const docent = await Installation.create({ env: { TEMPORAL_ADDRESS: temporal.address } });
    try {
      let api = await docent.startApi();
      const workers = [await docent.startWorker(), await docent.startWorker()];
      await docent.createProject();

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
          await sleep(1_500 * random());
          const [id, sections] = [...accepted][Math.floor(random() * accepted.size)] ?? [];
          if (!id || !sections) continue;
          const name = `M${n}`;
          await tryFor(async () => {
            const { response } = await docent.client.POST('/v2/agent/{projectId}/job/{id}/message', {
              params: { path: { projectId: 'acme', id }, header: { 'Idempotency-Key': name } },
              body: { prompt: section(name) },
            });
            if (response.status !== 200) throw new Error(`status ${response.status}`);
            sections.push(name);
          });
          await sleep(1_500 * random());
        }
      };
      const killer = async () => {
        while (!done()) {
          await sleep(500 + 3_000 * random());
          const dice = random();
          if (dice < 0.25) {
            kills.push('api');
            await api.kill();
            api = await docent.startApi();
          } else if (dice < 0.35) {
            kills.push('temporal');
            process.kill(server.pid, 'SIGKILL');
            await server.exited;
            server = await temporal.start();
          } else {
            const i = Math.floor(random() * workers.length);
            kills.push(`worker ${i}`);
            await workers[i]?.kill();
            workers[i] = await docent.startWorker();
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
      const { rows } = await docent.database.pool.query(
        'SELECT count(*)::int AS n, count(DISTINCT job_id)::int AS jobs FROM pull_requests',
      );
      expect(rows[0], told).toEqual({ n: accepted.size, jobs: accepted.size });
    } finally {
      await docent.stop();
      await server.stop();
    }
  });
});

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
