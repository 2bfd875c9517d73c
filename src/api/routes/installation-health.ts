import { performance } from 'node:perf_hooks';
import { levelOf, readMigrations } from '../../store/migration-files.ts';
import { VERSION } from '../../platform/version.ts';
import { recoveredEvents } from '../../store/analytics-recovered.ts';
import { findInstallationModel } from '../../store/installation-model.ts';
import * as health from '../../store/installation-health.ts';
import { retentionPart } from './retention-health.ts';
import type { Handler, Handlers } from '../contract/handler.ts';
import type { components } from '../generated/openapi.ts';
import type { ApiServices } from '../services.ts';

type InstallationHealth = components['schemas']['InstallationHealth'];
type Status = components['schemas']['HealthStatus'];
type Parts = Omit<InstallationHealth, 'status' | 'asOf' | 'version'>;

/** How long one part may take, in milliseconds. */
const PART_MS = 2_500;
/** Somebody looks at it, and it renews itself: the parts are asked once for all who look. */
const REMEMBER_MS = 2_000;
const MINUTE_MS = 60_000;
/** Decimal, as disks are sold: what a sentence says is what `freeBytes` gives. */
const MEGABYTE = 1e6;
const GIGABYTE = 1e9;
/** Below these, a disk is said to be short of room, and full. */
const SHORT_BYTES = 2 * GIGABYTE;
const FULL_BYTES = 0.1 * GIGABYTE;
/** Merged at the latest every few minutes: more means that maintenance does not come to it. */
const MANY_UNMERGED = 5_000_000;
const MUCH_UNSEALED = 32 * 1_048_576;

interface Found {
  status: Status;
  message: string;
}

