import { createHash } from 'node:crypto';
import { Analytics } from '../../analytics/analytics.ts';
import { apiConfigOf } from '../../api/api-config.ts';
import { Dashboard } from '../../api/pages/dashboard.ts';
import { AuditTrail } from '../../api/audit-trail.ts';
import { createApp } from '../../api/app.ts';
import { WakeQueue } from '../../api/wake-queue.ts';
import { listen, type ListeningServer } from '../../api/server.ts';
import { pathBehind, type Readiness } from '../../api/services.ts';
import type { Config } from '../../config/config.ts';
import { placeInTemporal } from '../../temporal/place-in-temporal.ts';
import { armFault } from '../../platform/faults.ts';
import { SecretBox } from '../../platform/secret-box.ts';
import { countDamage } from '../../store/analytics-damage.ts';
import { openDatabase, type Database } from '../../store/database.ts';
import { writeCheck } from '../../store/write-check.ts';
import { databaseProblem } from '../../store/database-problem.ts';
import { installationId } from '../../store/installation.ts';
import { decideWhoNamesModels, findInstallationModel } from '../../store/installation-model.ts';
import { openAnalyticsFolder } from './analytics-folder.ts';
import { deferTemporalClient } from './deferred-temporal.ts';
import { joinDatabase } from './join-database.ts';
import { listenRefused } from './listen-refused.ts';
import { observeInstallation, observeLogs, observePool, openTelemetry } from './role-telemetry.ts';
import { publicUrlOf, requiredServices } from './required-services.ts';
import type { RoleContext, RunningRole } from './role.ts';
import type { TemporalClient } from './temporal-client.ts';
import { jobWorkflowId } from '../../workflows/contract.ts';

/**
 * The role `api`: answers HTTP. Waits for the database; works without Temporal, since jobs are rows first.
 * Resolves when it listens.
 */
export async function startApi(context: RoleContext): Promise<RunningRole> {
  const { config, log, stopping } = context;
  const { databaseUrl, temporal } = requiredServices(context);
  armFault(config.fault);
  const database = openDatabase(databaseUrl, {
    applicationName: 'docent api',
    maxConnections: config.databaseConnections,
    onIdleError: (err) => log.warn({ err }, 'a connection to the database broke'),
  });
  const signOfLife = await joinDatabase(database, 'docent api', { config, log, stopping });

  const analytics = await Analytics.open({
    database,
    folder: await openAnalyticsFolder(context, database, 'docent api'),
    log,
    memoryMb: config.analyticsMemoryMb,
    ack: config.analyticsAck,
  });
  const installation = await installationId(database.db);
  await decideWhoNamesModels(database.db, await findInstallationModel(database.db, config.model));
  const temporalClient = deferTemporalClient({
    temporal,
    db: database.db,
    installationId: installation,
    searchAttributes: config.searchAttributes,
  });
  const checks = { analytics, ack: config.analyticsAck, database, canWrite: writeCheck(database), temporalClient };
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
    readiness: remembered(async () => ({ ...(await readiness(checks)), givenUpParts: context.givenUpParts() })),
    askTemporal: temporalClient.askHealth,
    workflowOf: (jobId) =>
      placeInTemporal(jobWorkflowId(installation, jobId), temporal.namespace, config.temporalUiUrl ?? null),
    publicUrl: () => publicUrlOf(config, port),
    operatorTokenHashes: operatorHashes(config),
    dashboard: await Dashboard.load(),
  });
  if (!config.operatorToken) {
    log.warn('DOCENT_OPERATOR_TOKEN is not set: nobody can manage projects and keys on this API');
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

/** How long a server that has given its last answer goes on telling Temporal of changes: one call takes at most 2 s. */
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

interface Checks {
  analytics: Analytics;
  ack: Config['analyticsAck'];
  database: Database;
  canWrite: () => Promise<void>;
  temporalClient: TemporalClient;
}

/** A load balancer asks every few seconds, and wants an answer. */
const CHECK_MS = 2_500;
const REMEMBER_MS = 1_000;
const BUCKET_NEEDED = 'The bucket with the page views cannot be used, and without it no page view is acknowledged.';

async function readiness(checks: Checks): Promise<Readiness> {
  const { analytics, database, temporalClient } = checks;
  const temporal = temporalClient.proveReady(CHECK_MS);
  // Without the database, or the folder, that is what is said.
  const damaged = within(CHECK_MS, countDamage(database.db)).catch(() => null);
  const bucket = analytics.bucketAnswers();
  const setAside = bucket === false ? null : within(CHECK_MS, analytics.countUncounted()).catch(() => null);
  const problem = await within(CHECK_MS, checks.canWrite()).then(
    () => null,
    (err: unknown) => databaseProblem(err)?.sentence ?? 'The database cannot be reached.',
  );
  return {
    temporal: await succeeds(temporal),
    database: problem === null,
    ...(problem === null ? {} : { databaseProblem: problem }),
    analyticsFolder: await succeeds(within(CHECK_MS, analytics.proveFolder())),
    bucket,
    ...(bucket === false && checks.ack === 'stored' ? { bucketProblem: BUCKET_NEEDED } : {}),
    damagedFiles: await damaged,
    setAsideFiles: await setAside,
  };
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Anybody may ask whether the server is ready: the services behind it are asked at most once a second. */
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
