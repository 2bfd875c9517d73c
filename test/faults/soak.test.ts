import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { doneOnce } from '../support/soak/done-once.ts';
import { customers } from '../support/soak/customers.ts';
import { JobClient } from '../support/soak/jobs.ts';
import { Ledger } from '../support/soak/ledger.ts';
import { INSPECTABLE, liveMegabytes } from '../support/soak/live-memory.ts';
import { MemoryWatch } from '../support/soak/memory.ts';
import { Receiver } from '../support/soak/receiver.ts';
import { SITE } from '../support/soak/others.ts';
import type { Soak } from '../support/soak/soak.ts';

/** The duration of the soak; without it, the soak is skipped. */
const MINUTES = Number(process.env.DOCENT_TEST_SOAK_MINUTES ?? 0);
/**
 * Resident memory that a role may have gained between the second and the last fifth of the time: a tenth, or
 * this much, in MB.
 */
const GROWTH_MB = 40;
/**
 * What lives in a role after a collection, after a fifth of the time and at its end, may have grown by this
 * much, in MB: a server's cache of event ids, 200,000 in 36 MB, does not fill up in half an hour.
 */
const LIVE_GROWTH_MB = 30;
/**
 * A worker's pools replace a child that holds more than 400 MB (git) or 500 MB (the agent) after its call.
 */
const CHILD_MB = 500;

test.runIf(MINUTES > 0)(
  `${MINUTES} minutes of everything at once, by two APIs and two workers: all that was acknowledged is done once, and memory is flat`,
  { timeout: (MINUTES + 10) * 60_000 },
  async () => {
    const receiver = await Receiver.start();
    const docent = await Installation.create({
      env: {
        ...INSPECTABLE,
        DOCENT_PRIVATE_HOSTS: '127.0.0.1',
        DOCENT_ATTACHMENTS_PER_HOUR: '100000',
        DOCENT_FEEDBACK_PER_MINUTE: '10000',
        DOCENT_SEARCHES_PER_MINUTE: '10000',
        DOCENT_SECRET_KEY: randomBytes(32).toString('base64'),
      },
    });
    const port = await freePort();
    const urls = [docent.apiUrl, `http://127.0.0.1:${port}`];
    try {
      const first = await docent.startApi();
      const [second, worker, otherWorker] = await Promise.all([
        docent.startApi({ DOCENT_PORT: String(port) }),
        docent.startWorker(),
        docent.startWorker(),
      ]);
      await docent.createProject();
      const ledger = new Ledger(urls, docent.operatorToken);
      const soak: Soak = {
        docent,
        ledger,
        jobs: new JobClient(ledger, docent.projectId),
        receiver,
        isOn: true,
        counts: {},
      };
      await prepare(soak);
      const roles = { 'API 1': first, 'API 2': second, 'worker 1': worker, 'worker 2': otherWorker };
      const memory = new MemoryWatch(
        Object.fromEntries(Object.entries(roles).map(([name, { child }]) => [name, child.pid ?? 0])),
      );
      const live = new Map<string, number[]>(Object.keys(roles).map((name) => [name, []]));
      const began = performance.now();
      const working = customers(soak);
      for (let minute = 1; minute <= MINUTES; minute += 1) {
        await sleep(60_000);
        process.stdout.write(progress(soak, memory, Object.keys(roles), minute));
        // Collects before the first measurement too, so that the comparison is fair.
        if (minute !== Math.ceil(MINUTES / 5) && minute !== MINUTES) continue;
        for (const [name, role] of Object.entries(roles)) live.get(name)?.push(await liveMegabytes(role));
      }
      soak.isOn = false;
      await Promise.all(working);
      memory.stop();
      const seconds = (performance.now() - began) / 1_000;
      await until('every job is at rest', async () => (await activeJobs(docent)) === 0, 180_000);
      const wrong = await doneOnce(soak);
      report(soak, memory, live, seconds);
      expect.soft(ledger.undocumented).toEqual([]);
      expect.soft(ledger.unexpected).toEqual([]);
      expect.soft(wrong).toEqual([]);
      for (const name of Object.keys(roles)) {
        const { early, late } = memory.grown(name);
        expect.soft(late, `memory of ${name}`).toBeLessThan(early + Math.max(GROWTH_MB, early / 10));
        const [then = 0, now = 0] = live.get(name) ?? [];
        expect.soft(now, `live memory of ${name}`).toBeLessThan(then + LIVE_GROWTH_MB);
        expect.soft(memory.grown(name, 'largestChild').late, `largest child of ${name}`).toBeLessThan(CHILD_MB);
        const files = memory.grown(name, 'files');
        expect.soft(files.late, `open files of ${name}`).toBeLessThan(files.early + 20);
      }
    } finally {
      await docent.stop();
      await receiver.stop();
    }
  },
);

/** A project that allows pushes and accepts readers' feedback, and a webhook for all events. */
async function prepare({ ledger, docent, receiver }: Soak): Promise<void> {
  const path = { projectId: docent.projectId };
  await ledger.ask({
    method: 'patch',
    route: '/v1/projects/{projectId}',
    path,
    body: { settings: { allowPush: true, analyticsOrigins: [SITE] } },
    expect: [200],
  });
  const webhook = await ledger.ask<{ secret: string }>({
    method: 'post',
    route: '/v1/projects/{projectId}/webhooks',
    path,
    body: { url: receiver.url },
    expect: [201],
  });
  if (webhook) receiver.expectSecret(webhook.secret);
}

async function activeJobs(docent: Installation): Promise<number> {
  const { rows } = await docent.database.pool.query("SELECT count(*)::int AS n FROM jobs WHERE status = 'active'");
  return rows[0].n as number;
}

/** Reports problems immediately, for people who wait. */
function progress({ ledger }: Soak, memory: MemoryWatch, parts: readonly string[], minute: number): string {
  const wrong = [...ledger.undocumented, ...ledger.unexpected];
  const megabytes = parts
    .map((name) => Math.round((memory.own.get(name)?.at(-1) ?? 0) + (memory.children.get(name)?.at(-1) ?? 0)))
    .join(', ');
  return `${minute} of ${MINUTES} min: ${ledger.total} answers, ${megabytes} MB, ${wrong.length} wrong ${wrong.slice(0, 2).join(' ')}\n`;
}

const change = ({ early, late }: { early: number; late: number }) => `${Math.round(early)} → ${Math.round(late)}`;

/** Prints the requests as lines of a table for docs-internal/fault-tests.md. */
function report(
  { ledger, counts }: Soak,
  memory: MemoryWatch,
  live: ReadonlyMap<string, readonly number[]>,
  seconds: number,
): void {
  const lines = [
    `${Math.round(seconds)} s, ${ledger.total} answers (${Math.round(ledger.total / seconds)} a second)`,
    ...[...ledger.answers].map(([name, n]) => `  ${name}: ${n}`).toSorted((a, b) => a.localeCompare(b)),
    ...Object.entries(counts).map(([name, n]) => `${name}: ${n}`),
    ...[...live].map(([name, [early = 0, late = 0]]) =>
      [
        `${name}: ${change(memory.grown(name))} MB`,
        `live ${change({ early, late })} MB`,
        `children ${change(memory.grown(name, 'children'))} MB`,
        `largest child ${change(memory.grown(name, 'largestChild'))} MB`,
        `${change(memory.grown(name, 'files'))} open files`,
      ].join(', '),
    ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