/** Asks one part: what it is where it cannot be asked within its time is `otherwise`. */
async function part<T extends Found>(otherwise: T, ask: () => Promise<T>): Promise<T> {
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
const agoMs = (at: Date | null): number => (at === null ? 0 : Date.now() - at.getTime());
const unknown = (what: string): Found => ({ status: 'unknown', message: `${what} could not be asked in time.` });
const several = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;

function temporalPart({ askTemporal }: ApiServices): Promise<Parts['temporal']> {
  const down = { status: 'down', message: 'Temporal cannot be reached.' } as const;
  return part<Parts['temporal']>({ ...down, namespace: null, serverVersion: null, workers: [] }, async () => {
    const { namespace, serverVersion, workers } = await askTemporal(PART_MS);
    const seen = workers.some(({ lastAccessAt }) => agoMs(lastAccessAt) < 2 * MINUTE_MS);
    const said: Found = seen
      ? { status: 'ok', message: `Reachable. ${several(workers.length, 'worker takes', 'workers take')} tasks.` }
      : {
          status: 'degraded',
          message: 'Reachable, but no worker has asked for tasks in the last two minutes: start one.',
        };
    const shown = workers
      .slice(0, 100)
      .map(({ identity, lastAccessAt }) => ({ identity, lastAccessAt: iso(lastAccessAt) }));
    return { ...said, namespace, serverVersion, workers: shown };
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
  const down = { status: 'down', message: 'The database cannot be reached, or does not answer in time.' } as const;
  return part<Parts['database']>({ ...down, ...nothing }, async () => {
    const facts = await health.asked(db, health.databaseFacts);
    const isCrowded = facts.connections > 0.9 * facts.maxConnections;
    const said: Found =
      facts.pendingMigrations > 0
        ? {
            status: 'degraded',
            message: `${several(facts.pendingMigrations, 'migration is', 'migrations are')} not applied yet: docent migrate.`,
          }
        : isCrowded
          ? { status: 'degraded', message: `${facts.connections} of ${facts.maxConnections} connections are in use.` }
          : { status: 'ok', message: `PostgreSQL ${facts.version} answers.` };
    return { ...nothing, ...facts, ...said };
  });
}

async function diskPart(services: ApiServices): Promise<Pick<Parts, 'disk'> & { unsealedBytes: number | null }> {
  const nothing = { freeBytes: null, totalBytes: null, unsealedBytes: null };
  const { unsealedBytes, ...disk } = await part<Parts['disk'] & { unsealedBytes: number | null }>(
    { status: 'unknown', message: 'The analytics folder cannot be reached.', ...nothing },
    async () => {
      const room = await services.analytics().room();
      const free = `${(room.freeBytes / GIGABYTE).toFixed(1)} GB are free.`;
      if (room.freeBytes < FULL_BYTES) return { status: 'down', message: `The disk is full: ${free}`, ...room };
      if (room.freeBytes < SHORT_BYTES)
        return { status: 'degraded', message: `The disk is short of room: ${free}`, ...room };
      return { status: 'ok', message: free, ...room };
    },
  );
  return { disk, unsealedBytes };
}

function modelPart({ db, config }: ApiServices): Promise<Parts['model']> {
  const nothing = { model: null, from: null, lastTest: null, turnsLastDay: null, failedTurnsLastDay: null };
  return part<Parts['model']>({ ...unknown('The model'), ...nothing }, async () => {
    const [{ model, from }, facts] = await health.asked(db, async (tx) => [
      await findInstallationModel(tx, config.model),
      await health.modelFacts(tx),
    ]);
    const { lastTest, turnsLastDay, failedTurnsLastDay } = facts;
    const test = lastTest && {
      model: lastTest.model,
      at: lastTest.at.toISOString(),
      ok: lastTest.ok,
      message: lastTest.message,
    };
    const failedTest = test !== null && !test.ok && test.model === model;
    const failsOften = failedTurnsLastDay > 0 && failedTurnsLastDay * 5 >= turnsLastDay;
    const said: Found = failsOften
      ? {
          status: 'degraded',
          message: `${failedTurnsLastDay} of ${several(turnsLastDay, 'turn')} of the last day failed for the model’s sake.`,
        }
      : failedTest
        ? { status: 'degraded', message: `The last test of ${model} failed: ${test.message ?? ''}` }
        : { status: 'ok', message: test === null ? `${model}, not tested in the last 30 days.` : `${model}.` };
    return { ...said, model, from, lastTest: test, turnsLastDay, failedTurnsLastDay };
  });
}

function hostsPart({ db }: ApiServices): Promise<Parts['hosts']> {
  return part<Parts['hosts']>({ ...unknown('The code hosts'), hosts: [] }, async () => {
    const hosts = (await health.asked(db, health.hostFacts)).map(({ checkedAt, ...host }) => ({
      ...host,
      checkedAt: iso(checkedAt),
    }));
    const bad = hosts.filter(({ ok }) => ok === false).map(({ id }) => id);
    if (bad.length > 0)
      return { status: 'degraded', message: `The last check of ${bad.join(', ')} found problems.`, hosts };
    return {
      status: 'ok',
      message: hosts.length === 0 ? 'No code host was added.' : `${several(hosts.length, 'code host')}.`,
      hosts,
    };
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
    const alive = processes.filter((process) => process.alive);
    const versions = new Set(alive.map(({ version }) => version));
    const hasWorker = alive.some(({ name }) => name.includes('worker'));
    const said: Found = !hasWorker
      ? { status: 'degraded', message: 'No worker has given a sign of life: jobs wait.' }
      : versions.size > 1
        ? { status: 'degraded', message: `Processes of several versions run: ${[...versions].join(', ')}.` }
        : {
            status: 'ok',
            message: `${several(alive.length, 'process', 'processes')} of version ${[...versions].join()}.`,
          };
    return { ...said, processes };
  });
}

function queuePart({ db }: ApiServices): Promise<Parts['queue']> {
  const nothing = { active: null, waiting: null, working: null, oldestWaitingSince: null };
  return part<Parts['queue']>({ ...unknown('The queue'), ...nothing }, async () => {
    const { oldestWaitingSince: oldest, ...counts } = await health.asked(db, health.queueFacts);
    const isStuck = counts.waiting > 0 && counts.working === 0 && agoMs(oldest) > 2 * MINUTE_MS;
    const words = `${several(counts.working, 'job is', 'jobs are')} worked on, ${several(counts.waiting, 'waits', 'wait')} for a place.`;
    const said: Found = isStuck
      ? { status: 'degraded', message: `${words} Nobody takes them up: is there a worker?` }
      : { status: 'ok', message: words };
    return { ...said, ...counts, oldestWaitingSince: iso(oldest) };
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
    const backlog = facts.unmergedEvents > MANY_UNMERGED || (unsealedBytes ?? 0) > MUCH_UNSEALED;
    const lost = (damagedFiles ?? 0) + (setAsideFiles ?? 0);
    const said: Found =
      lost > 0
        ? {
            status: 'degraded',
            message: `${several(lost, 'file is', 'files are')} damaged or set aside: docent analytics verify.`,
          }
        : bucket === false
          ? {
              status: 'degraded',
              message: `The bucket of page views cannot be used, as the log says. ${((unsealedBytes ?? 0) / MEGABYTE).toFixed(1)} MB of events wait on the disk of this server.`,
            }
          : recovered > 0
            ? {
                status: 'degraded',
                message: `The database went back in time, as after a failover to a replica that was behind: ${several(recovered, 'event', 'events')} that it did not know count again. Check what else it has lost.`,
              }
            : backlog
              ? { status: 'degraded', message: 'Events come faster than they are merged, or no worker merges them.' }
              : {
                  status: 'ok',
                  message: `${several(facts.unmergedEvents, 'event waits', 'events wait')} to be merged; they count already.`,
                };
    return { ...said, ...facts, unsealedBytes, damagedFiles, setAsideFiles, recoveredEvents: recovered };
  });
}

function webhooksPart({ db }: ApiServices): Promise<Parts['webhooks']> {
  const nothing = { failing: null, off: null, pending: null, oldestPendingSince: null, webhooks: [] };
  return part<Parts['webhooks']>({ ...unknown('The webhooks'), ...nothing }, async () => {
    const { webhooks: found, oldestPendingSince: oldest, ...counts } = await health.asked(db, health.webhookFacts);
    const webhooks = found.map(({ failingSince, ...webhook }) => ({ ...webhook, failingSince: iso(failingSince) }));
    const bad = counts.failing + counts.off;
    const said: Found =
      bad > 0
        ? {
            status: 'degraded',
            message: `${several(bad, 'webhook fails', 'webhooks fail')}, or was switched off for it.`,
          }
        : {
            status: 'ok',
            message:
              counts.pending === 0
                ? 'All messages are delivered.'
                : `${several(counts.pending, 'message waits', 'messages wait')}.`,
          };
    return { ...said, ...counts, oldestPendingSince: iso(oldest), webhooks };
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
      part<Parts['retention']>({ ...unknown('The retention'), rules: [] }, () => retentionPart(services)),
    ]);
  const parts = { temporal, database, disk, model, hosts, processes, queue, analytics, webhooks, retention };
  const all = Object.values(parts).map(({ status }) => status);
  const isDown = [temporal, database, disk].some(({ status }) => status === 'down');
  const status: Status = isDown ? 'down' : all.every((each) => each === 'ok') ? 'ok' : 'degraded';
  return { status, asOf: new Date().toISOString(), version: VERSION, ...parts };
}

const remembered = new WeakMap<ApiServices, { until: number; answer: Promise<InstallationHealth> }>();

/** Never fails for the sake of a part: that one says so instead. */
const getInstallationHealth: Handler<'getInstallationHealth'> = async (_input, services) => {
  let known = remembered.get(services);
  if (!known || performance.now() > known.until) {
    known = { until: performance.now() + REMEMBER_MS, answer: ask(services) };
    remembered.set(services, known);
  }
  return { status: 200, body: await known.answer };
};

export const healthRoutes = { getInstallationHealth } satisfies Partial<Handlers>;
