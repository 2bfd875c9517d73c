import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { stderrOf } from '@docent/base/thrown';
import type { Logger } from 'pino';
import { postgresUnusable, type PostgresPrograms } from './binaries.ts';
import { copyOfPrograms } from './program-copy.ts';
import { Refused } from '@docent/base/refused';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; as root, Docent runs it under this user, `nobody` on most systems. */
export const UNPRIVILEGED_ID = 65_534;

/** How PostgreSQL's programs are run. */
export interface Account {
  programs: PostgresPrograms;
  /** The owner of the data folder, when it is not this process's own user. */
  owner: { uid: number; gid: number } | null;
  /** Whether the account reaches the folder by path; else it uses {@link WORKING_FOLDER}. */
  reachesFolder: boolean;
  /** The command line that runs `program` under the account. */
  commandLine(program: string, args: string[]): { command: string; args: string[]; uid?: number; gid?: number };
}

/** A process's working folder, which Linux opens without looking at the folders above. */
export const WORKING_FOLDER = '/proc/self/cwd';

type CommandLine = Account['commandLine'];

/**
 * Chooses the account of a cluster. As root, tries the ways to run its programs as another user, since
 * containers differ.
 * @throws Error if none works
 */
export async function chooseAccount(folder: string, programs: PostgresPrograms, log: Logger): Promise<Account> {
  if (process.getuid?.() !== 0) {
    return { programs, owner: null, reachesFolder: true, commandLine: (command, args) => ({ command, args }) };
  }
  const owner = { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID };
  const asOther: CommandLine = (command, args) => ({ command, args, ...owner });
  const closed = closedAncestor(folder);
  const failures: string[] = [];
  const works = async (commandLine: CommandLine, tried: PostgresPrograms) => {
    const failure = await whyNot(commandLine, tried);
    if (failure !== null) failures.push(failure);
    return failure === null;
  };

  if (closed === null && (await works(asOther, programs))) {
    return { programs, owner, reachesFolder: true, commandLine: asOther };
  }
  const onTheWay = withRightOfWay(owner);
  if (onTheWay && (await works(onTheWay, programs))) {
    return { programs, owner, reachesFolder: true, commandLine: onTheWay };
  }
  if (process.platform === 'linux') {
    const copy = await copyOfPrograms(programs, async (tried) => works(asOther, tried)).catch((err: unknown) => {
      if (!(err instanceof Refused)) throw err;
      failures.push(err.message);
      return null;
    });
    if (copy) {
      log.info(
        `PostgreSQL runs from a copy of its programs in ${copy.folder}, because its user (uid ${UNPRIVILEGED_ID}) ` +
          `cannot access the ones of Docent. Its data stays in ${folder}.`,
      );
      return { programs: copy.programs, owner, reachesFolder: closed === null, commandLine: asOther };
    }
  }
  throw postgresUnusable(
    `PostgreSQL cannot run as root, and the user that Docent would use instead (uid ${UNPRIVILEGED_ID}) cannot ` +
      `${closed === null ? 'run its programs' : `reach ${folder}, because it has no access to ${closed}`} ` +
      `(${[...new Set(failures)].join('; ')}). Run Docent as another user, or choose a home that all users can enter ` +
      `(docent start --home /var/lib/docent).`,
  );
}

/** The first folder on the way to `target` that other users may not pass through, or null. */
export function closedAncestor(target: string): string | null {
  const ancestors: string[] = [];
  for (let current = path.resolve(target); ; current = path.dirname(current)) {
    ancestors.unshift(current);
    if (current === path.dirname(current)) break;
  }
  return ancestors.find((folder) => (statSync(folder).mode & 0o001) === 0) ?? null;
}

/** For a folder below /root: `setpriv` keeps one capability and drops root. Null without `setpriv`. */
function withRightOfWay({ uid, gid }: { uid: number; gid: number }): CommandLine | null {
  const setpriv = findSetpriv();
  if (setpriv === null) return null;
  const identity = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  const right = ['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override'];
  // access(2), by which the programs find themselves, ignores capabilities without this bit.
  const kept = ['--securebits', '+no_setuid_fixup'];
  return (program, args) => ({ command: setpriv, args: [...kept, ...identity, ...right, '--', program, ...args] });
}

/** Why the account cannot run the programs, which find and run each other; null if it can. */
async function whyNot(commandLine: CommandLine, programs: PostgresPrograms): Promise<string | null> {
  const { command, args, ...ids } = commandLine(programs.initdb, ['--show', '-D', '/nonexistent']);
  try {
    await run(command, args, {
      ...ids,
      cwd: '/',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
      timeout: 20_000,
    });
    return null;
  } catch (err) {
    return stderrOf(err).split('\n', 1)[0] ?? '';
  }
}

function findSetpriv(): string | null {
  if (process.platform !== 'linux') return null;
  for (const candidate of ['/usr/bin/setpriv', '/bin/setpriv']) {
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // The next one.
    }
  }
  return null;
}
