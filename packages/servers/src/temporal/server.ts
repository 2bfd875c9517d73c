import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { z } from 'zod';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from 'pino';
import { describeExit, PROGRAM_ENVIRONMENT, startChild, type Child, type Exit } from '../processes/child.ts';
import type { Reaper } from '../processes/reaper.ts';
import { Refused } from '@docent/base/refused';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The server's tables: of queues with fairness keys, and of tasks that wait in queues without them. */
const QUEUE_STATE = `SELECT EXISTS (SELECT 1 FROM task_queues_v2) AS takes_turns, EXISTS (SELECT 1 FROM tasks) AS may_wait`;

/** Whether a server on this file may use fairness, whose tasks are in other tables: not if any wait. */
export function mayTakeTurns(dbFile: string | undefined): boolean {
  if (dbFile === undefined || !existsSync(dbFile)) return true;
  try {
    const file = new DatabaseSync(dbFile, { readOnly: true });
    try {
      const state = file.prepare(QUEUE_STATE).get();
      return Boolean(state?.takes_turns) || !state?.may_wait;
    } finally {
      file.close();
    }
  } catch {
    // Without these tables, the server has yet to fill the file; an unreadable one it refuses.
    return true;
  }
}

export interface TemporalOptions {
  /** The `temporal` program: see `findTemporal`. */
  binary: string;
  /** SQLite file, in its own folder; without it everything is lost when the server stops. */
  dbFile?: string;
  port: number;
  uiPort: number;
  /** For the HTTP API, which no client uses; by default any free one. */
  httpPort?: number;
  /** Created if need be; `default` always exists. */
  namespace?: string;
  /** Name and type; already registered ones are left as they are. */
  searchAttributes?: Record<string, string>;
  /** Variables of the server's Go runtime, in place of ours. */
  runtime?: Record<string, string>;
  log: Logger;
  reaper: Reaper;
  /** Aborts a start. */
  signal?: AbortSignal;
}

export interface RunningTemporal {
  /** host:port of gRPC. */
  address: string;
  uiUrl: string;
  pid: number;
  exited: Promise<Exit>;
  stop(): Promise<Exit>;
}

/** From the program's start until it listens. A large database takes a few seconds. */
const READY_MS = 60_000;
const HOST = '127.0.0.1';

/** `can't set UI port 8233: listen tcp 127.0.0.1:8233: bind: address already in use` */
const PORT_TAKEN = /address already in use/;
/** Printed once it listens on its own ports; the namespaces are in its database by then. */
const SERVES = /^Server:\s/;

/**
 * Starts the Temporal CLI's development server on loopback and resolves when it reports that it listens. An
 * answer at the address is not enough: it may be from another process's server that took the port at the same
 * time.
 * @throws Refused, which may be temporary, if another program listens on one of its ports
 * @throws Error with the server's own last output if it ends before that
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const { log } = options;
  const address = `${HOST}:${options.port}`;
  const lastOutput: string[] = [];
  const serves = Promise.withResolvers<void>();
  const child = await startChild({
    name: 'temporal',
    command: options.binary,
    args: serverArguments(options),
    env: { ...PROGRAM_ENVIRONMENT, ...(options.runtime ?? LITTLE_HEAP) },
    stopGraceMs: 10_000,
    reaper: options.reaper,
    onLine(line) {
      if (SERVES.test(line)) serves.resolve();
      lastOutput.push(line);
      if (lastOutput.length > 5) lastOutput.shift();
      logLine(log, line);
    },
  });
  try {
    await served(serves.promise, child, options.signal);
  } catch (err) {
    await child.stop({ graceMs: 1_000 });
    const why = `The Temporal server did not start: ${[messageOf(err), ...lastOutput].join('\n')}`;
    throw lastOutput.some((line) => PORT_TAKEN.test(line))
      ? new Refused(why, { mayPass: true })
      : new Error(why, { cause: err });
  }
  return {
    address,
    uiUrl: `http://${HOST}:${options.uiPort}`,
    pid: child.pid,
    exited: child.exited,
    stop: () => child.stop(),
  };
}

/**
 * Blocks the server's HTTP API, which cannot be switched off and accepts posts of any page: it requires a
 * secret `Host`.
 */
const unusedHost = () => `frontend.httpAllowedHosts=${JSON.stringify([`${randomUUID()}.invalid`])}`;

const DYNAMIC_CONFIG = [
  // The default of four partitions per queue is for many machines: one saves a sixth of the processor time.
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  // The worker that completes a workflow task immediately begins the next activity.
  'system.enableActivityEagerExecution=true',
  // By default the server polls at most 20 times a second for tasks; a step has four.
  'history.transferProcessorMaxPollRPS=2000',
  // By default it caches 128,000 runs of about 13 kB; reading one takes a millisecond.
  'history.hostLevelCacheMaxSize=256',
];
/** Halves the garbage for a tenth more processor time: https://go.dev/doc/gc-guide#GOGC */
const LITTLE_HEAP = { GOGC: '50' };
/** Projects take turns at the workers, however many tasks one of them has. */
const FAIR = 'matching.enableFairness=true';

/** Saves twelve disk writes a step. A power cut may lose the last moment, which the rows still have. */
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=normal'];

function serverArguments(options: TemporalOptions): string[] {
  const { port, uiPort, httpPort, dbFile, namespace, searchAttributes = {} } = options;
  const flags = ['--ip', HOST, '--port', String(port), '--ui-port', String(uiPort)];
  if (httpPort !== undefined) flags.push('--http-port', String(httpPort));
  flags.push('--log-format', 'json', '--log-level', 'warn');
  const fair = mayTakeTurns(dbFile) ? [FAIR] : [];
  for (const value of [...DYNAMIC_CONFIG, ...fair, unusedHost()]) flags.push('--dynamic-config-value', value);
  if (dbFile) flags.push('--db-filename', dbFile, ...SQLITE_PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]));
  if (namespace) flags.push('--namespace', namespace);
  for (const [name, type] of Object.entries(searchAttributes)) flags.push('--search-attribute', `${name}=${type}`);
  return ['server', 'start-dev', ...flags];
}

async function served(serves: Promise<void>, child: Child, signal: AbortSignal | undefined): Promise<void> {
  const given = AbortSignal.any([AbortSignal.timeout(READY_MS), ...(signal ? [signal] : [])]);
  const ended = child.exited.then((exit) => {
    throw new Error(`it exited with ${describeExit(exit)}.`);
  });
  const late = once(given, 'abort').then(() => {
    signal?.throwIfAborted();
    throw new Error(`it did not listen within ${READY_MS / 1000} s.`);
  });
  await Promise.race([serves, ended, late]);
}

const ServerLine = z.object({ level: z.string().optional(), msg: z.string().optional(), error: z.string().optional() });
const LEVELS: Record<string, 'warn' | 'error' | 'debug'> = { WARN: 'debug', ERROR: 'warn' };

/** Its warnings are about its own parts starting and stopping, so each is logged one level lower. */
function logLine(log: Logger, line: string): void {
  try {
    const entry = ServerLine.parse(JSON.parse(line));
    const level = LEVELS[entry.level ?? ''] ?? 'debug';
    log[level]({ error: entry.error }, entry.msg ?? line);
  } catch {
    log.debug(line);
  }
}
