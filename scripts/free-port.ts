import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPortFree, QUIET_PORTS } from '../src/platform/net/free-port.ts';

/** One for all runs of tests on a machine, whatever TMPDIR each of them has. */
const CLAIMS = path.join(
  process.platform === 'win32' ? tmpdir() : '/tmp',
  `docent-test-ports-${process.getuid?.() ?? 'all'}`,
);

/** What a claim holds: the process, and when it started. */
const HOLDER = `${process.pid} ${startTime(String(process.pid))}`;

/**
 * Gives ports of loopback that are free now, one after the other and from anywhere among `count` ports from
 * `first` on. A program needs seconds to start, and until it listens its port is free: of 400 ports that the
 * system gave out one after the other, 14 had been given out before. So a port is claimed by this process
 * until it ends, and no other process is given it.
 */
export function portsFrom(first: number, count: number): () => Promise<number> {
  let next = randomInt(count);
  return async () => {
    for (;;) {
      next = (next + 1) % count;
      // Kept here: whoever asks meanwhile moves `next` on.
      const port = first + next;
      if (claim(port) && (await isPortFree(port))) return port;
      // Where all are claimed, others can go on meanwhile.
      if (next === 0) await sleep(10);
    }
  };
}

/**
 * A claim of a process that has ended counts no more. One at a time takes such a one over: who looked before
 * would delete the new claim. Who dies in between takes the port along.
 */
function claim(port: number): boolean {
  const file = path.join(CLAIMS, String(port));
  mkdirSync(CLAIMS, { recursive: true });
  if (isMade(file)) return true;
  if (holds(file) || !isMade(`${file}.taken-over`)) return false;
  try {
    if (holds(file)) return false;
    writeFileSync(file, HOLDER);
    return true;
  } finally {
    rmSync(`${file}.taken-over`, { force: true });
  }
}

/** @returns false where it is there already */
function isMade(file: string): boolean {
  try {
    writeFileSync(file, HOLDER, { flag: 'wx' });
    return true;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw err;
  }
}

/** Whether the process of a claim still runs. */
function holds(file: string): boolean {
  const [pid = '', startedAt = ''] = textOf(file).split(' ');
  try {
    process.kill(Number(pid), 0);
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'EPERM';
  }
  return startTime(pid) === startedAt;
}

/**
 * When a process started, in ticks since boot; empty where the system has no /proc. Process ids are used
 * again.
 */
function startTime(pid: string): string {
  const stat = textOf(`/proc/${pid}/stat`);
  // proc_pid_stat(5): field 22. The name of the program, in parentheses, may have spaces.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * A free port below those that the system assigns, which are mostly above 32,000. Temporal's PostgreSQL
 * schema keeps ports in columns that end at 32,767.
 */
export const freePort = portsFrom(QUIET_PORTS.first, QUIET_PORTS.count);
