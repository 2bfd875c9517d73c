import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { messageOf } from '@docent/base/thrown';
import type { Reaper } from '@docent/servers/processes/reaper';
import { freePort } from '../free-port.ts';
import { Kept } from './kept.ts';
import type { SystemPostgres } from './postgres.ts';
import type { TemporalPrograms } from './temporal-programs.ts';

const run = promisify(execFile);
const HOST = '127.0.0.1';
const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
type Service = (typeof SERVICES)[number];

/** The two databases, by their content. */
const DATABASES = [
  { name: 'temporal', schema: 'postgresql/v12/temporal' },
  { name: 'temporal_visibility', schema: 'postgresql/v12/visibility' },
] as const;

export interface TemporalServices {
  /** host:port of the frontend's gRPC. */
  address: string;
  services: Kept[];
}

/** As docs/operate/own-services.mdx advises. */
const DYNAMIC_CONFIG = `\
matching.enableFairness:
  - value: true
history.cacheBackgroundEvict:
  - value: { Enabled: true, LoopInterval: 1m, MaxEntryPerCall: 1024 }
history.cacheTTL:
  - value: 10m
`;

/**
 * Starts Temporal's four services as processes of their own on the given PostgreSQL, with a namespace
 * `default`. Whenever one dies it is started again.
 */
export async function startTemporalServices(
  folder: string,
  programs: TemporalPrograms,
  postgres: SystemPostgres,
  reaper: Reaper,
): Promise<TemporalServices> {
  for (const database of DATABASES) await makeDatabase(programs.sqlTool, postgres, database);
  const ports = Object.fromEntries(
    await Promise.all(
      SERVICES.map(async (name) => [name, { grpc: await freePort(), membership: await freePort() }] as const),
    ),
  ) as Record<Service, { grpc: number; membership: number }>;
  const root = path.join(folder, 'temporal');
  await mkdir(path.join(root, 'config'), { recursive: true });
  await writeFile(path.join(root, 'config', 'dynamic.yaml'), DYNAMIC_CONFIG);
  // JSON is YAML.
  const config = JSON.stringify(serverConfig(root, postgres, ports), null, 2);
  await writeFile(path.join(root, 'config', 'cluster.yaml'), config);

  const services = SERVICES.map(
    (name) =>
      new Kept({
        name: `temporal-${name}`,
        command: programs.server,
        args: ['--root', root, '--env', 'cluster', '--allow-no-auth', 'start', '--service', name],
        env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
        cwd: root,
        stopGraceMs: 10_000,
        reaper,
      }),
  );
  for (const service of services) await service.start();
  const address = `${HOST}:${ports.frontend.grpc}`;
  try {
    await registerNamespace(address);
  } catch (err) {
    const words = services.map((service) => `${service.name}: ${service.lastOutput}`).join('\n');
    throw new Error(`Temporal did not start: ${messageOf(err)}\n${words}`, { cause: err });
  }
  return { address, services };
}

async function makeDatabase(
  sqlTool: string,
  { port, user }: SystemPostgres,
  { name, schema }: (typeof DATABASES)[number],
): Promise<void> {
  const common = ['--plugin', 'postgres12', '--endpoint', HOST, '--port', String(port), '--user', user, '--db', name];
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  for (const args of [['create-database'], ['setup-schema', '-v', '0.0'], ['update-schema', '--schema-name', schema]])
    await run(sqlTool, [...common, ...args], { env, timeout: 120_000 });
}

function serverConfig(
  root: string,
  { port, user }: SystemPostgres,
  ports: Record<Service, { grpc: number; membership: number }>,
): unknown {
  const store = (databaseName: string) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `${HOST}:${port}`,
      connectProtocol: 'tcp',
      user,
      password: '',
      maxConns: 20,
      maxIdleConns: 20,
      maxConnLifetime: '1h',
    },
  });
  const [main, visibility] = DATABASES;
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      numHistoryShards: 16,
      defaultStore: main.name,
      visibilityStore: visibility.name,
      datastores: { [main.name]: store(main.name), [visibility.name]: store(visibility.name) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: HOST } },
    services: Object.fromEntries(
      SERVICES.map((name) => [
        name,
        { rpc: { grpcPort: ports[name].grpc, membershipPort: ports[name].membership, bindOnLocalHost: true } },
      ]),
    ),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `${HOST}:${ports.frontend.grpc}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: `${HOST}:${ports.frontend.grpc}` },
    dynamicConfigClient: { filepath: path.join(root, 'config', 'dynamic.yaml'), pollInterval: '60s' },
  };
}

/** Waits for the frontend, makes `default`, and waits until every service knows it. */
async function registerNamespace(address: string): Promise<void> {
  const deadline = Date.now() + 90_000;
  for (;;) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: 2_000 });
      try {
        const { workflowService } = connection;
        await workflowService
          .registerNamespace({ namespace: 'default', workflowExecutionRetentionPeriod: msToTs('3 days') })
          .catch(ignoreExisting);
        await workflowService.listWorkflowExecutions({ namespace: 'default', pageSize: 1 });
        return;
      } finally {
        await connection.close();
      }
    } catch (err) {
      if (Date.now() > deadline) throw err;
      await sleep(500);
    }
  }
}

function ignoreExisting(err: { code?: number }): void {
  const ALREADY_EXISTS = 6; // gRPC
  if (err.code !== ALREADY_EXISTS) throw err;
}
