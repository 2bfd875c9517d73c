import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Reaper } from './reaper.ts';

/** For PostgreSQL and Temporal, without the caller's PG… and TEMPORAL_… variables, which are for clients. */
export const PROGRAM_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };

/** How long after its end the last words of a child are waited for. A grandchild may hold its pipes open. */
const LAST_WORDS_MS = 1_000;

export interface ChildOptions {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Gives the child a channel (`process.send`): called for every message. */
  onMessage?: (message: unknown) => void;
  /** Asks it to stop. Default SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** Milliseconds between that signal and SIGKILL. */
  stopGraceMs: number;
  /** Called for every line that it prints, of either stream. */
  onLine?: (line: string) => void;
  reaper: Reaper;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running child process that dies with this one. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** Resolves after its last line and message. Never rejects. */
  readonly exited: Promise<Exit>;
  /** Asks it to stop, kills it after the grace, and waits for its end. May be called twice. */
  stop(options?: { graceMs?: number }): Promise<Exit>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a program in its own process group, out of reach of Ctrl-C. Rejects if it cannot start. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, reaper, stopGraceMs } = options;
  const stopSignal = options.stopSignal ?? 'SIGTERM';
  const child = spawn(options.command, options.args, {
    env: options.env,
    cwd: options.cwd,
    uid: options.uid,
    gid: options.gid,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', ...(options.onMessage ? (['ipc'] as const) : [])],
  });
  // Immediately: otherwise what a program prints or sends that ends right away would be lost.
  if (options.onMessage) child.on('message', options.onMessage);
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => options.onLine?.(line));
  }
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      if (child.pid !== undefined) reaper.forget(child.pid);
      const timer = setTimeout(resolve, LAST_WORDS_MS, { code, signal });
      // All that it has printed and sent was read.
      child.once('close', () => {
        clearTimeout(timer);
        resolve({ code, signal });
      });
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.on('error', () => {}); // A signal or message that could not be delivered: `exited` tells.
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} was started without a process id.`);
  await reaper.watch({ pid, name, signal: stopSignal, graceMs: stopGraceMs });

  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const kill = (signal: NodeJS.Signals) => {
    if (isRunning()) child.kill(signal);
  };
  return {
    name,
    pid,
    process: child,
    exited,
    kill,
    async stop({ graceMs = stopGraceMs } = {}) {
      kill(stopSignal);
      const timer = setTimeout(() => kill('SIGKILL'), graceMs);
      try {
        return await exited;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** `exit code 1` or `signal SIGKILL`, for sentences. */
export function describeExit(exit: Exit): string {
  return exit.signal ? `signal ${exit.signal}` : `exit code ${exit.code}`;
}
