import { homedir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type LogLevel,
} from '@temporalio/worker';
import type { ActivityDeps } from '../activities/deps.ts';
import { createPageFetch } from '../activities/step/fetch-page.ts';
import { createAnalyticsActivities } from '../activities/maintenance/analytics-activities.ts';
import { agentListUpdates } from '../activities/maintenance/agent-list-updates.ts';
import { directoriesAt } from '@docent/access-log/agents/signatures';
import { agentListFetch } from '../analytics/ingest/agent-lists.ts';
import { AnalyticsReports } from '../activities/reports/analytics-reports.ts';
import { citationWatch } from '../activities/maintenance/citation-watch.ts';
import { releaseMarks } from '../activities/maintenance/release-marks.ts';
import { createRetentionActivities } from '../activities/maintenance/retention-activities.ts';
import { createPullRequestActivities } from '../activities/maintenance/pull-request-activities.ts';
import { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts';
import { createWebhookSender } from '../activities/webhooks/webhook-sender.ts';
import { hostReplies } from '../activities/host-events/host-replies.ts';
import { hostEventDispatcher } from '../activities/host-events/host-event-dispatcher.ts';
import { hostPoller } from '../activities/host-events/host-poller.ts';
import { createControlActivities } from '../activities/requests/carry-out-request.ts';
import { CodeTriggers } from '../activities/triggers/code-triggers.ts';
import { ReaderSignals } from '../activities/triggers/reader-signals.ts';
import { createTriggerActivities } from '../activities/triggers/trigger-activities.ts';
import { createTurnActivities } from '../activities/turn-activities.ts';
import { TranscriptMemory } from '../activities/step/transcript-memory.ts';
import { Duck } from '../analytics/storage/duck.ts';
import { createAgentPool } from '../agent/agent-pool.ts';
import { ConfigError } from '@docent/base/config-error';
import { messageOf } from '@docent/base/thrown';
import { presentDeliveryData } from '../api/presenters/webhook.ts';
import { AutomationRunner } from '../temporal/automation-runner.ts';
import { OutboxDispatcher } from '../temporal/outbox-dispatcher.ts';
import { Reconciler } from '../temporal/reconciler.ts';
import { createJobWorkflows } from '../temporal/job-workflows.ts';
import { createSchedules } from '../temporal/schedules.ts';
import { keepHistories } from '../temporal/namespace-retention.ts';
import { registerSearchAttributes } from '../temporal/search-attributes.ts';
import { clientTraces } from '../temporal/traces.ts';
import { activityTraces, turnSinks } from '../temporal/worker-traces.ts';
import type { AcceptanceSettings } from '../jobs/create-job.ts';
import { armFault } from '../platform/faults.ts';
import { createGitStore } from '../git/git-store.ts';
import { createCodeHosts } from '../code-hosts/code-hosts.ts';
import { createLocalHost } from '../code-hosts/local/local.ts';
import type { Logger } from '../platform/log.ts';
import { createMailer } from '../platform/mail/mailer.ts';
import { duckThreads } from '../platform/processes/pool-sizes.ts';
import { SecretBox } from '../platform/secret-box.ts';
import type { Secret } from '../platform/secret.ts';
import { commitSigner } from '@docent/git/signing/signing-key';
import { openDatabase } from '../store/database.ts';
import { installationId } from '../store/installation/installation.ts';
import { readModelKey } from '../store/installation/model-keys.ts';
import { findInstallationModel } from '../store/installation/installation-model.ts';
import { taskQueueOf, webhookQueueOf } from '../workflows/contract.ts';
import { openAnalyticsFolder } from './analytics-folder.ts';
import { modelsOf, warnOfUnusable } from './model-setup.ts';
import { joinDatabase } from './join-database.ts';
import { observePool, openTelemetry } from './role-telemetry.ts';
import { publicUrlOf } from './required-services.ts';
import { firstFreePort } from '../platform/net/free-port.ts';
import type { RoleContext, RunningRole } from './role.ts';
import { readTemporalKey } from './environment.ts';
import { watchTemporalKey } from './temporal-key.ts';
import { temporalReachable } from './temporal-reachable.ts';
import { workflowBundlePath } from './workflow-bundle.ts';
import { removals } from './removals.ts';

/** How long an activity that ignores its cancellation may hold up the end of the process. */
const FORCE_MARGIN_MS = 5_000;
/** How long Temporal may take to accept or refuse the worker's key. */
const KEY_CHECK_MS = 5_000;
/** The most parallel messages of one worker: waiting for a slow receiver costs little. */
const WEBHOOKS_AT_ONCE = 100;
/**
 * The most jobs whose workflows a worker keeps in memory, 0.7 MB each. The longest idle ones are dropped; a
 * message to one of them makes its worker replay the job's history, about 10 ms. (The SDK's own limit follows
 * the heap: about 2,000, 1.5 GB.)
 */
const WORKFLOWS_KEPT = 200;

/** The role `worker`: carries out jobs, and sends missing signals. Resolves when it takes tasks. */
export async function startWorker({ config, temporal, log, stopping }: RoleContext): Promise<RunningRole> {
  if (!config.databaseUrl) throw new ConfigError(['DATABASE_URL is not set. A worker requires PostgreSQL.']);
  if (!temporal) throw new ConfigError(['TEMPORAL_ADDRESS is not set. A worker requires a Temporal server.']);
  armFault(config.fault);
  if (config.signingKey) await assertCanSign(config.signingKey);
  const sdkMetrics = config.metricsPort === undefined ? undefined : `127.0.0.1:${await firstFreePort([])}`;
  quietRuntime(log, sdkMetrics);

  const onIdleError = (err: Error) => log.warn({ err }, 'lost a connection to the database');
  const databaseUrl = config.databaseUrl.reveal();
  const database = openDatabase(databaseUrl, {
    applicationName: 'docent worker',
    maxConnections: config.databaseConnections,
    onIdleError,
  });
  const secretBox = new SecretBox(config.secretKeys);
  const models = modelsOf(config, (provider) => readModelKey(database.db, secretBox, provider));
  const signOfLife = await joinDatabase(database, 'docent worker', { config, log, stopping });
  const telemetry = await openTelemetry({ config, log }, 'docent worker', sdkMetrics);
  observePool(telemetry, database);
  const analyticsFolder = await openAnalyticsFolder({ config, log, stopping }, database, 'docent worker');
  await temporalReachable(temporal, { log, signal: stopping });
  const { namespace } = temporal;
  const connection = await Connection.connect(temporal.connection);
  if (config.searchAttributes) await registerSearchAttributes(connection, namespace);
  const client = new Client({ connection, namespace, interceptors: { workflow: [clientTraces] } });
  const { address, apiKey, tls, metadata } = temporal.connection;
  const native = await NativeConnection.connect({
    address,
    tls,
    apiKey: typeof apiKey === 'function' ? apiKey() : apiKey,
    metadata: metadata as Record<string, string>,
  });
  const key = watchTemporalKey({
    read: () => readTemporalKey(process.env),
    use: (found) => native.setApiKey(found),
    ask: () =>
      connection.withDeadline(Date.now() + KEY_CHECK_MS, () =>
        connection.workflowService.describeNamespace({ namespace }),
      ),
    log,
  });

  const cacheDir = config.cacheDir ?? path.join(homedir(), '.cache', 'docent');
  const installation = await installationId(database.db);
  await warnOfUnusable(models, (await findInstallationModel(database.db, config.model)).model, log);
  const git = createGitStore({ cacheDir: path.join(cacheDir, 'git'), log });
  const agents = createAgentPool({ cacheDir: path.join(cacheDir, 'pages') });
  const urlOf = (path: string) => publicUrlOf(config).replace(/\/+$/, '') + path;
  const local = createLocalHost({ db: database.db, publicUrl: () => publicUrlOf(config) });
  const jobWorkflows = createJobWorkflows(client, {
    installationId: installation,
    searchAttributes: config.searchAttributes,
    deadlineMs: 5_000,
  });
  const deps: ActivityDeps = {
    db: database.db,
    git,
    agents,
    hosts: createCodeHosts({
      db: database.db,
      local,
      secrets: secretBox,
      privateHosts: config.privateHosts,
    }),
    models,
    transcripts: new TranscriptMemory(),
    jobWorkflows,
    webhooks: createWebhookSender({
      secrets: secretBox,
      privateHosts: config.privateHosts,
      present: (data) => presentDeliveryData(data, { urlOf }),
    }),
    fetchPage: createPageFetch(config.privateHosts),
    log,
    settings: config,
  };

  const duck = await Duck.open({
    memoryMb: config.analyticsMemoryMb,
    threads: duckThreads(config.analyticsMemoryMb),
    connections: 2,
    temporaryFolder: analyticsFolder.temporaryFolder,
  });
  const analytics = createAnalyticsActivities({
    storage: { database, folder: analyticsFolder, duck, log },
    retentionDays: config.analyticsRetentionDays ?? null,
  });

  const graceMs = config.shutdownGraceSeconds * 1_000;
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue: taskQueueOf(installation),
    workflowBundle: { codePath: await workflowBundlePath(path.join(cacheDir, 'bundle')) },
    activities: {
      ...createTurnActivities(deps),
      ...createControlActivities(deps),
      ...createPullRequestActivities(deps),
      ...createTriggerActivities(deps),
      ...createRetentionActivities({
        db: database.db,
        log,
        settings: config,
        keepHistories: (days) => keepHistories(connection, namespace, days),
      }),
      ...analytics,
    },
    interceptors: { activity: [activityTraces] },
    sinks: turnSinks,
    maxCachedWorkflows: WORKFLOWS_KEPT,
    maxConcurrentActivityTaskExecutions: config.workerConcurrency,
    activityTaskPollerBehavior: { type: 'simple-maximum', maximum: activityPolls(config.workerConcurrency) },
    // Heartbeats carry a cancel back: it must reach a running activity within seconds.
    maxHeartbeatThrottleInterval: '2 seconds',
    defaultHeartbeatThrottleInterval: '2 seconds',
    shutdownGraceTime: graceMs,
    shutdownForceTime: graceMs + FORCE_MARGIN_MS,
  });
  const messenger = await Worker.create({
    connection: native,
    namespace,
    taskQueue: webhookQueueOf(taskQueueOf(installation)),
    activities: createWebhookActivities(deps),
    interceptors: { activity: [activityTraces] },
    maxConcurrentActivityTaskExecutions: WEBHOOKS_AT_ONCE,
    activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 2 },
    shutdownGraceTime: graceMs,
    shutdownForceTime: graceMs + FORCE_MARGIN_MS,
  });
  const acceptance: AcceptanceSettings = {
    secrets: secretBox,
    slots: config,
    jobsPerHour: config.jobsPerHour,
    messagesPerHour: config.messagesPerHour,
    model: config.model,
  };
  const shared = { db: database.db, client, jobWorkflows, installationId: installation, log };
  const tasks = [
    new Reconciler({ ...shared, slots: config }).task,
    removals(database.db, config.limits, log),
    new OutboxDispatcher(shared).task,
    new AutomationRunner({ ...shared, settings: acceptance, keepDays: config.triggerEventsKeepDays }).task,
    new CodeTriggers(deps).task,
    new ReaderSignals({ database, folder: analyticsFolder, duck, log }),
    hostEventDispatcher({ ...deps, acceptance }),
    hostReplies(deps),
    citationWatch(deps),
    releaseMarks(deps),
    agentListUpdates({
      db: database.db,
      fetch: agentListFetch(config.privateHosts),
      directories: directoriesAt(config.signatureAgents),
      log,
    }),
    hostPoller({ ...deps, everySeconds: config.hostPollSeconds }),
    new AnalyticsReports({
      database,
      folder: analyticsFolder,
      duck,
      log,
      mailer: config.smtpUrl ? createMailer({ url: config.smtpUrl, from: config.mailFrom }) : null,
      urlOf,
    }),
  ];
  for (const task of tasks) task.start();
  const schedules = createSchedules(client, installation, log);

  const run = async () => {
    try {
      await runTogether([worker, messenger]);
    } finally {
      key.stop();
      await Promise.all([schedules.stop(), ...tasks.map((task) => task.stop()), telemetry.stop()]);
      duck.close();
      await analyticsFolder.close();
      await Promise.all([git.close(), agents.close(), native.close(), connection.close(), signOfLife.leave()]);
      await database.close();
    }
  };
  const stopped = run();
  log.info({ taskQueue: taskQueueOf(installation), namespace }, 'ready for jobs');
  return {
    stopped: Promise.race([stopped, signOfLife.outdated, key.refused]),
    async stop() {
      shutDown([worker, messenger]);
      await stopped;
    },
  };
}

