import { performance } from 'node:perf_hooks';
import { levelOf, readMigrations } from '../../store/installation/migration-files.ts';
import { VERSION } from '../../platform/version.ts';
import { recoveredEvents } from '../../store/analytics/recovered.ts';
import { findInstallationModel } from '../../store/installation/installation-model.ts';
import * as health from '../../store/installation/installation-health.ts';
import { readRetention } from '../../store/installation/retention.ts';
import {
  bucketFails,
  judgeConnections,
  judgeDamage,
  judgeHosts,
  judgeModel,
  judgePostgres,
  judgeProcesses,
  judgeQueue,
  judgeRecovered,
  judgeRetention,
  judgeRoom,
  judgeSchema,
  judgeUncounted,
  judgeUnmerged,
  judgeUnsealed,
  judgeWebhooks,
  judgeWorkers,
  summarize,
} from '../../platform/health.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import type { ApiServices } from '../services.ts';

type InstallationHealth = components['schemas']['InstallationHealth'];
type Status = components['schemas']['HealthStatus'];
type Parts = Omit<InstallationHealth, 'status' | 'asOf' | 'version'>;

/** How long one part may take, in milliseconds. */
const PART_MS = 2_500;
/** Dashboards refresh it: the parts are asked once for all of them. */
const REMEMBER_MS = 2_000;

