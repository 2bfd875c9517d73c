import { existsSync, closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { DEFAULT_MODEL } from '../config/models.ts';
import { bringUp, runSteps } from './bring-up.ts';
import { redact } from '../platform/log.ts';
import { messageOf } from '@docent/base/thrown';
import { hostInUrl } from '@docent/base/net/ip-address';
import { shortageOf } from '@docent/base/shortage';
import { requireGit, makeDemoRepository } from './demo-repository.ts';
import { readEnvironment } from '../roles/environment.ts';
import { defaultHome, openHome, type Home, type RunFile, type SecretFile } from './home.ts';
import { GivenUpParts } from '@docent/servers/given-up-parts';
import { createLogView } from './log-view.ts';
import { choosePorts } from './ports.ts';
import { unfinishedRestore } from '../platform/unfinished-restore.ts';
import { endLeftovers, Reaper } from '@docent/servers/processes/reaper';
import { boundHeapGrowth } from '../platform/processes/heap-growth.ts';
import { logNodeWarnings } from '../roles/node-warnings.ts';
import { publicUrlOf } from '../roles/required-services.ts';
import type { PartContext } from './start-parts.ts';
import { describeStart, type ShownSecret } from './start-report.ts';
import { stopRequests } from '../roles/stop-requests.ts';
import { Supervisor } from '@docent/servers/supervisor';
import type { TemporalSettings } from '../roles/temporal-settings.ts';
import { Refused } from '@docent/base/refused';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { createDocentClient } from '@docent/client';
import { answerOf } from '@docent/base/terminal/api-answer';
import { ServerRefusal } from '@docent/base/terminal/failures';

/** One older file of the same size is kept beside it, as `docent.log.1`. */
const MAX_BYTES = 20 * 1_048_576;

/** Appends lines to a private log. On a full disk they are lost, rather than ending the process. */
export function openLogFile(file: string, maxBytes = MAX_BYTES): (line: string) => void {
  let descriptor = openSync(file, 'a', 0o600);
  let size = fstatSync(descriptor).size;
  const startAnew = () => {
    closeSync(descriptor);
    // Someone may have removed it.
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    if (existsSync(file)) renameSync(file, `${file}.1`);
    descriptor = openSync(file, 'a', 0o600);
    size = 0;
  };
  return (line) => {
    try {
      const bytes = Buffer.from(`${line}\n`);
      if (size > 0 && size + bytes.length > maxBytes) startAnew();
      size += writeSync(descriptor, bytes);
    } catch (err) {
      if (!shortageOf(err)) throw err;
    }
  };
}

const DEMO_PROJECT = 'demo';

/** A link that signs a browser in, once. Without one, everything else works anyway. */
async function signInLinkOf(home: Home, apiUrl: string): Promise<string | null> {
  const client = createDocentClient({ baseUrl: apiUrl, apiKey: home.readOperatorToken() });
  const link = await answerOf(apiUrl, client.POST('/v1/sign-in-links')).catch(() => null);
  return link?.url ?? null;
}

/** Creates the demo through the API. Completes an interrupted first start. */
async function completeFirstRun(home: Home, apiUrl: string): Promise<{ newKey: string | null }> {
  const client = createDocentClient({ baseUrl: apiUrl, apiKey: home.readOperatorToken() });
  if (!home.readState().demoProjectMade) {
    await makeDemoRepository(home.demoRepository);
    const body = { id: DEMO_PROJECT, repository: home.demoRepository, ref: 'main' };
    await answerOf(apiUrl, client.POST('/v1/projects', { body })).catch((err: unknown) => {
      if (!(err instanceof ServerRefusal && err.code === 'project_exists')) throw err;
    });
    home.updateState({ demoProjectMade: true });
  }
  const { keys } = await answerOf(apiUrl, client.GET('/v1/keys', { params: { query: { limit: 1 } } }));
  if (keys.length > 0) return { newKey: null };
  const body = { name: 'first key', projectIds: [DEMO_PROJECT], scopes: ['write' as const] };
  const { key } = await answerOf(apiUrl, client.POST('/v1/keys', { body }));
  return { newKey: key };
}

/** PostgreSQL allocates 16 MB at a time for its log, and needs some to recover from a crash. */
const NEEDED_BYTES = 48 * 1_048_576;
/** A trial detects quotas and missing inodes, which the file system's numbers do not show. */
const TRIED_BYTES = 262_144;

/** Reports that a folder's disk is full, or null. Ignores other problems. */
async function fullDisk(folder: string): Promise<string | null> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const trial = path.join(folder, 'room.new');
  const refused = await writeFile(trial, Buffer.alloc(TRIED_BYTES)).then(
    () => false,
    (err: unknown) => shortageOf(err) === 'disk',
  );
  await rm(trial, { force: true });
  if (!refused && free >= NEEDED_BYTES) return null;
  return `The disk of ${folder} is full (${Math.floor(free / 1_048_576)} MB free). Free some space.`;
}

export interface StartOptions {
  home?: string;
  port?: number;
  uiPort?: number;
  json?: boolean;
  /** Whether the terminal also shows the roles' logs. */
  verbose?: boolean;
}

