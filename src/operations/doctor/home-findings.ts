import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '@docent/base/thrown';
import { unfinishedRestore } from '../../platform/unfinished-restore.ts';
import { isPortFree } from '../../platform/net/free-port.ts';
import { readRunFile, SECRET_FILES } from '../../start/home.ts';
import { locatePrograms } from '@docent/servers/postgres/binaries';
import { temporalAtHand } from '@docent/servers/temporal/find';
import { DOCS, judgeRoom, ok, warning, wrong, type Finding } from '../../platform/health.ts';

const run = promisify(execFile);

export interface HomeInput {
  home: string;
  host: string;
  port: number;
  /** Whether the home's own PostgreSQL and Temporal are used. */
  embeds: { postgres: boolean; temporal: boolean };
}

/** The folder of `docent start`, and its needs on this machine. Changes nothing. */
export async function homeFindings({ home, host, port, embeds }: HomeInput): Promise<Finding[]> {
  const unfinished = unfinishedRestore(home);
  if (unfinished !== null) {
    const todo = "Delete the folder's contents, and repeat `docent restore`.";
    return [wrong('home', { what: unfinished, todo, docs: DOCS.restore })];
  }
  const here = await stat(home).catch(() => null);
  if (!here?.isDirectory()) {
    const todo = 'Start Docent with `docent start`, or choose another home with --home.';
    return [wrong('home', { what: `The home ${home} does not exist.`, todo, docs: DOCS.starting })];
  }
  const isLiving = isAlive(readRunFile(home)?.pid);
  return [
    await rightsOf(home),
    ...(await closedTo(home)),
    judgeRoom('home-disk', await freeBytesOf(home), home),
    lockOf(home),
    await gitOf(),
    ...(embeds.postgres ? [await postgresOf(home)] : []),
    ...(embeds.temporal ? [await temporalProgram()] : []),
    ...(isLiving ? [] : [await portOf(host, port)]),
  ];
}

export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const isAlive = (pid: number | undefined): boolean => {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'EPERM';
  }
};

function lockOf(home: string): Finding {
  const runFile = readRunFile(home);
  if (runFile && isAlive(runFile.pid))
    return ok('home-runs', `Running in ${home}: process ${runFile.pid}, ${runFile.apiUrl}.`);
  const what = runFile
    ? `\`docent start\` in ${home} (process ${runFile.pid}) stopped unexpectedly.`
    : `Docent is not running in ${home}, or is still starting.`;
  return warning('home-runs', { what, todo: `docent start --home '${home}'`, docs: DOCS.starting });
}

async function rightsOf(home: string): Promise<Finding> {
  try {
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok('home-rights', `${home} is readable and writable.`);
  } catch (err) {
    const todo = 'Run Docent as the user who owns the home, or change the owner with chown.';
    return wrong('home-rights', { what: `${home} cannot be used (${messageOf(err)}).`, todo, docs: DOCS.starting });
  }
}

/** Files that open everything are for their owner alone. */
async function closedTo(home: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of ['operator-token', 'secret-key', ...SECRET_FILES]) {
    const file = path.join(home, name);
    const found = await stat(file).catch(() => null);
    if (found === null || (found.mode & 0o077) === 0) continue;
    const todo = `Run chmod 600 '${file}', and consider who may have read it.`;
    findings.push(wrong('home-secrets', { what: `Other users can read ${file}.`, todo, docs: DOCS.security }));
  }
  return findings.length > 0 ? findings : [ok('home-secrets', 'Other users cannot read its keys.')];
}

async function gitOf(): Promise<Finding> {
  try {
    const { stdout } = await run('git', ['--version'], { timeout: 10_000 });
    return ok('git', `${stdout.trim()}.`);
  } catch (err) {
    const what = `\`git --version\` fails (${messageOf(err).split('\n')[0]}).`;
    return wrong('git', { what, todo: 'Install git. Jobs on local repositories require it.', docs: DOCS.starting });
  }
}

async function postgresOf(home: string): Promise<Finding> {
  const folder = path.join(home, 'postgres');
  const data = path.join(folder, 'data', 'PG_VERSION');
  try {
    const { version } = await locatePrograms(folder);
    const found = (await readFile(data, 'utf8').catch(() => '')).trim();
    const [major] = version.split('.');
    if (found === '' || found === major)
      return ok('postgres-program', `The embedded PostgreSQL ${version} works on this machine.`);
    const todo = 'Upgrade the data with pg_upgrade, or restore a backup into a new home.';
    const what = `The data in ${folder} was written by PostgreSQL ${found}, but this Docent includes ${major}.`;
    return wrong('postgres-program', { what, todo, docs: DOCS.upgrade });
  } catch (err) {
    const todo = 'Reinstall the packages, or set DATABASE_URL.';
    return wrong('postgres-program', { what: messageOf(err), todo, docs: DOCS.starting });
  }
}

async function temporalProgram(): Promise<Finding> {
  const found = await temporalAtHand(process.env);
  if (found) return ok('temporal-program', `${found.binary} includes Temporal server ${found.server}.`);
  return warning('temporal-program', {
    what: 'Temporal is not on this machine yet. The next start downloads or builds it.',
    todo: 'Without network access, install the Temporal CLI or set TEMPORAL_ADDRESS.',
    docs: DOCS.starting,
  });
}

async function portOf(host: string, port: number): Promise<Finding> {
  if (port === 0 || (await isPortFree(port, host))) return ok('port', `Port ${port} is available.`);
  const todo = 'Stop that program, or choose another port with --port or DOCENT_PORT.';
  return warning('port', { what: `Port ${port}, which the API needs, is in use.`, todo, docs: DOCS.starting });
}