/** Asks one part: `otherwise` if it fails or does not answer in time. */
async function part<T>(otherwise: T, ask: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<T>();
  const timer = setTimeout(() => late.resolve(otherwise), PART_MS);
  try {
    return await Promise.race([ask(), late.promise]);
  } catch {
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
const unknown = (what: string) => ({ status: 'unknown' as Status, message: `${what} did not answer in time.` });
/** Only failures of PostgreSQL, Temporal and the disk count as down. */
const down = (message: string) => ({ status: 'down' as Status, message });

function temporalPart({ askTemporal }: ApiServices): Promise<Parts['temporal']> {
  const nothing = { namespace: null, serverVersion: null, workers: [] };
  return part<Parts['temporal']>({ ...down('Temporal cannot be reached.'), ...nothing }, async () => {
    const { workers, ...facts } = await askTemporal(PART_MS);
    const shown = workers
      .slice(0, 100)
      .map(({ identity, lastAccessAt }) => ({ identity, lastAccessAt: iso(lastAccessAt) }));
    return { ...summarize([judgeWorkers(workers)]), ...facts, workers: shown };
  });
}

function databasePart({ db }: ApiServices): Promise<Parts['database']> {
  const nothing = {
    version: null,
    sizeBytes: null,
    connections: null,
    maxConnections: null,
    schemaLevel: null,
    pendingMigrations: null,
    buildLevel: levelOf(readMigrations()),
  };
  const silent = down('The database cannot be reached, or does not answer in time.');
  return part<Parts['database']>({ ...silent, ...nothing }, async () => {
    const facts = await health.asked(db, health.databaseFacts);
    const { version, schemaLevel: level, pendingMigrations: pending } = facts;
    const findings = [judgePostgres(version), judgeSchema({ level, pending }), judgeConnections(facts)];
    return { ...nothing, ...facts, ...summarize(findings) };
  });
}

async function diskPart(services: ApiServices): Promise<Pick<Parts, 'disk'> & { unsealedBytes: number | null }> {
  const nothing = { freeBytes: null, totalBytes: null, unsealedBytes: null };
  const { unsealedBytes, ...disk } = await part<Parts['disk'] & { unsealedBytes: number | null }>(
    { ...unknown('The disk of the analytics folder'), ...nothing },
    async () => {
      const room = await services.analytics().room();
      return { ...summarize([judgeRoom('analytics-disk', room.freeBytes)], 'down'), ...room };
    },
  );
  return { disk, unsealedBytes };
}

function modelPart({ db, config }: ApiServices): Promise<Parts['model']> {
  const nothing = { model: null, from: null, lastTest: null, turnsLastDay: null, failedTurnsLastDay: null };
  return part<Parts['model']>({ ...unknown('The model'), ...nothing }, async () => {
    const [{ model, from }, { lastTest, ...turns }] = await health.asked(db, async (tx) => [
      await findInstallationModel(tx, config.model),
      await health.modelFacts(tx),
    ]);
    const test = lastTest && { ...lastTest, at: lastTest.at.toISOString() };
    return { ...summarize([judgeModel({ model, lastTest, ...turns })]), model, from, lastTest: test, ...turns };
  });
}

function hostsPart({ db }: ApiServices): Promise<Parts['hosts']> {
  return part<Parts['hosts']>({ ...unknown('The code hosts'), hosts: [] }, async () => {
    const hosts = (await health.asked(db, health.hostFacts)).map(({ checkedAt, ...host }) => ({
      ...host,
      checkedAt: iso(checkedAt),
    }));
    return { ...summarize([judgeHosts(hosts)]), hosts };
  });
}

function processesPart({ db }: ApiServices): Promise<Parts['processes']> {
  return part<Parts['processes']>({ ...unknown('The processes'), processes: [] }, async () => {
    const found = await health.asked(db, health.knownProcesses);
    const processes = found.map(({ startedAt, seenAt, ...process }) => ({
      ...process,
      startedAt: startedAt.toISOString(),
      seenAt: seenAt.toISOString(),
    }));
    // Machines of a cluster come and go: an ended process matters only on `docent doctor`'s machine.
    const findings = judgeProcesses(found, VERSION, ['docent worker']).filter(({ check }) => check !== 'ended');
    return { ...summarize(findings), processes };
  });
}

function queuePart({ db }: ApiServices): Promise<Parts['queue']> {
  const nothing = { active: null, waiting: null, working: null, oldestWaitingSince: null };
  return part<Parts['queue']>({ ...unknown('The queue'), ...nothing }, async () => {
    const facts = await health.asked(db, health.queueFacts);
    return { ...summarize([judgeQueue(facts)]), ...facts, oldestWaitingSince: iso(facts.oldestWaitingSince) };
  });
}

function analyticsPart(
  { db, readiness }: ApiServices,
  unsealed: Promise<{ unsealedBytes: number | null }>,
): Promise<Parts['analytics']> {
  const nothing = {
    unmergedEvents: null,
    unmergedFiles: null,
    unsealedBytes: null,
    damagedFiles: null,
    setAsideFiles: null,
    recoveredEvents: null,
  };
  return part<Parts['analytics']>({ ...unknown('The analytics'), ...nothing }, async () => {
    const [facts, recovered, { damagedFiles, setAsideFiles, bucket }, { unsealedBytes }] = await Promise.all([
      health.asked(db, health.unmergedFacts),
      health.asked(db, recoveredEvents),
      readiness(),
      unsealed,
    ]);
    const bad = [
      judgeDamage(damagedFiles ?? 0),
      ...(bucket === false ? [bucketFails('the log of the API gives the reason.')] : []),
      judgeUncounted(setAsideFiles ?? 0),
      judgeRecovered(recovered),
      judgeUnsealed(unsealedBytes ?? 0),
    ].filter(({ status }) => status !== 'ok');
    const said = summarize([...bad, judgeUnmerged(facts.unmergedEvents)]);
    return { ...said, ...facts, unsealedBytes, damagedFiles, setAsideFiles, recoveredEvents: recovered };
  });
}

function webhooksPart({ db }: ApiServices): Promise<Parts['webhooks']> {
  const nothing = { failing: null, off: null, pending: null, oldestPendingSince: null, webhooks: [] };
  return part<Parts['webhooks']>({ ...unknown('The webhooks'), ...nothing }, async () => {
    const { webhooks: found, oldestPendingSince: oldest, ...counts } = await health.asked(db, health.webhookFacts);
    const webhooks = found.map(({ failingSince, ...webhook }) => ({ ...webhook, failingSince: iso(failingSince) }));
    return { ...summarize([judgeWebhooks(counts)]), ...counts, oldestPendingSince: iso(oldest), webhooks };
  });
}

function retentionPart({ db }: ApiServices): Promise<Parts['retention']> {
  return part<Parts['retention']>({ ...unknown('The retention'), rules: [] }, async () => {
    const states = await health.asked(db, readRetention);
    const rules = states.map(({ ranAt, ...state }) => ({ ...state, lastRunAt: ranAt.toISOString() }));
    return { ...summarize([judgeRetention(states)]), rules };
  });
}

async function ask(services: ApiServices): Promise<InstallationHealth> {
  const room = diskPart(services);
  const [temporal, database, { disk }, model, hosts, processes, queue, analytics, webhooks, retention] =
    await Promise.all([
      temporalPart(services),
      databasePart(services),
      room,
      modelPart(services),
      hostsPart(services),
      processesPart(services),
      queuePart(services),
      analyticsPart(services, room),
      webhooksPart(services),
      retentionPart(services),
    ]);
  const parts = { temporal, database, disk, model, hosts, processes, queue, analytics, webhooks, retention };
  const all = Object.values(parts).map(({ status }) => status);
  const isDown = [temporal, database, disk].some(({ status }) => status === 'down');
  const status: Status = isDown ? 'down' : all.every((each) => each === 'ok') ? 'ok' : 'degraded';
  return { status, asOf: new Date().toISOString(), version: VERSION, ...parts };
}

const remembered = new WeakMap<ApiServices, { until: number; answer: Promise<InstallationHealth> }>();

/** Never fails because of one part: that part reports its problem instead. */
export const getInstallationHealth: Handler<'getInstallationHealth'> = async (_input, services) => {
  let known = remembered.get(services);
  if (!known || performance.now() > known.until) {
    known = { until: performance.now() + REMEMBER_MS, answer: ask(services) };
    remembered.set(services, known);
  }
  return { status: 200, body: await known.answer };
};
