/**
 * A server of page views, or a process that works on their files, until it is killed. Its orders come as JSON
 * in the first argument. It says `ready` and its address on standard output.
 */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Analytics } from '../../src/analytics/analytics.ts';
import { openFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { maintain } from '../../src/analytics/maintenance/maintain.ts';
import { rebuildProject } from '../../src/analytics/maintenance/rebuild.ts';
import { SteadyClock } from '../../src/analytics/maintenance/steady-clock.ts';
import { apiConfigOf } from '../../src/api/api-config.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createApp } from '../../src/api/app.ts';
import { listen } from '../../src/api/server.ts';
import { createLogger } from '../../src/platform/log.ts';
import { SecretBox } from '../../src/platform/secret-box.ts';
import { Secret } from '../../src/platform/secret.ts';
import { openDatabase } from '../../src/store/database.ts';
import { READY } from './ready.ts';

export interface ServerOrders {
  role: 'server' | 'maintenance';
  databaseUrl: string;
  folder: string;
  project: string;
  token: string;
  leaseSeconds: number;
  /** How long what was taken stays in the log. */
  sealAfterMs?: number;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as ServerOrders;
const log = createLogger({ level: process.env.DOCENT_TEST_LOG_LEVEL ?? 'fatal', name: orders.role });
const database = openDatabase(orders.databaseUrl, { onIdleError: () => {} });

const nobody = () => Promise.reject(new Error('This server has no jobs.'));

if (orders.role === 'server') {
  const { leaseSeconds, sealAfterMs = 150 } = orders;
  const folder = await openFolder(database, orders.folder, { log, name: orders.role });
  const analytics = await Analytics.open({ database, folder, log, memoryMb: 256, sealAfterMs, leaseSeconds });
  const app = createApp({
    database,
    jobWorkflows: { start: nobody, signal: nobody, signalOpen: nobody },
    workflows: {
      checkRepository: nobody,
      surveyRepository: nobody,
      changePullRequest: nobody,
      checkHost: nobody,
      checkModel: nobody,
      testModel: nobody,
      refreshPullRequest: nobody,
      testWebhook: nobody,
    },
    secrets: new SecretBox([new Secret(randomBytes(32).toString('base64'))]),
    config: apiConfigOf(loadConfig({})),
    log,
    analytics,
    readiness: async () => READY,
    publicUrl: () => 'http://127.0.0.1',
    operatorTokenHashes: [createHash('sha256').update(orders.token).digest()],
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  process.stdout.write(`ready ${server.url}\n`);
} else {
  const folder = await openFolder(database, orders.folder, { log, name: orders.role });
  const duck = await Duck.open({
    memoryMb: 256,
    threads: 1,
    connections: 1,
    temporaryFolder: folder.temporaryFolder,
  });
  const storage = { database, folder, duck, log };
  const clock = new SteadyClock();
  process.stdout.write('ready\n');
  for (let round = 1; ; round += 1) {
    await maintain(storage, orders.project, { retentionDays: null, clock });
    if (round % 5 === 0) await rebuildProject(storage, orders.project, {});
    await sleep(200);
  }
}
