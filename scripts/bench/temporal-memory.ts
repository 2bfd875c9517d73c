import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { findTemporal } from '../../src/main/start/temporal-server/find.ts';
import { startTemporal } from '../../src/main/start/temporal-server/server.ts';
import { createLogger } from '../../src/platform/log.ts';
import { Reaper } from '../../src/platform/processes/reaper.ts';
import { freePort } from '../free-port.ts';
import { megabytes, type BenchRow } from './bench-row.ts';
import { ownMemory, processorSeconds } from './process-usage.ts';
import { withSkeletons } from './skeleton-jobs.ts';

const AT_ONCE = 10;
/** What was begun at the end is done with by then, and what is not needed has been given back. */
const REST_MS = 30_000;

interface Server {
  pid: number | undefined;
  address: string;
  stop(): Promise<unknown>;
}

/** What the Temporal of `docent start` comes to have in memory, run by run, beside the same program as it is without Docent's settings. */
export async function benchTemporalMemory(runs = 3_000): Promise<BenchRow[]> {
  const { binary } = await findTemporal({
    env: process.env,
    onProgress: (text: string) => process.stderr.write(`${text}\n`),
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-bench-'));
  const reaper = new Reaper();
  reaper.deleteAfterDeath(folder);
  try {
    const plain = await measure(runs, () => plainServer(binary, path.join(folder, 'plain.db')));
    const ours = await measure(runs, async () => {
      const log = createLogger({ level: 'error', name: 'bench' });
      const ports = { port: await freePort(), uiPort: await freePort() };
      return startTemporal({ binary, dbFile: path.join(folder, 'ours.db'), ...ports, log, reaper });
    });
    const measured = ({ after, seconds }: Measured) =>
      `${after.map(megabytes).join(' → ')}; ${seconds.toFixed(0)} s of processor time`;
    return [
      { name: `Temporal’s own memory after 0, ${runs / 2} and ${runs} runs, by default`, measured: measured(plain) },
      {
        name: 'The same, as docent start has it',
        measured: measured(ours),
        ratio: ours.after.at(-1)! / ours.after.at(-2)!,
        goal: 'no more than 1.1 for twice as many runs',
        met: ours.after.at(-1)! / ours.after.at(-2)! <= 1.1,
      },
    ];
  } finally {
    await reaper.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Measured {
  /** Bytes at rest, before the first run, after half of them and after all. */
  after: number[];
  seconds: number;
}

async function measure(runs: number, start: () => Promise<Server>): Promise<Measured> {
  const server = await start();
  try {
    return await withSkeletons(server.address, async ({ run }) => {
      const after: number[] = [];
      let done = 0;
      for (const count of [0, runs / 2, runs]) {
        for (; done < count; done += AT_ONCE) {
          await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => run(String(done + n))));
          process.stderr.write(`\r${done} of ${runs} runs  `);
        }
        await sleep(REST_MS);
        after.push((await ownMemory(server.pid)) ?? NaN);
      }
      process.stderr.write('\r');
      return { after, seconds: (await processorSeconds(server.pid)) ?? NaN };
    });
  } finally {
    await server.stop();
  }
}

async function plainServer(binary: string, file: string): Promise<Server> {
  const [port, uiPort] = [await freePort(), await freePort()];
  const server = spawn(
    binary,
    ['server', 'start-dev', '--port', String(port), '--ui-port', String(uiPort), '--db-filename', file],
    { stdio: 'ignore' },
  );
  const address = `127.0.0.1:${port}`;
  for (;;) {
    try {
      await (await Connection.connect({ address, connectTimeout: '1 second' })).close();
      break;
    } catch (err) {
      if (server.exitCode !== null) throw err;
      await sleep(100);
    }
  }
  return {
    pid: server.pid,
    address,
    async stop() {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}
