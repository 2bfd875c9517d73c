import { plural } from '@docent/base/plural';
import { MINUTE_MS } from '@docent/base/time';

/*
 * Judges the health of an installation: each function turns facts into findings. `docent doctor`, `GET
 * /v1/health`, `/readyz` and `docent status` only print them. The alerts in deploy/monitoring use the same
 * limits.
 */

/** `warning`: it works for now, or its state is unknown. `wrong`: an operator must act. */
export type FindingStatus = 'ok' | 'warning' | 'wrong';

/** The result of one check. */
export interface Finding {
  /** Stays the same: for programs. */
  check: string;
  status: FindingStatus;
  what: string;
  /** What to do; null if nothing. */
  todo: string | null;
  /** The section of the documentation, as a path on the server; null if there is nothing to do. */
  docs: string | null;
}

type Advice = { what: string; todo: string; docs: string };
export const ok = (check: string, what: string): Finding => ({ check, status: 'ok', what, todo: null, docs: null });
export const warning = (check: string, advice: Advice): Finding => ({ check, status: 'warning', ...advice });
export const wrong = (check: string, advice: Advice): Finding => ({ check, status: 'wrong', ...advice });

export const DOCS = {
  starting: '/docs/operate/troubleshooting#starting',
  upgrade: '/docs/operate/upgrades',
  restore: '/docs/operate/backups#restore',
  save: '/docs/operate/backups#what-to-save',
  folder: '/docs/operate/analytics-storage#a-folder',
  bucket: '/docs/operate/analytics-storage#when-the-bucket-is-unavailable',
  temporal: '/docs/operate/own-services#temporal',
  roles: '/docs/operate/production#start-the-roles',
  sizing: '/docs/operate/production#sizing',
  damage: '/docs/operate/failures-and-recovery#damaged-files',
  unknownFiles: '/docs/operate/failures-and-recovery#unknown-files',
  hosts: '/docs/guides/code-hosts',
  security: '/docs/operate/security',
} as const;

/** Decimal, as disks are sold. */
const MEGABYTE = 1e6;
const GIGABYTE = 1e9;

/** The limits above which something needs attention. */
export const HEALTH_LIMITS = {
  shortOfRoomBytes: 2 * GIGABYTE,
  fullBytes: 0.1 * GIGABYTE,
  /** Logs are sealed every other second. */
  unsealedBytes: 64 * MEGABYTE,
  /** Events are merged every few minutes. */
  unmergedEvents: 5_000_000,
  /** Share of the connections that PostgreSQL allows. */
  connectionShare: 0.9,
  oldestPostgres: 15,
  workerSilentMs: 2 * MINUTE_MS,
  queueStuckMs: 2 * MINUTE_MS,
  /** Retention runs every ten minutes. */
  retentionLateMs: 60 * MINUTE_MS,
  /** Share of the last day's turns that failed because of the model. */
  failedTurnShare: 0.2,
} as const;

const L = HEALTH_LIMITS;
const isAre = (count: number): string => (count === 1 ? 'is' : 'are');
const ageMs = (at: Date | null): number => (at === null ? 0 : Date.now() - at.getTime());

/**
 * The worst finding as status and message.
 * @param wrongIs `down` only for parts that Docent cannot work without
 */
export function summarize(
  findings: readonly Finding[],
  wrongIs: 'degraded' | 'down' = 'degraded',
): { status: 'ok' | 'degraded' | 'down'; message: string } {
  const bad = findings.find(({ status }) => status === 'wrong') ?? findings.find(({ status }) => status === 'warning');
  if (!bad) return { status: 'ok', message: findings.map(({ what }) => what).join(' ') };
  return { status: bad.status === 'wrong' ? wrongIs : 'degraded', message: `${bad.what} ${bad.todo ?? ''}`.trim() };
}

// The services

export const judgePostgres = (version: string): Finding =>
  Number.parseInt(version, 10) < L.oldestPostgres
    ? wrong('database', {
        what: `PostgreSQL ${version} is too old.`,
        todo: `Upgrade it to ${L.oldestPostgres} or newer.`,
        docs: DOCS.roles,
      })
    : ok('database', `PostgreSQL ${version} answers.`);

