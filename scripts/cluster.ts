/**
 * Runs a command against a cluster like an operator's: the PostgreSQL of the system's packages and Temporal's
 * four services, each its own process on loopback, started again whenever it dies. The command finds
 * them in the DOCENT_TEST_… variables.
 *
 *   node scripts/cluster.ts COMMAND [ARGUMENTS…]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf } from '@docent/base/thrown';
import { Reaper } from '@docent/servers/processes/reaper';
import type { Kept } from './cluster/kept.ts';
import { startSystemPostgres } from './cluster/postgres.ts';
import { SERVER_VERSION, temporalPrograms } from './cluster/temporal-programs.ts';
import { startTemporalServices } from './cluster/temporal-services.ts';

const root = path.join(import.meta.dirname, '..');
const say = (text: string) => process.stderr.write(`${text}\n`);
const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  say('usage: node scripts/cluster.ts COMMAND [ARGUMENTS…]');
  process.exit(2);
}
const folder = await mkdtemp(path.join(tmpdir(), 'docent-cluster-'));
const reaper = new Reaper();
reaper.deleteAfterDeath(folder);
const running: Kept[] = [];
try {
  const programs = await temporalPrograms(say);
  const postgres = await startSystemPostgres(folder, reaper);
  running.push(postgres.kept);
  say(`PostgreSQL ${postgres.version} on port ${postgres.port}`);
  const temporal = await startTemporalServices(folder, programs, postgres, reaper);
  running.unshift(...temporal.services);
  say(`Temporal ${SERVER_VERSION}, four services, at ${temporal.address}`);
  const pids = path.join(folder, 'pids.json');
  const writing = setInterval(() => writePids(pids), 200);
  writePids(pids);
  const child = spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      DOCENT_TEST_POSTGRES_URL: postgres.url,
      DOCENT_TEST_TEMPORAL_ADDRESS: temporal.address,
      DOCENT_TEST_CLUSTER_PIDS: pids,
    },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(writing);
  say(`Starts: ${running.map((kept) => `${kept.name} ${kept.starts}`).join(', ')}`);
  process.exitCode = code ?? 1;
} catch (err) {
  say(messageOf(err));
  process.exitCode = 1;
} finally {
  for (const kept of running) await kept.stop();
  await reaper.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The current process of each part, for tests that kill them. Written atomically. */
function writePids(file: string): void {
  writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(running.map((kept) => [kept.name, kept.pid]))));
  renameSync(`${file}.new`, file);
}
