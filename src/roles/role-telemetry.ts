import type { Analytics } from '../analytics/analytics.ts';
import { namesCollector } from '../platform/telemetry/collector.ts';
import { startTelemetry, type Gauge, type Telemetry } from '../platform/telemetry/telemetry.ts';
import { startTracing } from '../platform/telemetry/tracing.ts';
import { countDamage } from '../store/analytics/damage.ts';
import type { Database } from '../store/database.ts';
import {
  asked,
  databaseFacts,
  queueFacts,
  unmergedFacts,
  webhookFacts,
} from '../store/installation/installation-health.ts';
import { listenRefused } from './listen-refused.ts';
import type { RoleContext } from './role.ts';

/**
 * A role's metrics and traces.
 * @param besides where the Temporal SDK serves its metrics
 * @throws Refused if the port is unusable
 */
export async function openTelemetry(
  { config, log }: Pick<RoleContext, 'config' | 'log'>,
  name: string,
  besides?: string,
): Promise<Telemetry> {
  const { metricsHost: host, metricsPort: port } = config;
  try {
    const pushes = namesCollector(process.env, 'METRICS');
    const telemetry = await startTelemetry({ name, host, port, pushes, besides, log });
    const stopTracing = await startTracing(name, process.env, log);
    return {
      ...telemetry,
      async stop() {
        await Promise.all([telemetry.stop(), stopTracing()]);
      },
    };
  } catch (err) {
    throw listenRefused(err, { host, port, hostSetting: 'DOCENT_METRICS_HOST', portSetting: 'DOCENT_METRICS_PORT' });
  }
}

/** How the role's connections to the database are used. */
export function observePool(telemetry: Telemetry, { pool }: Database): void {
  telemetry.observe(
    [{ name: 'db.client.connection.count', description: 'Connections to PostgreSQL, and queries waiting for one.' }],
    () =>
      Promise.resolve(
        Object.entries({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, wanted: pool.waitingCount }).map(
          ([state, value]) => ({
            gauge: 'db.client.connection.count',
            value,
            attributes: { 'db.client.connection.state': state },
          }),
        ),
      ),
  );
}

const INSTALLATION: readonly Gauge[] = [
  { name: 'docent.jobs', description: 'Active jobs, running or queued.' },
  {
    name: 'docent.jobs.oldest_wait',
    description: 'Age of the oldest message of a waiting job.',
    unit: 's',
  },
  { name: 'docent.webhooks.pending', description: 'Pending webhook deliveries.' },
  {
    name: 'docent.webhooks.failing',
    description: 'Webhooks that are failing, and webhooks disabled after failures.',
  },
  { name: 'docent.events.unmerged', description: 'Page views on disk that are not counted yet.' },
  { name: 'docent.files.damaged', description: 'Damaged page-view files.' },
  { name: 'docent.database.size', description: 'Size of the database.', unit: 'By' },
];

const LOGS: readonly Gauge[] = [
  {
    name: 'docent.events.unsealed',
    description: 'Page views in logs on this disk that are not stored yet.',
    unit: 'By',
  },
  {
    name: 'docent.bucket.failing',
    description: '1 if the last request to the bucket for page views failed, otherwise 0.',
  },
];

/** The state of the whole installation, from its database: the same from every API. */
export function observeInstallation(telemetry: Telemetry, { db }: Database): void {
  telemetry.observe(INSTALLATION, async () => {
    const [queue, webhooks, unmerged, damaged, database] = await Promise.all([
      asked(db, queueFacts),
      asked(db, webhookFacts),
      asked(db, unmergedFacts),
      asked(db, countDamage),
      asked(db, databaseFacts),
    ]);
    const { oldestWaitingSince } = queue;
    return [
      { gauge: 'docent.jobs', value: queue.waiting, attributes: { 'docent.state': 'waiting' } },
      { gauge: 'docent.jobs', value: queue.working, attributes: { 'docent.state': 'working' } },
      {
        gauge: 'docent.jobs.oldest_wait',
        value: oldestWaitingSince === null ? 0 : Math.max(0, (Date.now() - oldestWaitingSince.getTime()) / 1_000),
      },
      { gauge: 'docent.webhooks.pending', value: webhooks.pending },
      { gauge: 'docent.webhooks.failing', value: webhooks.failing + webhooks.off },
      { gauge: 'docent.events.unmerged', value: unmerged.unmergedEvents },
      { gauge: 'docent.files.damaged', value: damaged },
      { gauge: 'docent.database.size', value: database.sizeBytes },
    ];
  });
}

/** Unsealed events on this disk, and whether the bucket accepts them. */
export function observeLogs(telemetry: Telemetry, analytics: Pick<Analytics, 'room' | 'bucketProblem'>): void {
  telemetry.observe(LOGS, async () => [
    { gauge: 'docent.events.unsealed', value: (await analytics.room()).unsealedBytes },
    { gauge: 'docent.bucket.failing', value: analytics.bucketProblem === null ? 0 : 1 },
  ]);
}
