import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { BARE_ENV } from '../support/bare-env.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf } from '../support/analytics-load.ts';
import type { ServerOrders } from '../support/analytics-server.ts';
import { builtProcess } from '../support/processes.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';
import { randomFrom } from '../../scripts/random.ts';
import { times } from '../support/how-often.ts';

/** How often a process is killed. */
const KILLS = times(8);
const SEED = Number(process.env.DOCENT_TEST_SEED ?? Date.now() % 1_000_000);
const PROCESS = builtProcess('analytics-server');
const TOKEN = 'operator-token-of-this-test';
const CLIENTS = 2;
const READERS = 1;

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

/** A process that is started again each time it was killed. */
class Immortal {
  url: string | null = null;
  isReady = false;
  #child: ChildProcess | null = null;
  readonly #orders: ServerOrders;

  constructor(orders: ServerOrders) {
    this.#orders = orders;
  }

  start(): void {
    const child = spawn(process.execPath, [PROCESS, JSON.stringify(this.#orders)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...BARE_ENV },
    });
    this.#child = child;
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /^ready ?(.*)\n/m.exec(output);
      if (!ready || this.#child !== child) return;
      this.isReady = true;
      this.url = ready[1] || null;
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    this.isReady = false;
    this.url = null;
    if (!child) return;
    if (child.exitCode !== null) throw new Error('A process ended by itself.');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

test(
  `${KILLS} random kills (seed ${SEED}) of servers and maintenance under load: what was acknowledged is counted, once, and no question fails`,
  { timeout: 300_000 + KILLS * 15_000 },
  async () => {
    const random = randomFrom(SEED);
    const project = await bench.newProject();
    const shared = { databaseUrl: bench.database.url, folder: bench.folder.root, project, token: TOKEN };
    const make = (role: ServerOrders['role']) => new Immortal({ ...shared, role, leaseSeconds: 3 });
    const servers = [make('server'), make('server')] as const;
    const maintenance = make('maintenance');
    const all = [...servers, maintenance];
    for (const each of all) each.start();

    const failures: string[] = [];
    const count = { batches: 0, sent: 0, repeated: 0, asked: 0, kills: 0 };
    const load = { isOn: true, isOver: false };
    // Even if it fails or takes too long, no process remains.
    onTestFinished(async () => {
      load.isOn = false;
      load.isOver = true;
      await Promise.allSettled(all.map((each) => each.kill()));
    });
    const call = async (turn: number, url: string, init: RequestInit = {}) => {
      const server = servers.map((_, i) => servers[(turn + i) % 2]!).find(({ isReady }) => isReady);
      if (!server?.url) return null;
      try {
        const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
        const response = await fetch(server.url + url, { ...init, headers, signal: AbortSignal.timeout(30_000) });
        return { status: response.status, text: await response.text() };
      } catch {
        return null; // The server died meanwhile.
      }
    };

    const send = async (no: number, turn: number) => {
      const body = JSON.stringify({ events: eventsOf(no) });
      for (let attempt = 0; ; attempt += 1) {
        const answer = await call(turn + attempt, `/v1/analytics/${project}/events`, { method: 'POST', body });
        if (answer) count.sent += 1;
        if (answer?.status === 202) return;
        if (answer && answer.status !== 503) failures.push(`${answer.status} ${answer.text}`);
        if (attempt > 2_000 || load.isOver) throw new Error('No server takes events any more.');
        await sleep(50);
      }
    };
    const client = async (turn: number) => {
      while (load.isOn) {
        const no = count.batches;
        count.batches += 1;
        await send(no, turn);
        // A client that did not see the answer, or does not trust it.
        if (no % 7 === 0) {
          count.repeated += 1;
          await send(no, turn + 1);
        }
        await sleep(120);
      }
    };
    const reader = async (turn: number) => {
      let seen = 0;
      for (let asked = 0; load.isOn; asked += 1) {
        const what = ['views?limit=5', 'visitors?limit=5', 'visitors?dateFrom=2026-10-03T07:00:00Z', 'timeseries'][
          asked % 4
        ]!;
        const answer = await call(turn + asked, `/v1/analytics/${project}/${what}`);
        if (answer) count.asked += 1;
        if (answer && answer.status !== 200) failures.push(`${what}: ${answer.status} ${answer.text}`);
        if (answer?.status === 200 && asked % 4 === 0) {
          const { total } = (JSON.parse(answer.text) as { totals: { total: number } }).totals;
          if (total < seen) failures.push(`counted ${seen}, and then ${total}`);
          seen = Math.max(seen, total);
        }
        await sleep(200);
      }
    };
    const others = [
      ...Array.from({ length: CLIENTS }, (_, i) => client(i)),
      ...Array.from({ length: READERS }, (_, i) => reader(i)),
    ];

    while (count.kills < KILLS && failures.length === 0 && load.isOn) {
      await sleep(50 + random() * 600);
      const everybody = count.kills % 25 === 24;
      // A server is killed while the other one works, so that there is always load.
      const areBothUp = servers.every(({ isReady }) => isReady);
      const ready = all.filter((each) => each.isReady && (areBothUp || each === maintenance));
      const chosen = everybody ? all : ready[Math.floor(random() * ready.length)];
      if (!chosen) continue;
      for (const each of Array.isArray(chosen) ? chosen : [chosen]) {
        await each.kill();
        count.kills += 1;
        each.start();
      }
    }
    load.isOn = false;
    await Promise.all(others);
    for (const each of all) await each.kill();
    expect(failures, `seed ${SEED}`).toEqual([]);

    const successor = await bench.ingestor();
    await successor.takeOver(0);
    await successor.close();
    const known = knownUpTo(count.batches);
    await expectExactly(bench, project, known);
    await mergeProject(bench, project);
    await compactProject(bench, project);
    await expectExactly(bench, project, known);
    process.stdout.write(
      `${count.kills} kills (seed ${SEED}): ${count.batches * BATCH} events acknowledged in ${count.sent} requests, ` +
        `${count.repeated} batches sent again, all counted once; ${count.asked} questions, none failed\n`,
    );
  },
);