export function judgeSchema({ level, pending }: { level: number; pending: number }): Finding {
  if (pending === 0) return ok('schema', `The schema is up to date, at level ${level}.`);
  return warning('schema', {
    what: `${plural(pending, 'migration')} ${isAre(pending)} not applied yet.`,
    todo: 'Run `docent migrate`, or start a role with DOCENT_MIGRATE=auto.',
    docs: DOCS.upgrade,
  });
}

export function judgeConnections({ connections, maxConnections }: Record<'connections' | 'maxConnections', number>) {
  const what = `${connections} of ${maxConnections} connections are in use.`;
  if (connections <= L.connectionShare * maxConnections) return ok('connections', what);
  const todo = 'Raise max_connections of PostgreSQL, or run fewer processes.';
  return warning('connections', { what, todo, docs: DOCS.sizing });
}

/** @param workers that ask Temporal for tasks, each with the time of its last request */
export function judgeWorkers(workers: readonly { lastAccessAt: Date | null }[]): Finding {
  const active = workers.filter(({ lastAccessAt }) => ageMs(lastAccessAt) < L.workerSilentMs).length;
  if (active > 0)
    return ok('temporal-workers', `${plural(active, 'worker')} ${active === 1 ? 'is' : 'are'} polling for tasks.`);
  return wrong('temporal-workers', {
    what: 'No worker has polled for tasks in the last two minutes, so jobs wait.',
    todo: 'Start a worker.',
    docs: DOCS.roles,
  });
}

interface KnownProcess {
  name: string;
  version: string;
  host: string;
  pid: number;
  alive: boolean;
}

/** Which processes run, with which version, and which ended unexpectedly. @param roles that must run */
export function judgeProcesses(
  known: readonly KnownProcess[],
  version: string,
  roles: readonly string[] = ['docent api', 'docent worker'],
): Finding[] {
  const alive = known.filter((one) => one.alive);
  const others = alive.filter((one) => one.version !== version);
  const missing = roles.filter((role) => !alive.some(({ name }) => name === role));
  const ended = known.filter(
    (one) => !one.alive && !alive.some(({ name, host }) => name === one.name && host === one.host),
  );
  const names = (list: readonly KnownProcess[], nameOf: (one: KnownProcess) => string) =>
    list.slice(0, 5).map(nameOf).join(', ');
  return [
    missing.length === 0
      ? ok(
          'processes',
          `${plural(alive.length, 'process', 'processes')} of Docent ${alive.length === 1 ? 'runs' : 'run'}.`,
        )
      : warning('processes', {
          what: `No ${missing.join(' and no ')} is running.`,
          todo: 'Start it.',
          docs: DOCS.roles,
        }),
    others.length === 0
      ? ok('versions', `All have version ${version}.`)
      : warning('versions', {
          what: `This is ${version}, but other versions run: ${names(others, (one) => `${one.name} ${one.version}`)}.`,
          todo: 'During an upgrade, wait. Otherwise, restart the old processes.',
          docs: DOCS.upgrade,
        }),
    ...(ended.length === 0
      ? []
      : [
          warning('ended', {
            what: `${plural(ended.length, 'process', 'processes')} of the last day ended unexpectedly and did not restart: ${names(ended, (one) => `${one.name} on ${one.host} (${one.pid})`)}.`,
            todo: 'Read its log, and start it again.',
            docs: DOCS.roles,
          }),
        ]),
  ];
}

/** @param parts of `docent start` that it currently cannot keep running */
export function judgeGivenUp(parts: readonly { name: string; reason: string }[]): Finding[] {
  if (parts.length === 0) return [ok('parts', 'All parts run.')];
  return parts.map(({ name, reason }) =>
    wrong('parts', {
      what: `The part ${name} of \`docent start\` is down and is retried: ${reason}.`,
      todo: 'Fix the cause. Docent retries automatically.',
      docs: DOCS.starting,
    }),
  );
}

// Disks and page views

