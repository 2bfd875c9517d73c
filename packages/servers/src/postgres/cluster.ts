import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { codeOf, messageOf, stderrOf } from '@docent/base/thrown';
import type { Logger } from 'pino';
import { describeExit, PROGRAM_ENVIRONMENT, startChild, type Child, type Exit } from '../processes/child.ts';
import type { Reaper } from '../processes/reaper.ts';
import { chooseAccount, closedAncestor, WORKING_FOLDER, type Account } from './account.ts';
import { locatePrograms, postgresUnusable } from './binaries.ts';
import { clearLeftover } from './leftover.ts';

const run = promisify(execFile);

export interface PostgresOptions {
  /** The cluster's own folder; created if needed. Only one caller may use it at a time: hold a lock. */
  dir: string;
  log: Logger;
  reaper: Reaper;
  /** The most clients; each takes 40 kB of shared memory, connected or not. Default 200. */
  maxConnections?: number;
  /** Aborts a start. */
  signal?: AbortSignal;
}

export interface RunningPostgres {
  /** Connection string of the database `docent`, by Unix socket. */
  url: string;
  pid: number;
  exited: Promise<Exit>;
  stop(): Promise<Exit>;
}

const USER = 'docent';
const PORT = 5432;
const SOCKET_FILES = [`.s.PGSQL.${PORT}`, `.s.PGSQL.${PORT}.lock`];
/** From the program's start until it answers: a killed server first replays its log. */
const READY_MS = 120_000;
/** macOS allows 103 bytes for a socket's path, Linux 107. */
const LONGEST_SOCKET_PATH = 103;

/**
 * Starts the bundled PostgreSQL on a data folder that is created at the first start. It only listens on a
 * Unix socket, in a folder that is closed to other users, so it needs no password. If it runs as another user
 * than root, whose processes could enter the folder, it checks with the kernel who connects, and accepts only
 * root.
 * @throws Error with a sentence that explains what to do
 */
export async function startPostgres({
  dir,
  log,
  reaper,
  maxConnections = 200,
  signal,
}: PostgresOptions): Promise<RunningPostgres> {
  await mkdir(dir, { recursive: true });
  const located = await locatePrograms(dir);
  // As root, PostgreSQL runs as another user, who must pass through here; the contents are closed.
  await chmod(dir, process.getuid?.() === 0 ? 0o711 : 0o700);
  const account = await chooseAccount(dir, located, log);
  const { programs } = account;
  const data = path.join(dir, 'data');
  const found = await dataVersion(data);
  if (found === null) await initialize(data, account);
  else assertSameMajor(data, found, programs.version);
  await clearLeftover(data, log);
  await writeAccessRules(data, account);

  const socket = await socketFolder(dir, account);
  // No server of ours runs: leftovers of a killed one would look like a running one.
  for (const name of SOCKET_FILES) await rm(path.join(socket, name), { force: true });
  const lastOutput: string[] = [];
  const names = account.reachesFolder ? { data, socket } : namesFromInside({ data, socket });
  const { command, args, ...ids } = account.commandLine(
    programs.postgres,
    serverArguments({ ...names, maxConnections }),
  );
  const child = await startChild({
    name: 'postgres',
    command,
    args,
    ...ids,
    env: PROGRAM_ENVIRONMENT,
    cwd: data,
    stopSignal: 'SIGINT', // "Fast shutdown": ends the sessions; SIGTERM would wait for them.
    stopGraceMs: 20_000,
    reaper,
    onLine(line) {
      lastOutput.push(line);
      if (lastOutput.length > 5) lastOutput.shift();
      logLine(log, line);
    },
  });
  try {
    await ensureDatabase(urlOf(socket, 'postgres'), child, signal);
  } catch (err) {
    await child.stop({ graceMs: 5_000 });
    throw postgresUnusable(`PostgreSQL did not start: ${[messageOf(err), ...lastOutput].join('\n')}\n`, {
      cause: err,
    });
  }
  return { url: urlOf(socket, USER), pid: child.pid, exited: child.exited, stop: () => child.stop() };
}

function urlOf(socketFolder: string, database: string): string {
  return `postgresql://${USER}@localhost:${PORT}/${database}?host=${encodeURIComponent(socketFolder)}`;
}

/** The data folder's version, such as `18`; null without one. Unreadable is not missing. */
async function dataVersion(data: string): Promise<string | null> {
  try {
    return (await readFile(path.join(data, 'PG_VERSION'), 'utf8')).trim();
  } catch (err) {
    if (codeOf(err) === 'ENOENT') return null;
    throw postgresUnusable(
      `The data in ${data} cannot be read (${messageOf(err)}). Run Docent as the user who owns it, or as root.`,
      { cause: err },
    );
  }
}

function assertSameMajor(data: string, found: string, version: string): void {
  const [major] = version.split('.');
  if (found === major) return;
  throw postgresUnusable(
    `The data in ${data} was written by PostgreSQL ${found}, but this Docent includes PostgreSQL ${major}. ` +
      `Upgrade it with pg_upgrade, or with pg_dump and pg_restore.`,
  );
}

