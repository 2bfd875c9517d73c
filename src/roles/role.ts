import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { ConfigError } from '@docent/base/config-error';
import { createLogger, type Logger } from '../platform/log.ts';
import { EXIT } from '@docent/base/terminal/failures';
import { readEnvironment, type Environment } from './environment.ts';
import { boundHeapGrowth } from '../platform/processes/heap-growth.ts';
import { logNodeWarnings } from './node-warnings.ts';
import type { GivenUpPart } from '@docent/servers/given-up-parts';
import type { FromRole, ToRole } from './role-messages.ts';
import { Refused } from '@docent/base/refused';

export interface RunningRole {
  /** Settles when the role has ended on its own; a rejection is a fault. */
  stopped?: Promise<void>;
  /**
   * Finishes current work within the grace time and releases everything.
   * @param hurry aborted to skip the time for clients to move
   */
  stop(hurry: AbortSignal): Promise<void>;
}

export interface RoleContext extends Environment {
  log: Logger;
  /** Aborted when the process is asked to stop, even before the role runs. */
  stopping: AbortSignal;
  /** Other parts that `docent start` cannot keep running; none without a supervisor. */
  givenUpParts: () => readonly GivenUpPart[];
}

const LOG_PAUSE_MS = 50;
/** A role that hangs while it stops is ended after its grace and this long. */
const STOP_MARGIN_MS = 15_000;

/** Runs a role until SIGTERM, SIGINT or the supervisor's end. Exits with 0 on request, 1 after a fault. */
export async function runRole(name: string, start: (context: RoleContext) => Promise<RunningRole>): Promise<void> {
  boundHeapGrowth();
  let environment: Environment;
  try {
    environment = readEnvironment(process.env);
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    createLogger({ level: 'info', name }).fatal(err.message);
    report({ type: 'refused', reason: err.message });
    return endProcess(EXIT.usage);
  }
  const { config } = environment;
  const log = createLogger({ level: config.logLevel, name });
  logNodeWarnings(log);
  for (const unknown of config.unknown) log.warn(`${unknown} is not a setting of this version of Docent`);

  const stopping = new AbortController();
  const hurry = new AbortController();
  const asked = new Promise<string>((resolve) => {
    const ask = (why: string) => {
      // Orchestrators send SIGTERM once and wait. Ctrl-C is a person, and so is a second request.
      if (why !== 'SIGTERM' || stopping.signal.aborted) hurry.abort();
      stopping.abort(new Error(why));
      resolve(why);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ask(signal));
    // The supervisor is gone, without a message.
    process.once('disconnect', () => ask('the supervisor has stopped'));
  });
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'uncaught error');
    void endProcess(1);
  });

  let givenUp: readonly GivenUpPart[] = [];
  process.on('message', (message: ToRole) => {
    givenUp = message.parts;
  });

  let code = 0;
  try {
    const role = await start({ ...environment, log, stopping: stopping.signal, givenUpParts: () => givenUp });
    report({ type: 'ready' });
    const why = await Promise.race([
      asked,
      role.stopped?.then(() => 'the role ended on its own') ?? new Promise<never>(() => {}),
    ]);
    log.info({ why }, 'stopping');
    endAfter(config, log);
    await role.stop(hurry.signal);
    log.info('stopped');
  } catch (err) {
    if (!stopping.signal.aborted) {
      if (err instanceof Refused || err instanceof ConfigError) {
        log.fatal(err.message);
        report({ type: 'refused', reason: err.message });
      } else log.fatal({ err }, 'stopped after an error');
      code = 1;
    }
  }
  await endProcess(code);
}

/** Does nothing without a supervisor, or if the supervisor is gone. */
function report(message: FromRole): void {
  if (process.connected) process.send?.(message);
}

/** Log lines are written in the background: later output of the end itself could overtake a pending one. */
async function endProcess(code: number): Promise<never> {
  await sleep(LOG_PAUSE_MS);
  process.exit(code);
}

function endAfter(config: Config, log: Logger): void {
  setTimeout(
    () => {
      log.error('did not stop in time');
      void endProcess(1);
    },
    (config.drainSeconds + config.shutdownGraceSeconds) * 1_000 + STOP_MARGIN_MS,
  ).unref();
}