export function judgeRoom(check: string, freeBytes: number, folder?: string): Finding {
  const free = `${(freeBytes / GIGABYTE).toFixed(1)} GB are free.`;
  const what = folder === undefined ? free : `${folder}: ${free}`;
  const todo = 'Free up space on this disk, or move the folder to a larger one.';
  if (freeBytes < L.fullBytes) return wrong(check, { what: `The disk is full. ${what}`, todo, docs: DOCS.sizing });
  if (freeBytes >= L.shortOfRoomBytes) return ok(check, what);
  return warning(check, { what: `The disk is almost full. ${what}`, todo, docs: DOCS.sizing });
}

export function judgeUnsealed(bytes: number): Finding {
  const what = `${(bytes / MEGABYTE).toFixed(1)} MB of events are not in event files yet.`;
  if (bytes <= L.unsealedBytes) return ok('analytics-logs', what);
  const todo = 'Check that an API runs, and search its log for errors about event files.';
  return warning('analytics-logs', { what, todo, docs: DOCS.folder });
}

export function judgeUnmerged(events: number): Finding {
  const what = `${events.toLocaleString('en')} ${events === 1 ? 'event waits' : 'events wait'} to be merged. They already count.`;
  if (events <= L.unmergedEvents) return ok('analytics-merge', what);
  const todo = 'Check that a worker runs, and read its log about maintenance.';
  return warning('analytics-merge', { what, todo, docs: DOCS.sizing });
}

export function judgeDamage(files: number): Finding {
  if (files === 0) return ok('analytics-damage', 'No damaged files of page views are known.');
  return wrong('analytics-damage', {
    what: `${plural(files, 'file')} of page views ${isAre(files)} damaged.`,
    todo: 'Run `docent analytics verify` for each project to see which.',
    docs: DOCS.damage,
  });
}

/** @param files with events that are not counted; @param example the path of one */
export function judgeUncounted(files: number, example?: string): Finding {
  if (files === 0) return ok('analytics-unknown', 'Every file of page views counts.');
  return warning('analytics-unknown', {
    what: `${plural(files, 'file')} of page views ${files === 1 ? 'does' : 'do'} not count${example === undefined ? '' : `, for example ${example}`}.`,
    todo: 'Run `docent analytics recover` for each project.',
    docs: DOCS.unknownFiles,
  });
}

/** @param reason why the bucket of page views cannot be used */
export const bucketFails = (reason: string): Finding =>
  wrong('analytics-bucket', {
    what: `The bucket of page views cannot be used: ${reason}`,
    todo: 'Check the object store, its keys and AWS_ENDPOINT_URL_S3. Meanwhile, events wait on the disks of the APIs.',
    docs: DOCS.bucket,
  });

/** @param events that count although the database did not know them */
export function judgeRecovered(events: number): Finding {
  if (events === 0) return ok('analytics-recovered', 'The database knows all events.');
  return warning('analytics-recovered', {
    what:
      'The database lost recent changes, as after a failover to a replica that was behind. ' +
      `${plural(events, 'event')} that it did not know ${events === 1 ? 'counts' : 'count'} again.`,
    todo: 'Check what else it lost.',
    docs: DOCS.folder,
  });
}

// Jobs and what they need

interface ModelFacts {
  /** The model of new jobs. */
  model: string;
  lastTest: { model: string; ok: boolean; message: string | null } | null;
  turnsLastDay: number;
  failedTurnsLastDay: number;
}

export function judgeModel({ model, lastTest, turnsLastDay, failedTurnsLastDay }: ModelFacts): Finding {
  if (failedTurnsLastDay > 0 && failedTurnsLastDay >= L.failedTurnShare * turnsLastDay) {
    return warning('model', {
      what: `The model made ${failedTurnsLastDay} of ${plural(turnsLastDay, 'turn')} of the last day fail.`,
      todo: 'Read the errors of the failed jobs.',
      docs: DOCS.starting,
    });
  }
  if (lastTest !== null && !lastTest.ok && lastTest.model === model) {
    return warning('model', {
      what: `The last test of ${model} failed: ${lastTest.message ?? ''}`,
      todo: 'Fix the cause, and test the model again.',
      docs: DOCS.starting,
    });
  }
  return ok('model', lastTest === null ? `${model}, not tested in the last 30 days.` : `${model}.`);
}

