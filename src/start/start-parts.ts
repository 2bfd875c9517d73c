import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.ts';
import { SEARCH_ATTRIBUTES } from '../workflows/contract.ts';
import type { Home } from './home.ts';
import type { LogView } from './log-view.ts';
import { RoleReport } from './role-report.ts';
import { startPostgres } from '@docent/servers/postgres/cluster';
import { describeExit, startChild, type Child, type Exit } from '@docent/servers/processes/child';
import { nodeEnvironment } from '../platform/children/node-environment.ts';
import { FEW_ARENAS } from '../platform/processes/heap-growth.ts';
import type { Reaper } from '@docent/servers/processes/reaper';
import { publicUrlOf } from '../roles/required-services.ts';
import type { FromRole, ToRole } from '../roles/role-messages.ts';
import type { GivenUpParts } from '@docent/servers/given-up-parts';
import { chooseOtherTemporalPorts, type Ports } from './ports.ts';
import type { Part, RunningPart } from '@docent/servers/supervisor';
import { startTemporal } from '@docent/servers/temporal/server';
import type { TemporalSettings } from '../roles/temporal-settings.ts';
import { Refused } from '@docent/base/refused';

/** Shared by the parts of one `docent start`. */
export interface PartContext {
  home: Home;
  config: Config;
  view: LogView;
  reaper: Reaper;
  ports: Ports;
  /** Sent to the API, which includes it in its readiness. */
  givenUp: GivenUpParts;
  /** Known once the database runs. */
  databaseUrl?: string;
  /** Set once the embedded Temporal runs; never if the environment names another. */
  temporal?: TemporalSettings;
}

/** The namespace of the embedded Temporal. */
const NAMESPACE = 'default';

/** Besides those of API and worker: for commands such as `docent backup`, and for manual queries. */
const COMMAND_CONNECTIONS = 30;

export function postgresPart(context: PartContext): Part {
  return {
    name: 'postgres',
    async start(signal) {
      const { home, view, reaper } = context;
      const server = await startPostgres({
        dir: home.postgresFolder,
        log: view.loggerFor('postgres'),
        reaper,
        maxConnections: 2 * context.config.databaseConnections + COMMAND_CONNECTIONS,
        signal,
      });
      context.databaseUrl = server.url;
      return server;
    },
  };
}

/** Someone else takes a port between its choice and its use: hardly twice. */
const PORT_TRIES = 5;

export function temporalPart(context: PartContext, binary: string): Part {
  const { home, view, reaper, ports } = context;
  const start = (signal: AbortSignal) =>
    startTemporal({
      binary,
      dbFile: `${home.temporalFolder}/temporal.db`,
      port: ports.temporal,
      uiPort: ports.temporalUi,
      searchAttributes: Object.fromEntries(Object.values(SEARCH_ATTRIBUTES).map((name) => [name, 'Keyword'])),
      log: view.loggerFor('temporal'),
      reaper,
      signal,
    });
  return {
    name: 'temporal',
    async start(signal) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const server = await start(signal);
          context.temporal = { connection: { address: server.address }, namespace: NAMESPACE };
          return server;
        } catch (err) {
          // Once the others know the address it stays.
          if (!(err instanceof Refused && err.mayPass) || context.temporal !== undefined || attempt === PORT_TRIES)
            throw err;
          await chooseOtherTemporalPorts(home, ports);
        }
      }
    },
  };
}

/** A role starts within seconds; the worker bundles its workflows the first time. */
const READY_MS = 120_000;
/** Beyond the grace that the role gives its own work. */
const STOP_MARGIN_MS = 7_000;

