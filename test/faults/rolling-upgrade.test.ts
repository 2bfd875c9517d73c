import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { BARE_ENV } from '../support/bare-env.ts';
import { buildOf, nextBuild, THIS_BUILD, type Build } from '../support/builds.ts';
import { testWithDocent as test, type Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { SteadyLoad } from '../support/steady-load.ts';

/**
 * The release from which databases are upgraded: its build runs beside this one, where git's history has it.
 */
const BASELINE = process.env.DOCENT_TEST_BASELINE ?? 'v1.0.0';
const baseline = buildOf(BASELINE);
if (!baseline && process.env.DOCENT_TEST_BASELINE) throw new Error(`Git does not know ${BASELINE}.`);

interface Case {
  older: Build;
  newer: Build;
  /** The newer one removes something that the older one uses. */
  contracts: boolean;
}
const CASES: Case[] = [
  { older: THIS_BUILD, newer: nextBuild(), contracts: true },
  ...(baseline ? [{ older: baseline, newer: THIS_BUILD, contracts: false }] : []),
];

interface Pair {
  api: RoleProcess;
  worker: RoleProcess;
}

/** The processes of one build, and their position behind the load balancer. */
class Side {
  readonly #docent: Installation;
  readonly #build: Build;
  readonly #port: number;
  #running: Pair | undefined;

  constructor(docent: Installation, build: Build, port: number) {
    this.#docent = docent;
    this.#build = build;
    this.#port = port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Workers first, as the docs say. */
  async start(): Promise<void> {
    const { env, cli } = this.#build;
    const worker = await this.#docent.startWorker(env, cli);
    this.#running = { worker, api: await this.#docent.startApi({ ...env, DOCENT_PORT: String(this.#port) }, cli) };
  }

  /** Lets them finish their work. */
  async stop(): Promise<void> {
    const { api, worker } = this.#running ?? {};
    for (const role of [worker, api]) {
      role?.child.kill('SIGTERM');
      expect(await role?.ended).toBe(0);
    }
  }

  async migrate(): Promise<{ code: number; stderr: string }> {
    const child = spawn(process.execPath, [this.#build.cli, 'migrate'], {
      env: { ...BARE_ENV, DATABASE_URL: this.#docent.database.url, ...this.#build.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { code: code as number, stderr };
  }
}

describe.each(CASES)('$older.name and $newer.name side by side', ({ older, newer, contracts }) => {
  test(
    'upgrade, go back and upgrade again under load, and no one notices',
    { timeout: 1_200_000 },
    async ({ docent }) => {
      const old = new Side(docent, older, Number(new URL(docent.apiUrl).port));
      const next = new Side(docent, newer, await freePort());
      await old.start();
      await docent.createProject();
      const load = new SteadyLoad(docent, old.url);
      await load.moreJobs(1);

      // The first process of the newer build adds to the schema.
      await next.start();
      load.add(next.url);
      await load.moreJobs(2);
      if (contracts) {
        const refused = await next.migrate();
        expect(refused.code, refused.stderr).toBe(1);
        expect(refused.stderr).toMatch(/Not applied.*0903_next_take\.\n {2}docent (api|worker) /);
      }

      // Back to the older one, which starts on the newer schema.
      await load.remove(next.url);
      await next.stop();
      await load.moreJobs(1);
      const second = new Side(docent, older, await freePort());
      await second.start();
      load.add(second.url);
      await load.remove(old.url);
      await old.stop();
      await load.moreJobs(1);

      await next.start();
      load.add(next.url);
      await load.remove(second.url);
      await second.stop();
      await load.moreJobs(1);
      const done = await next.migrate();
      expect(done.code, done.stderr).toBe(0);
      await load.moreJobs(1);
      if (contracts) expect(done.stderr).toContain('0903_next_take: done');

      await load.stop();
      expect(load.troubles).toEqual([]);
      await expectAllDone(docent, load, next.url);
    },
  );
});

async function expectAllDone(docent: Installation, load: SteadyLoad, url: string): Promise<void> {
  const { pool } = docent.database;
  const active = async () =>
    (await pool.query<{ n: number }>("SELECT count(*)::int AS n FROM jobs WHERE status = 'active'")).rows[0]?.n;
  await until('all jobs have ended', async () => (await active()) === 0, 180_000);
  const { rows } = await pool.query(
    `SELECT j.id, j.status, count(p.id)::int AS prs, (SELECT count(*)::int FROM messages m WHERE m.job_id = j.id AND m.state = 'done') AS messages
     FROM jobs j LEFT JOIN pull_requests p ON p.job_id = j.id GROUP BY j.id`,
  );
  const ofJob = new Map(rows.map(({ id, ...rest }) => [id, rest]));
  expect(ofJob.size).toBe(load.jobs.length);
  for (const id of load.jobs) expect(ofJob.get(id)).toEqual({ status: 'completed', prs: 1, messages: 2 });
  expect(await docent.branches()).toEqual([...load.jobs.map((id) => `docent/${id}`), 'main'].toSorted());
  for (const [no, id] of load.jobs.entries()) {
    const pages =
      (await docent.git('show', `docent/${id}:guides/log.mdx`)) +
      (await docent.git('show', `docent/${id}:guides/start.mdx`));
    expect(pages.match(/^## .*$/gm)).toEqual([`## S${no}`, `## T${no}`]);
  }
  const views = async () => {
    const answer = await fetch(`${url}/v1/analytics/${docent.projectId}/views`, {
      headers: { authorization: `Bearer ${docent.operatorToken}` },
    });
    return ((await answer.json()) as { totals: { total: number } }).totals.total;
  };
  expect(load.events).toBeGreaterThan(0);
  // Logs of processes that have ended are taken over by those that run.
  await until('all events count', async () => (await views()) >= load.events);
  await sleep(3_000);
  expect(await views()).toBe(load.events);
  process.stdout.write(`${load.answers} answers, ${load.jobs.length} jobs, ${load.events} events\n`);
}
