import { readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { commandLineOf, identityOf, workingFolderOf } from '../processes/identity.ts';
import { codeOf } from '@docent/base/thrown';

/** No system gives a process this number. */
const NOBODYS_PID = 2_147_483_646;
const FAST_STOP_MS = 10_000;

/**
 * Prepares a data folder whose last server was killed for a new one. Call it only as the folder's only owner.
 *
 * Stops a server that still runs. If the number in its lock file now belongs to another program, which
 * PostgreSQL would mistake for a running server (common in containers, where numbers start over), replaces it
 * with an unused one. The file itself stays: PostgreSQL finds in it the shared memory that orphans of the old
 * server may still use, and waits for them.
 */
export async function clearLeftover(dataFolder: string, log: Logger): Promise<void> {
  const lockFile = path.join(dataFolder, 'postmaster.pid');
  let lines: string[];
  try {
    lines = (await readFile(lockFile, 'utf8')).split('\n');
  } catch {
    return; // It was stopped in order.
  }
  const pid = Math.abs(Number(lines[0]));
  if (!Number.isInteger(pid) || pid === 0) return;
  if (!isTaken(pid)) return;
  const identity = await identityOf(pid);
  // A killed server that its parent has not collected has ended, but PostgreSQL would think that it runs.
  if (identity === null || !(await isServerOf(pid, dataFolder))) {
    await writeFile(lockFile, [NOBODYS_PID, ...lines.slice(1)].join('\n'));
    return;
  }
  log.warn({ pid }, 'Stopping a PostgreSQL left over from an earlier run');
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(pid, signal);
    for (let waited = 0; waited < FAST_STOP_MS; waited += 50) {
      if ((await identityOf(pid)) !== identity) return;
      await sleep(50);
    }
  }
}

/** Whether any process has the number, including zombies. */
function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return codeOf(err) === 'EPERM';
  }
}

async function isServerOf(pid: number, dataFolder: string): Promise<boolean> {
  const commandLine = await commandLineOf(pid);
  if (!commandLine.includes('postgres')) return false;
  // A server without a path to its folder has none on its command line, but works in that folder.
  return commandLine.includes(dataFolder) || workingFolderOf(pid) === (await realpath(dataFolder));
}
