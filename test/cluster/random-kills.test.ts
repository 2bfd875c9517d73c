import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDocentClient, type DocentClient } from '../../packages/client/src/index.ts';
import { freePort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { randomFrom } from '../../scripts/random.ts';
import type { RoleProcess } from '../support/role-process.ts';

/** The number of faults injected into the processes; DOCENT_TEST_KILLS raises it. */
const FAULTS = Number(process.env.DOCENT_TEST_KILLS ?? 40);
const SEED = Number(process.env.DOCENT_TEST_SEED ?? Date.now() % 1_000_000);
const PIDS = process.env.DOCENT_TEST_CLUSTER_PIDS;
const CLIENTS = 4;
const EVENTS_PER_BATCH = 50;

/** A role that is started again each time it was killed. */
class Role {
  process: RoleProcess | null = null;
  readonly #start: () => Promise<RoleProcess>;
  constructor(start: () => Promise<RoleProcess>) {
    this.#start = start;
  }
  async begin(): Promise<void> {
    // A role that starts while PostgreSQL or Temporal is unavailable may end: as under a service manager, it
    // is started again.
    for (let attempt = 0; ; attempt += 1) {
      try {
        this.process = await this.#start();
        return;
      } catch (err) {
        if (attempt === 10) throw err;
        await sleep(1_000);
      }
    }
  }
}

test.runIf(PIDS)(
  `${FAULTS} faults in two APIs, two workers, Temporal's services and PostgreSQL: each accepted job is done once`,
  { timeout: 600_000 + FAULTS * 15_000 },
  async () => {
    const random = randomFrom(SEED);
    const docent = await Installation.create();
    const ports = [Number(new URL(docent.apiUrl).port), await freePort()];
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    const apis = ports.map((port) => new Role(() => docent.startApi({ DOCENT_PORT: String(port) })));
    const workers = [0, 1].map(() => new Role(() => docent.startWorker()));
    const load = { isOn: true };
    const undocumented: string[] = [];
    const accepted: { id: string; messages: number }[] = [];
    const counts = { views: 0, answers: 0, kills: 0, pauses: 0, temporal: 0, postgres: 0 };
    try {
      await apis[0]!.begin();
      await Promise.all([apis[1]!, ...workers].map((role) => role.begin()));
      await docent.createProject();
      const clients = urls.map((baseUrl) => createDocentClient({ baseUrl, apiKey: docent.operatorToken }));

      const others = Array.from({ length: CLIENTS }, (_, no) => customer(no));
      for (let fault = 0; fault < FAULTS; fault += 1) {
        await sleep(1_000 + random() * 3_000);
        await injectFault(random);
      }
      load.isOn = false;
      await Promise.all(others);
      await until('every job has ended', everyJobEnded, 300_000);

      expect(undocumented, `seed ${SEED}`).toEqual([]);
      await expectAllDoneOnce();
      await until('every view is counted', async () => (await views(clients[0]!)) >= counts.views, 60_000);
      expect(await views(clients[0]!), `seed ${SEED}`).toBe(counts.views);
      process.stdout.write(
        `seed ${SEED}: ${counts.kills} kills and ${counts.pauses} pauses of roles, ${counts.temporal} kills of Temporal's services, ` +
          `${counts.postgres} of PostgreSQL; ${accepted.length} jobs with ${accepted.reduce((sum, job) => sum + job.messages, 0)} messages, ` +
          `each done once; ${counts.views} views, each counted once; ${counts.answers} answers, none undocumented\n`,
      );
    } finally {
      load.isOn = false;
      for (const { process: role } of [...apis, ...workers]) role?.child.kill('SIGCONT');
      await docent.stop();
    }

    async function injectFault(next: () => number): Promise<void> {
      const what = next();
      if (what < 0.55) {
        const all = [...apis, ...workers];
        const role = all[Math.floor(next() * all.length)]!;
        await role.process!.kill('SIGKILL');
        counts.kills += 1;
        await role.begin();
      } else if (what < 0.75) {
        const role = workers[Math.floor(next() * workers.length)]!;
        role.process!.child.kill('SIGSTOP');
        counts.pauses += 1;
        await sleep(2_000 + next() * 10_000);
        role.process!.child.kill('SIGCONT');
      } else if (what < 0.9) {
        const pids = await pidsOfCluster();
        const services = Object.keys(pids).filter((name) => name.startsWith('temporal-'));
        const pid = pids[services[Math.floor(next() * services.length)]!];
        if (pid) process.kill(pid, 'SIGKILL');
        counts.temporal += 1;
      } else {
        const { postgres } = await pidsOfCluster();
        // "Immediate shutdown": its sessions end at once and the next start recovers from the log.
        if (postgres) process.kill(postgres, 'SIGQUIT');
        counts.postgres += 1;
      }
    }

    /** Posts jobs, messages and views, each until it is accepted, with a key that makes a repeat harmless. */
    async function customer(no: number): Promise<void> {
      for (let round = 0; load.isOn; round += 1) {
        const name = `${no}-${round}`;
        const job = await insist(`job-${name}`, (url, key) =>
          send(url, `/v2/agent/${docent.projectId}/job`, key, {
            prompt: `Append a section "Note ${name}" with text "Said by ${name}." to the page guides/start`,
          }),
        );
        const id = (job as { id: string }).id;
        const entry = { id, messages: 1 };
        accepted.push(entry);
        await sendViews(name);
        await insist(`message-${name}`, (url, key) =>
          send(url, `/v2/agent/${docent.projectId}/job/${id}/message`, key, {
            prompt: `Append a section "More ${name}" with text "More by ${name}." to the page guides/log`,
          }),
        );
        entry.messages += 1;
        await sleep(500);
      }
    }

    async function sendViews(name: string): Promise<void> {
      const events = Array.from({ length: EVENTS_PER_BATCH }, (_, i) => ({
        id: `${name}-${i}`,
        path: `/page-${i % 7}`,
        visitorId: `visitor-${name}-${i}`,
        timestamp: new Date().toISOString(),
        class: 'human',
      }));
      await insist(`views-${name}`, (url) => send(url, `/v1/analytics/${docent.projectId}/events`, null, { events }));
      counts.views += events.length;
    }

    async function insist(key: string, call: (url: string, key: string) => Promise<Response>): Promise<unknown> {
      for (let attempt = 0; attempt < 2_000; attempt += 1) {
        const answer = await call(urls[attempt % urls.length]!, key).catch(() => null);
        if (answer) {
          counts.answers += 1;
          const text = await answer.text().catch(() => null);
          if (answer.ok && text !== null) return text === '' ? null : JSON.parse(text);
          if (text !== null && answer.status !== 503 && answer.status !== 409)
            undocumented.push(`${key}: ${answer.status} ${text}`);
          if (answer.status === 503 && !answer.headers.has('retry-after'))
            undocumented.push(`${key}: 503 without time`);
        }
        await sleep(250);
      }
      throw new Error(`${key} was never accepted.`);
    }

    function send(url: string, route: string, key: string | null, body: unknown): Promise<Response> {
      return fetch(url + route, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${docent.operatorToken}`,
          'content-type': 'application/json',
          ...(key === null ? {} : { 'idempotency-key': key }),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      });
    }

    async function everyJobEnded(): Promise<boolean> {
      const { rows } = await docent.database.pool
        .query("SELECT count(*)::int AS n FROM jobs WHERE status = 'active'")
        .catch(() => ({ rows: [{ n: 1 }] }));
      return rows[0].n === 0;
    }

    async function expectAllDoneOnce(): Promise<void> {
      expect(new Set(accepted.map(({ id }) => id)).size).toBe(accepted.length);
      for (const { id, messages } of accepted) {
        const job = await docent.job(id);
        expect(job, `seed ${SEED}`).toMatchObject({ status: 'completed', error: null });
        expect(job.prLink).not.toBeNull();
        const trailers = await docent.git(
          'log',
          '--reverse',
          '--format=%(trailers:key=Docent-Turn,valueonly)',
          `main..docent/${id}`,
        );
        const turns = trailers.split('\n').filter(Boolean);
        expect(new Set(turns).size, `seed ${SEED}: ${id} has a commit twice`).toBe(turns.length);
        expect(turns.length).toBeLessThanOrEqual(messages);
        for (const page of ['guides/start', 'guides/log']) {
          const text = await docent.git('show', `docent/${id}:${page}.mdx`);
          expect(text.match(/^## (Note|More) /gm), `seed ${SEED}: ${id}`).toHaveLength(1);
        }
      }
      const { rows } = await docent.database.pool.query(
        'SELECT count(*)::int AS n, count(DISTINCT job_id)::int AS jobs FROM pull_requests',
      );
      expect(rows[0]).toEqual({ n: accepted.length, jobs: accepted.length });
      expect(await docent.branches()).toEqual([...accepted.map(({ id }) => `docent/${id}`), 'main'].toSorted());
    }

    async function views(client: DocentClient): Promise<number> {
      const { data } = await client.GET('/v1/analytics/{projectId}/views', {
        params: { path: { projectId: docent.projectId } },
      });
      return data?.totals.total ?? -1;
    }
  },
);

async function pidsOfCluster(): Promise<Record<string, number | null>> {
  return JSON.parse(await readFile(PIDS!, 'utf8')) as Record<string, number | null>;
}