/** Creates the cluster elsewhere and moves it when whole: a killed `initdb` leaves nothing in the way. */
async function initialize(data: string, account: Account): Promise<void> {
  const attempt = `${data}.new`;
  await rm(attempt, { recursive: true, force: true });
  await mkdir(attempt, { mode: 0o700 });
  await handOver(attempt, account);
  const { command, args, ...ids } = account.commandLine(account.programs.initdb, [
    '-D',
    account.reachesFolder ? attempt : WORKING_FOLDER,
    '--username',
    USER,
    '--auth=trust',
    '--encoding=UTF8',
    // Sorts and changes case the same on every system, whatever locales are installed.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ]);
  try {
    await run(command, args, { ...ids, env: PROGRAM_ENVIRONMENT, cwd: attempt, timeout: 120_000 });
  } catch (err) {
    throw postgresUnusable(`The database could not be created in ${data}: ${stderrOf(err)}`, {
      cause: err,
    });
  }
  await rm(data, { recursive: true, force: true });
  await rename(attempt, data);
}

/** At every start, so that the rules match the current user. */
async function writeAccessRules(data: string, { owner }: Account): Promise<void> {
  const files = {
    'pg_hba.conf': owner ? 'local all all peer map=docent\n' : 'local all all trust\n',
    'pg_ident.conf': owner ? `docent "${userInfo().username}" ${USER}\n` : '',
  };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(data, name);
    await writeFile(file, text);
    if (owner) await chown(file, owner.uid, owner.gid);
  }
}

async function handOver(folder: string, { owner }: Account): Promise<void> {
  if (!owner) return;
  try {
    await chown(folder, owner.uid, owner.gid);
  } catch (err) {
    throw postgresUnusable(
      `PostgreSQL cannot run as root, and the owner of ${folder} could not be changed to uid ${owner.uid} ` +
        `(${messageOf(err)}). Run Docent as a user other than root.`,
      { cause: err },
    );
  }
}

/** The socket's folder: the cluster's or, for too long a path, a temporary one. Always the same. */
async function socketFolder(dir: string, account: Account): Promise<string> {
  const own = path.join(dir, account.reachesFolder ? 'socket' : 'data');
  const isShort = Buffer.byteLength(path.join(own, `.s.PGSQL.${PORT}.lock`)) <= LONGEST_SOCKET_PATH;
  const folder = isShort ? own : path.join(temporaryFolder(account), `docent-${hashOf(path.resolve(dir))}`);
  await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting);
  const uid = account.owner?.uid ?? process.getuid?.();
  const found = await lstat(folder);
  if (!found.isDirectory() || (found.uid !== uid && found.uid !== process.getuid?.()))
    throw postgresUnusable(
      `${folder}, the folder for the PostgreSQL socket, belongs to another user. Delete it or change its owner.`,
    );
  await chmod(folder, 0o700);
  await handOver(folder, account);
  return folder;
}

/** The folders' names for a server that started in its data folder. */
function namesFromInside({ data, socket }: { data: string; socket: string }): { data: string; socket: string } {
  return { data: WORKING_FOLDER, socket: socket === data ? WORKING_FOLDER : socket };
}

/** The system's temporary folder, unless its path is long or the server's user may not go there. */
function temporaryFolder({ owner }: Account): string {
  const usual = tmpdir();
  return Buffer.byteLength(usual) <= 60 && (owner === null || closedAncestor(usual) === null) ? usual : '/tmp';
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

function ignoreExisting(err: NodeJS.ErrnoException): void {
  if (err.code !== 'EEXIST') throw err;
}

function serverArguments({
  data,
  socket,
  maxConnections,
}: {
  data: string;
  socket: string;
  maxConnections: number;
}): string[] {
  const settings = {
    listen_addresses: '',
    port: String(PORT),
    // A list: quotes keep commas and spaces in the path.
    unix_socket_directories: `"${socket.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    fsync: 'on',
    max_connections: String(maxConnections),
    timezone: 'UTC',
    log_timezone: 'UTC',
    // No statements, whose values are prompts, and no errors of clients, which quote values.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_error_verbosity: 'terse',
    log_line_prefix: '',
  };
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

async function ensureDatabase(url: string, child: Child, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_MS;
  let exit: Exit | undefined;
  void child.exited.then((value) => (exit = value));
  for (;;) {
    signal?.throwIfAborted();
    if (exit) throw new Error(`it exited with ${describeExit(exit)}.`);
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {}); // A connection that breaks: the query below fails with it.
    try {
      await client.connect();
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [USER]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${USER}`);
      return;
    } catch (err) {
      if (performance.now() > deadline)
        throw new Error(`no response within ${READY_MS / 1000} s (${messageOf(err)}).`, { cause: err });
      await sleep(25);
    } finally {
      await client.end().catch(() => {}); // It was never connected, or is broken: nothing to end.
    }
  }
}

/** Messages to clients during start or stop: not a fault. */
const PASSING = /starting up|not yet accepting|shutting down|terminating connection|in recovery mode/;

/** Clients report their own mistakes; what ends the server is logged here. */
function logLine(log: Logger, line: string): void {
  if (/^(PANIC|FATAL): /.test(line) && !PASSING.test(line)) log.warn(line);
  else log.debug(line);
}