export function judgeHosts(hosts: readonly { id: string; ok: boolean | null }[]): Finding {
  const bad = hosts.filter((host) => host.ok === false).map(({ id }) => id);
  if (bad.length > 0) {
    return warning('hosts', {
      what: `The last check of ${bad.join(', ')} found problems.`,
      todo: 'Run `docent host check` for each.',
      docs: DOCS.hosts,
    });
  }
  return ok('hosts', hosts.length === 0 ? 'No code hosts are configured.' : `${plural(hosts.length, 'code host')}.`);
}

interface QueueFacts {
  waiting: number;
  working: number;
  oldestWaitingSince: Date | null;
}

export function judgeQueue({ waiting, working, oldestWaitingSince }: QueueFacts): Finding {
  const what = `${plural(working, 'job')} in progress, ${waiting} waiting.`;
  const isStuck = waiting > 0 && working === 0 && ageMs(oldestWaitingSince) > L.queueStuckMs;
  if (!isStuck) return ok('queue', what);
  const todo = 'No worker starts them. Check that one runs.';
  return warning('queue', { what, todo, docs: DOCS.roles });
}

export function judgeWebhooks({ failing, off, pending }: Record<'failing' | 'off' | 'pending', number>): Finding {
  const bad = failing + off;
  if (bad > 0) {
    return warning('webhooks', {
      what: `${plural(bad, 'webhook')} ${bad === 1 ? 'fails or was' : 'fail or were'} switched off after failing.`,
      todo: 'Fix the receiver, and run `docent webhook enable`.',
      docs: DOCS.starting,
    });
  }
  return ok('webhooks', pending === 0 ? 'All messages are delivered.' : `${plural(pending, 'message')} waiting.`);
}

export const RETENTION_RULES = {
  transcripts: 'transcripts',
  job_events: 'job events',
  jobs: 'jobs',
  audit_log: 'audit log',
  temporal: "Temporal's histories",
} as const;

interface RetentionFacts {
  rule: keyof typeof RETENTION_RULES;
  keepDays: number | null;
  ranAt: Date;
  problem: string | null;
}

export function judgeRetention(states: readonly RetentionFacts[]): Finding {
  const todo = 'Check that a worker runs, and read its log about retention.';
  const problem = states.find((state) => state.problem !== null)?.problem;
  if (problem) return warning('retention', { what: problem, todo: '', docs: DOCS.sizing });
  const bounded = states.filter(({ keepDays }) => keepDays !== null);
  const late = bounded.filter(({ ranAt }) => ageMs(ranAt) > L.retentionLateMs).map(({ rule }) => RETENTION_RULES[rule]);
  if (late.length > 0) {
    const what = `Nothing was deleted for more than an hour: ${late.join(', ')}.`;
    return warning('retention', { what, todo, docs: DOCS.sizing });
  }
  if (states.length === 0)
    return ok('retention', 'A worker deletes expired data for the first time within ten minutes.');
  const kept = bounded.map(({ rule, keepDays }) => `${RETENTION_RULES[rule]} ${keepDays} days`).join(', ');
  return ok(
    'retention',
    kept === '' ? 'Everything is kept forever.' : `Kept: ${kept}. Everything else is kept forever.`,
  );
}

// Whether this server can work

interface ReadinessFacts {
  temporal: boolean;
  database: boolean;
  databaseProblem?: string | undefined;
  analyticsFolder: boolean;
  bucketProblem?: string | undefined;
  givenUpParts?: readonly { name: string; reason: string }[] | undefined;
  isLeaving: boolean;
}

/** Why this server cannot work now; empty if it can. */
export function judgeReadiness(facts: ReadinessFacts): string[] {
  const { temporal, database, analyticsFolder, bucketProblem, givenUpParts = [] } = facts;
  return [
    ...(facts.isLeaving ? ['This server is shutting down.'] : []),
    ...(temporal ? [] : ['Temporal cannot be reached.']),
    ...(database ? [] : [facts.databaseProblem ?? 'The database cannot be reached.']),
    ...(analyticsFolder ? [] : ['The analytics folder cannot be reached.']),
    ...(bucketProblem === undefined ? [] : [bucketProblem]),
    ...givenUpParts.flatMap((part) => judgeGivenUp([part]).map(({ what }) => what)),
  ];
}