/** @throws ConfigError if commits cannot be signed */
async function assertCanSign(key: Secret): Promise<void> {
  await commitSigner(key.reveal()).catch((err: unknown) => {
    throw new ConfigError([`DOCENT_SIGNING_KEY cannot sign. ${messageOf(err)}`]);
  });
}

function shutDown(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}

/** Resolves when all have ended: if one ends, the others are shut down. @throws the first one's error */
async function runTogether(workers: readonly Worker[]): Promise<void> {
  const ends = await Promise.allSettled(workers.map((worker) => worker.run().finally(() => shutDown(workers))));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * Waiting polls occupy slots, one more than there are polls. With three slots or more, at least one is left
 * for activities that begin immediately. (The SDK ignores `maxConcurrentActivityTaskPolls` and uses ten.)
 */
function activityPolls(places: number): number {
  return Math.max(1, Math.min(2, places - 2));
}

/**
 * Sends the SDK's warnings and errors to our log, in our format. Also those of its native part, which
 * otherwise writes them to the terminal in colors.
 * @param metricsAt the address for its native part's metrics, in Prometheus' format
 */
function quietRuntime(log: Logger, metricsAt: string | undefined): void {
  const levels: Partial<Record<LogLevel, 'warn' | 'error'>> = { WARN: 'warn', ERROR: 'error' };
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      // The webhook queue intentionally has only activities.
      if (message.startsWith('No workflows registered')) return;
      log[levels[level] ?? 'info']({ temporal: meta }, message);
    }),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
      ...(metricsAt !== undefined && {
        metrics: { prometheus: { bindAddress: metricsAt, useSecondsForDurations: true } },
      }),
    },
  });
}
