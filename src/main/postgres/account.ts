import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** PostgreSQL refuses to run as root; as root it runs under this user, `nobody` on most systems. */
export const UNPRIVILEGED_ID = 65_534;

/** How PostgreSQL's programs are run. */
export interface Account {
  /** The owner of the data folder, when it is not this process's own user. */
  owner: { uid: number; gid: number } | null;
  /** The command line that runs `program` under the account. */
  commandLine(program: string, args: string[]): { command: string; args: string[]; uid?: number; gid?: number };
}

/** The folder cannot be used by the only account that PostgreSQL could run under here. */
export class FolderUnreachable extends Error {
  constructor(folder: string, closed: string) {
    super(
      `PostgreSQL refuses to run as root, and the user it would run as instead (uid ${UNPRIVILEGED_ID}) cannot reach ${folder}, ` +
        `because ${closed} is closed to it. Run Docent as another user, choose a home that everybody may enter ` +
        `(docent start --home /var/lib/docent), or set DATABASE_URL to a PostgreSQL of your own.`,
    );
    this.name = 'FolderUnreachable';
  }
}

/**
 * Chooses the account for a cluster in `folder` whose programs lie in `programs`.
 * @throws FolderUnreachable as root, where uid 65534 can be brought into the folder in no way
 */
export function chooseAccount(folder: string, programs: string): Account {
  if (process.getuid?.() !== 0) {
    return { owner: null, commandLine: (command, args) => ({ command, args }) };
  }
  const owner = { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID };
  const closed = closedAncestor(folder) ?? closedAncestor(programs);
  if (closed === null) {
    return { owner, commandLine: (command, args) => ({ command, args, ...owner }) };
  }
  // A folder below /root, as in a container: util-linux can let the process keep the one right it needs for the way
  // there. It is no longer root for everything else, and PostgreSQL looks at the user id alone.
  const setpriv = findSetpriv();
  if (setpriv === null) throw new FolderUnreachable(folder, closed);
  const identity = ['--reuid', String(owner.uid), '--regid', String(owner.gid), '--clear-groups'];
  const right = ['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override'];
  return {
    owner,
    commandLine: (program, args) => ({ command: setpriv, args: [...identity, ...right, '--', program, ...args] }),
  };
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
