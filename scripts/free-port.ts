import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPortFree, QUIET_PORTS } from '../src/platform/net/free-port.ts';

/** Shared by all test runs of a machine, regardless of their TMPDIR. */
const CLAIMS = path.join(
  process.platform === 'win32' ? tmpdir() : '/tmp',
  `docent-test-ports-${process.getuid?.() ?? 'all'}`,
);

/** The content of a claim: the process, and when it started. */
const HOLDER = `${process.pid} ${startTime(String(process.pid))}`;

/**
 * Gives ports of loopback that are free now, one after the other and from anywhere among `count` ports from
 * `first` on. A program takes seconds to start, and its port is free until it listens: of 400 consecutive
 * ports from the system, 14 were repeats. So this process claims a port until it ends, and no other process
 * gets it.
 */
export function portsFrom(first: number, count: number): () => Promise<number> {
  let next = randomInt(count);
  return async () => {
    for (;;) {
      next = (next + 1) % count;
      // Copied, because a concurrent caller advances `next`.
      const port = first + next;
      if (claim(port) && (await isPortFree(port))) return port;
      // If all are claimed, let others continue.
      if (next === 0) await sleep(10);
    }
  };
}

/**
 * A claim of an ended process is invalid. One process at a time takes it over, so that none deletes a new
 * claim. If it dies in between, the port stays claimed.
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

/** @returns false if it already exists */
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
 * When a process started, in ticks since boot; empty if the system has no /proc. Process ids are used
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
