import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDocentClient, type DocentClient } from '../../packages/client/src/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { startPostgres } from '@docent/servers/postgres/cluster';
import { Reaper } from '@docent/servers/processes/reaper';
import { findTemporal } from '@docent/servers/temporal/find';
import { startTemporal } from '@docent/servers/temporal/server';
import { SEARCH_ATTRIBUTES } from '../../src/workflows/contract.ts';
import { spawnRole, untilReady, type RoleProcess } from '../../test/support/role-process.ts';
import { freePort } from '../free-port.ts';

/**
 * Docent in a temporary folder, as `docent start` runs it, without limits on requests.
 */
export interface BenchStack {
  folder: string;
  apiUrl: string;
  temporalAddress: string;
  /** The server programs that run beside Docent's processes. */
  pids: { temporal: number; postgres: number };
  /** Pauses or resumes Temporal. */
  pauseTemporal(isPaused: boolean): void;
  token: string;
  client: DocentClient;
  startApi(): Promise<RoleProcess>;
  startWorker(): Promise<RoleProcess>;
  stop(): Promise<void>;
}

/** @param more variables of the environment that this benchmark needs, given the stack's folder */
export async function startBenchStack(
  more: (folder: string) => Record<string, string> = () => ({}),
): Promise<BenchStack> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-bench-'));
  await chmod(folder, 0o711);
  const reaper = new Reaper();
  reaper.deleteAfterDeath(folder);
  const log = createLogger({ level: 'error', name: 'bench' });
  const { binary } = await findTemporal({
    env: process.env,
    onProgress: (text: string) => process.stderr.write(`${text}\n`),
  });
  const [postgres, temporal] = await Promise.all([
    startPostgres({ dir: path.join(folder, 'postgres'), log, reaper }),
    startTemporal({
      binary,
      dbFile: path.join(folder, 'temporal.db'),
      port: await freePort(),
      uiPort: await freePort(),
      searchAttributes: Object.fromEntries(Object.values(SEARCH_ATTRIBUTES).map((name) => [name, 'Keyword'])),
      log,
      reaper,
    }),
  ]);
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const token = randomBytes(24).toString('hex');
  const env = {
    HOME: folder,
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    DOCENT_PORT: String(port),
    DOCENT_PUBLIC_URL: apiUrl,
    DOCENT_OPERATOR_TOKEN: token,
    DOCENT_CACHE_DIR: path.join(folder, 'cache'),
    DOCENT_JOBS_PER_HOUR: '1000000',
    DOCENT_MESSAGES_PER_HOUR: '1000000',
    DOCENT_CONCURRENT_JOBS: '100000',
    DOCENT_PROJECT_CONCURRENT_JOBS: '100000',
    DOCENT_LOG_LEVEL: 'info',
    ...more(folder),
  };
  const roles: RoleProcess[] = [];
  return {
    folder,
    apiUrl,
    temporalAddress: temporal.address,
    pids: { temporal: temporal.pid, postgres: postgres.pid },
    pauseTemporal: (isPaused) => process.kill(temporal.pid, isPaused ? 'SIGSTOP' : 'SIGCONT'),
    token,
    client: createDocentClient({ baseUrl: apiUrl, apiKey: token }),
    async startApi() {
      const role = spawnRole('api', env);
      roles.push(role);
      await untilReady(role, async () => (await fetch(`${apiUrl}/healthz`)).ok);
      return role;
    },
    async startWorker() {
      const role = spawnRole('worker', env);
      roles.push(role);
      await untilReady(role, () => role.output().includes('ready for jobs'));
      return role;
    },
    async stop() {
      await Promise.all(roles.map((role) => role.kill('SIGTERM')));
      await temporal.stop();
      await postgres.stop();
      await reaper.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