/** Worker or API as a child process of this program. @param onWarning gets its warnings while it starts */
export function rolePart(context: PartContext, role: 'api' | 'worker', onWarning?: (text: string) => void): Part {
  return {
    name: role,
    async start(signal): Promise<RunningPart> {
      const { view, reaper, config, givenUp } = context;
      const report = new RoleReport();
      const child = await startChild({
        name: role,
        command: process.execPath,
        args: [...nodeEnvironment().execArgv, cliFile(), role],
        env: withoutNeedless(role, roleEnvironment(context, role)),
        onMessage: (message) => report.message(message as FromRole),
        // Everything on this machine stops: clients have no other process to switch to.
        stopSignal: 'SIGINT',
        stopGraceMs: config.shutdownGraceSeconds * 1_000 + STOP_MARGIN_MS,
        reaper,
        onLine(line) {
          view.line(role, line);
          const complaint = report.line(line);
          if (complaint !== undefined) onWarning?.(complaint);
        },
      });
      const sendGivenUp = () => {
        // Not to one that is ending, which `exited` reports.
        if (child.process.connected) child.process.send({ type: 'given-up', parts: givenUp.all } satisfies ToRole);
      };
      const stopSending = givenUp.onChange(sendGivenUp);
      void child.exited.then(stopSending);
      sendGivenUp();
      try {
        await untilReady(child, report, signal);
        return { ...child, lastOutput: () => report.lastOutput };
      } catch (err) {
        await child.stop({ graceMs: 1_000 });
        throw err;
      }
    },
  };
}

/** @throws Refused if it would fail again */
async function untilReady(child: Child, report: RoleReport, signal: AbortSignal): Promise<void> {
  const outcome = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    const { complaint } = report;
    outcome.reject(new Error(`it was not ready after ${READY_MS / 1_000} s${complaint ? ` (${complaint})` : ''}`));
  }, READY_MS);
  const abort = () => outcome.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  void report.ready.then(outcome.resolve);
  const deathOf = (exit: Exit) => {
    const { lastOutput: output, complaint } = report;
    if (output?.isRefusal) return new Refused(output.text);
    return new Error(output?.text ?? complaint ?? `it exited with ${describeExit(exit)} before it was ready`);
  };
  void child.exited.then((exit) => outcome.reject(deathOf(exit)));
  try {
    await outcome.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function cliFile(): string {
  return fileURLToPath(new URL(`../cli/main.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url));
}

/** Keys of models and of the mail server are for workers. */
function withoutNeedless(role: 'api' | 'worker', env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const needless =
    role === 'api' ? ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENAI_COMPATIBLE_API_KEY', 'DOCENT_SMTP_URL'] : [];
  return Object.fromEntries(Object.entries(env).filter(([name]) => !needless.includes(name)));
}

/** The caller's environment, with the decisions of `docent start`. */
function roleEnvironment(
  { home, config, ports, databaseUrl, temporal }: PartContext,
  role: 'api' | 'worker',
): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    ...FEW_ARENAS,
    ...process.env,
    DATABASE_URL: databaseUrl,
    // No one else could: the embedded PostgreSQL runs no longer than this.
    DOCENT_MIGRATE: config.databaseUrl ? config.migrate : 'auto',
    DOCENT_HOME: home.folder,
    DOCENT_PORT: String(ports.api),
    DOCENT_PUBLIC_URL: publicUrlOf(config, ports.api),
    DOCENT_CACHE_DIR: config.cacheDir ?? home.cacheFolder,
    DOCENT_OPERATOR_TOKEN_FILE: home.operatorTokenFile,
    // A key of the environment takes precedence over the home's.
    DOCENT_SECRET_KEY_FILE: process.env.DOCENT_SECRET_KEY_FILE ?? home.secretKeyFile,
    // Compiling takes a third of the time that a role needs to start.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? `${home.cacheFolder}/node`,
  };
  if (ports.metrics) env.DOCENT_METRICS_PORT = String(ports.metrics[role]);
  delete env.DOCENT_OPERATOR_TOKEN; // It is in the file, and an environment is easily shown.
  if (temporal) {
    for (const name of Object.keys(env)) if (name.startsWith('TEMPORAL_')) delete env[name];
    env.TEMPORAL_ADDRESS = temporal.connection.address;
    env.TEMPORAL_NAMESPACE = temporal.namespace;
    env.DOCENT_TEMPORAL_UI_URL = config.temporalUiUrl ?? `http://127.0.0.1:${ports.temporalUi}`;
  }
  return env;
}
