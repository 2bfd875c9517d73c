import { createHash } from 'node:crypto';
import { claimChecks } from '@docent/access-log/agents/check-claim';
import { agentKeys, directoriesAt } from '@docent/access-log/agents/signatures';
import { Analytics } from '../analytics/analytics.ts';
import { apiConfigOf } from '../api/api-config.ts';
import { Dashboard } from '../api/pages/dashboard.ts';
import { AuditTrail } from '../api/audit-trail.ts';
import { createApp } from '../api/app.ts';
import { WakeQueue } from '../api/wake-queue.ts';
import { listen, type ListeningServer } from '../api/server.ts';
import { pathBehind } from '../api/services.ts';
import type { Config } from '../config/config.ts';
import { armFault } from '../platform/faults.ts';
import { SecretBox } from '../platform/secret-box.ts';
import { countDamage } from '../store/analytics/damage.ts';
import { openDatabase } from '../store/database.ts';
import { writeCheck } from '../store/installation/write-check.ts';
import { installationId } from '../store/installation/installation.ts';
import { openAnalyticsFolder } from './analytics-folder.ts';
import { joinDatabase } from './join-database.ts';
import { listenRefused } from './listen-refused.ts';
import { observeInstallation, observeLogs, observePool, openTelemetry } from './role-telemetry.ts';
import { publicUrlOf, requiredServices } from './required-services.ts';
import { readiness, withChangesLogged } from './readiness.ts';
import type { RoleContext, RunningRole } from './role.ts';
import { jobWorkflowId } from '../workflows/contract.ts';
import type { TemporalClient, TemporalClientOptions } from './temporal-client.ts';

/** An API's Temporal client, loaded on first use: the SDK takes 20 MB and an eighth of a second. */
function deferTemporalClient(options: TemporalClientOptions): TemporalClient {
  let loading: Promise<TemporalClient> | undefined;
  const client = () =>
    (loading ??= import('./temporal-client.ts').then(({ openTemporalClient }) => openTemporalClient(options)));
  return {
    jobWorkflows: deferred(async () => (await client()).jobWorkflows),
    workflows: deferred(async () => (await client()).workflows),
    askHealth: async (withinMs) => (await client()).askHealth(withinMs),
    checkReady: async (withinMs) => (await client()).checkReady(withinMs),
    close: async () => (await loading)?.close(),
  };
}

/** An object with the asynchronous functions of another one, which is loaded when one of them is called. */
function deferred<T extends object>(load: () => Promise<T>): T {
  const call = async (name: string | symbol, given: unknown[]) =>
    Reflect.apply(Reflect.get(await load(), name) as (...given: unknown[]) => unknown, undefined, given);
  return new Proxy<T>({} as T, {
    get:
      (_, name) =>
      (...given: unknown[]) =>
        call(name, given),
  });
}

/** The role `api`. Waits for the database, but not for Temporal. Resolves when it listens. */
export async function startApi(context: RoleContext): Promise<RunningRole> {
  const { config, log, stopping } = context;
  const { databaseUrl, temporal } = requiredServices(context);
  armFault(config.fault);
  const database = openDatabase(databaseUrl, {
    applicationName: 'docent api',
    maxConnections: config.databaseConnections,
    onIdleError: (err) => log.warn({ err }, 'lost a connection to the database'),
  });
  const signOfLife = await joinDatabase(database, 'docent api', { config, log, stopping });

  agentKeys.trust(directoriesAt(config.signatureAgents));
  const analytics = await Analytics.open({
    database,
    folder: await openAnalyticsFolder(context, database, 'docent api'),
    log,
    memoryMb: config.analyticsMemoryMb,
    ack: config.analyticsAck,
    claims: claimChecks(config.agentLookups),
  });
  const installation = await installationId(database.db);
  const temporalClient = deferTemporalClient({
    temporal,
    db: database.db,
    installationId: installation,
    searchAttributes: config.searchAttributes,
  });
  const checks = {
    temporal: (withinMs: number) => temporalClient.checkReady(withinMs),
    canWrite: writeCheck(database),
    damagedFiles: () => countDamage(database.db),
    analytics,
    ack: config.analyticsAck,
  };
  const telemetry = await openTelemetry(context, 'docent api');
  observePool(telemetry, database);
  observeInstallation(telemetry, database);
  observeLogs(telemetry, analytics);
  const wakes = new WakeQueue(log);
  const audit = new AuditTrail(database.db, log);
  let port = config.port;
  const app = createApp({
    database,
    jobWorkflows: temporalClient.jobWorkflows,
    wakes,
    audit,
    workflows: temporalClient.workflows,
    secrets: new SecretBox(config.secretKeys),
    config: apiConfigOf(config),
    log,
    analytics,
    readiness: remembered(
      withChangesLogged(async () => ({ ...(await readiness(checks)), givenUpParts: context.givenUpParts() }), log),
    ),
    askTemporal: temporalClient.askHealth,
    workflowOf: (jobId) =>
      placeInTemporal(jobWorkflowId(installation, jobId), temporal.namespace, config.temporalUiUrl ?? null),
    publicUrl: () => publicUrlOf(config, port),
    operatorTokenHashes: operatorHashes(config),
    dashboard: await Dashboard.load(),
  });
  if (!config.operatorToken) {
    log.warn('DOCENT_OPERATOR_TOKEN is not set: projects and keys cannot be managed through this API');
  }
  const server = await listenOrRefuse(app, config, () => pathBehind(publicUrlOf(config, port), '/'));
  port = server.port;
  log.info({ url: server.url }, 'answering');
  return {
    stopped: signOfLife.outdated,
    async stop(hurry) {
      await server.close({
        drainMs: config.drainSeconds * 1_000,
        hurry,
        deadlineMs: config.shutdownGraceSeconds * 1_000,
      });
      await Promise.all([wakes.close(WAKES_MS), audit.close(WAKES_MS)]);
      await telemetry.stop();
      await analytics.close();
      await temporalClient.close();
      await signOfLife.leave();
      await database.close();
    },
  };
}

/** A workflow's location and page in the Web UI. @param uiUrl without a final slash; null if unknown */
function placeInTemporal(workflowId: string, namespace: string, uiUrl: string | null) {
  const path = `/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  return { workflowId, namespace, link: uiUrl === null ? null : uiUrl + path };
}

/** How long a stopping server still signals Temporal: a call takes at most 2 s. */
const WAKES_MS = 3_000;

function operatorHashes({ operatorToken }: Config): Buffer[] {
  return operatorToken ? [createHash('sha256').update(operatorToken.reveal()).digest()] : [];
}

async function listenOrRefuse(
  app: Parameters<typeof listen>[0],
  { host, port }: Config,
  homePath: () => string,
): Promise<ListeningServer> {
  try {
    return await listen(app, { host, port, homePath });
  } catch (err) {
    throw listenRefused(err, { host, port, hostSetting: 'DOCENT_HOST', portSetting: 'DOCENT_PORT' });
  }
}

const REMEMBER_MS = 1_000;

/** Anyone may ask whether the server is ready, so its services are asked at most once a second. */
function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let until = 0;
  return () => {
    if (!answer || performance.now() > until) {
      until = performance.now() + REMEMBER_MS;
      answer = ask();
    }
    return answer;
  };
}
