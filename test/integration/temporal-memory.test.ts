import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningTemporal } from '@docent/servers/temporal/server';
import { createLogger } from '../../src/platform/log.ts';
import { Reaper } from '@docent/servers/processes/reaper';
import { ownTemporal } from '../support/own-temporal.ts';

/** The server that `docent start` brings runs for months. */
const reaper = new Reaper();
let folder: string;
let temporal: RunningTemporal;
let printed = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-temporal-memory-'));
  const log = createLogger({ level: 'debug', name: 'temporal' }, { write: (line) => void (printed += line) });
  temporal = await (await ownTemporal(folder, 'temporal', reaper, log)).start();
});
afterAll(async () => {
  await temporal?.stop();
  await reaper.close();
  await rm(folder, { recursive: true, force: true });
});

/** The number of runs that the server reports as cached. */
async function cachedRuns(): Promise<number> {
  const url = /Metrics:\s+(http:[^\s"\\]+)/.exec(printed)?.[1];
  const metrics = await (await fetch(url!)).text();
  return Number(/^cache_usage\{[^}]*"mutablestate"[^}]*\} (\S+)/m.exec(metrics)?.[1]);
}

test("the embedded Temporal's memory for ended runs does not grow with their number", async () => {
  const connection = await Connection.connect({ address: temporal.address });
  const { workflow } = new Client({ connection });
  for (let n = 0; n < 300; n += 10) {
    await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const run = await workflow.start('nothing', { taskQueue: 'nobody', workflowId: `run-${n + i}` });
        await run.terminate();
      }),
    );
  }
  await connection.close();
  await expect.poll(cachedRuns).toBeGreaterThan(200);
  expect(await cachedRuns()).toBeLessThanOrEqual(256);
});
