import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { expect, test } from 'vitest';
import { openNext } from '../../src/activities/turn/open-next.ts';
import { acceptJob } from '../../src/jobs/acceptance.ts';
import { findNextInQueue } from '../../src/jobs/queue.ts';
import { endTurn } from '../../src/jobs/turn-life.ts';
import { projects } from '../../src/store/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createTestDatabase } from '../support/stack.ts';

const SECONDS = 15;
test('places', { timeout: 300_000 }, async () => {
  for (const waiting of [0, 3000]) {
    for (const rate of [0, 60]) {
      const base = await createTestDatabase();
      const { connectionString } = base.pool.options as { connectionString: string };
      const worker = openDatabase(connectionString, { applicationName: 'w', maxConnections: 10, onIdleError: () => {} });
      await base.db.insert(projects).values({ id: 'one', repository: '/nowhere', ref: 'main', model: 'builtin' });
      const settings = { messagesPerTurn: 10, concurrentJobs: 40, projectConcurrentJobs: 10, limits: { idleMs: 1 } } as never;
      const slots = new PQueue({ concurrency: 10 });
      let done = 0;
      let on = true;
      let maxWait = 0;
      const post = () => base.db.transaction((tx) => acceptJob(tx, { projectId: 'one', prompt: 'x', repositoryUrl: () => 'file:///n', limitPerHour: 1_000_000 }));
      const asleep = new Set<string>();
      const openIt = async (id: string): Promise<void> => {
        if (!on) return;
        const opened = await slots.add(() => openNext({ db: worker.db, settings }, id, true));
        if (!opened || !on) return;
        if (opened.kind === 'queued') { asleep.add(id); return; }
        if (opened.kind !== 'turn') return;
        for (let n = 0; n < 3; n += 1) await slots.add(() => sleep(100));
        if (!on) return;
        await slots.add(async () => {
          await worker.db.transaction((tx) => endTurn(tx, id, 1, { state: 'unchanged', summary: null, error: null }));
          done += 1;
          for (const { id: next } of await findNextInQueue(worker.db, settings)) if (asleep.delete(next)) void openIt(next).catch(() => {});
        });
        if (rate === 0 && waiting === 0) void post().then((job) => openIt(job.id));
      };
      const ids: string[] = [];
      for (let n = 0; n < waiting + 10; n += 20) ids.push(...(await Promise.all(Array.from({ length: 20 }, post))).map(({ id }) => id));
      await base.pool.query(`UPDATE jobs SET queue_no = s.n FROM (SELECT id, row_number() OVER (ORDER BY created_at) AS n FROM jobs) s WHERE s.id = jobs.id AND $1`, [waiting > 0]);
      await base.pool.query('ANALYZE');
      if (waiting) for (const id of ids) asleep.add(id);
      for (const id of ids.slice(0, waiting ? 40 : 10)) { asleep.delete(id); void openIt(id); }
      const poller = (async () => { while (on) { const { rows } = await base.pool.query(`SELECT count(*)::int AS n FROM pg_locks WHERE locktype='advisory' AND NOT granted`); maxWait = Math.max(maxWait, rows[0].n); await sleep(200); } })();
      const posting = (async () => {
        const until = performance.now() + SECONDS * 1000;
        const all: Promise<void>[] = [];
        let next = performance.now();
        while (performance.now() < until) {
          if (rate === 0) { await sleep(100); continue; }
          next += 1000 / rate;
          all.push(post().then((job) => openIt(job.id)).catch(() => {}));
          const pause = next - performance.now();
          if (pause > 0) await sleep(pause);
        }
      })();
      await sleep(SECONDS * 1000);
      on = false;
      process.stdout.write(`PLACES waiting ${waiting} posts/s ${rate}: completed ${(done / SECONDS).toFixed(1)}/s, lock waiters ${maxWait}, slots queued ${slots.size}\n`);
      slots.clear();
      await posting; await poller;
      await slots.onIdle();
      await worker.close();
      await base.drop();
    }
  }
  expect(1).toBe(1);
});
