import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BARE_ENV } from './bare-env.ts';
import { FEW_ARENAS } from '../../src/platform/processes/heap-growth.ts';
import { CLI } from './processes.ts';
import { patienceMs } from './patience.ts';

/** A role of Docent as its own process, as it runs in production. */
export interface RoleProcess {
  readonly child: ChildProcess;
  /** Its output so far. */
  output(): string;
  /** Resolves with the signal or code that ended it. */
  ended: Promise<string | number | null>;
  /** Ends it, even when it is paused, and waits for that. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Whether it is paused at a fault point. */
  isPaused(): Promise<boolean>;
  /**
   * Resumes it at the fault point at which it paused, once it *is* paused: its marker appears a moment
   * before.
   */
  resume(): Promise<void>;
}

/**
 * Starts `docent api` or `docent worker` with these variables and no others (but PATH and a cache).
 * @param cli the command line of another build than this one
 */
export function spawnRole(role: 'api' | 'worker', env: Record<string, string>, cli: string = CLI): RoleProcess {
  const child = spawn(process.execPath, [cli, role], {
    env: { ...BARE_ENV, ...FEW_ARENAS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit').then(([code, signal]) => (signal ?? code) as string | number | null);
  return {
    child,
    output: () => output,
    ended,
    async kill(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await ended;
    },
    isPaused: () => isPaused(child.pid as number),
    async resume() {
      while (!(await isPaused(child.pid as number))) await sleep(50);
      child.kill('SIGCONT');
    },
  };
}

async function isPaused(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]);
  return stdout.startsWith('T');
}

/** @throws Error with the role's output if it ends or is not ready in time */
export async function untilReady(role: RoleProcess, isReady: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs();
  for (;;) {
    if (
      await Promise.resolve()
        .then(isReady)
        .catch(() => false)
    )
      return;
    if (role.child.exitCode !== null || role.child.signalCode !== null || Date.now() > deadline) {
      throw new Error(`A role did not become ready:\n${role.output()}`);
    }
    await sleep(50);
  }
}