/** `docent start`: one process tree until Ctrl-C or SIGTERM. @throws with a sentence if it cannot start */
export async function runStart(options: StartOptions): Promise<void> {
  const { config, temporal } = readEnvironment(process.env);
  await refuseWrongModels(config);
  const quiet = options.json ?? false;
  boundHeapGrowth();
  await requireGit();
  const stop = stopRequests();
  const folder = path.resolve(options.home ?? config.home ?? defaultHome());
  const unfinished = unfinishedRestore(folder);
  if (unfinished !== null) throw new Refused(unfinished);
  const home = openHome(folder, config.operatorToken?.reveal());
  surviveFullLog(process.stdout);
  const view = createLogView(process.stdout, {
    level: config.logLevel,
    json: quiet,
    verbose: options.verbose ?? false,
    file: openLogFile(home.logFile),
  });
  const log = view.loggerFor('docent');
  logNodeWarnings(log);
  const leftovers = await endLeftovers(home.processesFile);
  if (leftovers.length > 0) log.info(`Stopped processes left over from an earlier start: ${leftovers.join(', ')}.`);

  const reaper = new Reaper({
    recordFile: home.processesFile,
    onProblem: (err) => log.warn(`${home.processesFile} cannot be written right now: ${messageOf(err)}`),
  });
  const givenUp = new GivenUpParts();
  const supervisor = new Supervisor({ log, redact, givenUp, obstacle: () => fullDisk(home.folder) });
  stop.onImpatience(() => reaper.killNow());
  try {
    const ports = await choosePorts(home, config, options);
    const context: PartContext = { home, config, view, reaper, ports, givenUp };
    await bringUp(context, supervisor, { externalTemporal: temporal, quiet, signal: stop.signal });
    const run = runFileOf(context, temporal);
    // Other output than a terminal's ends in logs.
    const show = (name: SecretFile, text: string): ShownSecret =>
      process.stdout.isTTY && !quiet ? { text } : { file: home.writeSecret(name, text) };
    const firstKey = await firstRun(home, context, { quiet, show });
    stop.signal.throwIfAborted();
    home.writeRunFile(run);
    // The database's address may hold a password.
    if (quiet) process.stdout.write(`${JSON.stringify({ ...run, databaseUrl: undefined })}\n`);
    else {
      const link = await signInLinkOf(home, run.apiUrl);
      const signInLink = link === null ? null : show('sign-in-link', link);
      const report = { ...run, demoRepository: home.demoRepository, logFile: home.logFile, firstKey, signInLink };
      process.stdout.write(describeStart(report, cliFor(home)));
    }
    await stop.asked;
  } catch (err) {
    if (!stop.signal.aborted) throw err;
  } finally {
    log.info('Stopping …');
    home.removeRunFile();
    await supervisor.stop();
    await reaper.close();
    home.release();
    log.info('Docent has stopped.');
  }
}

/** Fails before everything else starts, as the worker would. The default is always right. */
async function refuseWrongModels(config: Config): Promise<void> {
  if ((config.model ?? DEFAULT_MODEL) === DEFAULT_MODEL && config.modelsFile === undefined) return;
  const { modelsOf } = await import('../roles/model-setup.ts');
  modelsOf(config);
}

/** Output may go into a file on a full disk: then its lines are lost, and nothing else. */
function surviveFullLog(out: NodeJS.WriteStream): void {
  out.on('error', (err) => {
    if (!shortageOf(err)) throw err;
  });
}

/** @returns the key that the first start makes, as it is shown */
async function firstRun(
  home: Home,
  context: PartContext,
  { quiet, show }: { quiet: boolean; show: (name: SecretFile, text: string) => ShownSecret },
): Promise<ShownSecret> {
  const kept = home.secretFile('first-key');
  let key: ShownSecret = kept === null ? null : { file: kept };
  const make = async () => {
    const { newKey } = await completeFirstRun(home, localUrl(context));
    if (newKey !== null) key = show('first-key', newKey);
  };
  if (home.readState().demoProjectMade) await make();
  else await runSteps([{ title: 'Demo project', task: make }], context.view, quiet);
  return key;
}

/** This machine's own address of the API, independent of its public URL. */
function localUrl({ config, ports }: PartContext): string {
  return publicUrlOf({ ...config, publicUrl: undefined }, ports.api);
}

function runFileOf(context: PartContext, external: TemporalSettings | null): Omit<RunFile, 'home'> {
  const { config, ports, temporal } = context;
  return {
    apiUrl: localUrl(context),
    temporalAddress: (temporal ?? external)?.connection.address ?? '',
    temporalUiUrl: external ? null : `http://127.0.0.1:${ports.temporalUi}`,
    ...(ports.metrics && { metricsUrls: metricsUrlsOf(config, ports.metrics) }),
    projectId: DEMO_PROJECT,
    databaseUrl: context.databaseUrl,
    pid: process.pid,
  };
}

function metricsUrlsOf({ metricsHost: host }: Config, ports: NonNullable<PartContext['ports']['metrics']>) {
  const urlOf = (port: number) => `http://${hostInUrl(host)}:${port}/metrics`;
  return { api: urlOf(ports.api), worker: urlOf(ports.worker) };
}

/** How to call `docent` here in shown commands. `npm start` has not put it on the PATH. */
function cliFor(home: Home): { isLinked: boolean; suffix: string } {
  return {
    isLinked: process.env.npm_lifecycle_event !== 'start' || isOnPath('docent'),
    suffix: home.folder === defaultHome() ? '' : ` --home '${home.folder}'`,
  };
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));
}
