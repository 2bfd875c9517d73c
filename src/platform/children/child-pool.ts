import { fork, type ChildProcess } from 'node:child_process';
import { Failure } from '@docent/base/failure';
import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { messageOf } from '@docent/base/thrown';
import { FEW_ARENAS, HEAP_FLAGS } from '../processes/heap-growth.ts';
import type { Logger } from '../log.ts';
import { nodeEnvironment } from './node-environment.ts';

/** Messages between the pool and a child. `error` has the fields of an Error that can be sent. */
export type ToChild = { run: number; method: string; args: unknown } | { abort: number };
export type FromChild =
  | { ready: true }
  | { started: number }
  | { done: number; result: unknown; rss: number }
  | { failed: number; error: CarriedError; rss: number }
  | { progress: number; message: string }
  | { rss: number };

export interface CarriedError {
  name: string;
  message: string;
  stack?: string | undefined;
  /** Own fields that are strings or numbers, as text: `code`, `path` and the like. */
  fields: Record<string, string>;
}

/** A call exceeded memory or time. Other load may be the reason, so it is retried once. */
function workLimit(message: string): Failure {
  const hint = 'The repository contains something too large or unusual for Docent. Look for huge pages and files.';
  return new Failure(message, { code: 'limit_work', attempts: 2, message: `${message} ${hint}` });
}

export interface ChildPoolOptions {
  /** A module that calls `serveChild`. */
  entry: URL;
  size: number;
  /** Besides what Node itself reads: see `nodeEnvironment`. */
  environment: Record<string, string>;
  /** A child that holds more than this after a call is replaced, in bytes of resident memory. */
  recycleAbove: number;
  /** A child that holds more memory during a call is killed; after a call, it is replaced. */
  killAbove: number;
  /** A call that takes longer is ended with its child, in milliseconds. */
  timeLimitMs: number;
  /** How often the memory of a child at work is measured, in milliseconds. Default 500. */
  memoryMs?: number;
  /** Ends a child that is idle for this long, in milliseconds. Default 5 minutes. */
  idleMs?: number;
  log?: Logger | undefined;
  /** Turns the fields back into an error of the caller's own classes. */
  reviveError: (error: CarriedError) => Error;
}

export interface RunOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((message: string) => void) | undefined;
}

interface Task {
  id: number;
  method: string;
  args: unknown;
  options: RunOptions;
  /** Whether a child has started it. */
  started: boolean;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

interface Child {
  process: ChildProcess;
  task: Task | null;
  /** Whether it has started up: one that dies before would always die. */
  ready: boolean;
  killTimer: NodeJS.Timeout | null;
  timeLimit: NodeJS.Timeout | null;
  memory: NodeJS.Timeout | null;
  idle: NodeJS.Timeout | null;
  /** Why we killed it, if we did. */
  killed: unknown;
  stderr: string;
}

const MEMORY_MS = 500;
/** How long an aborted call may take to clean up before its process is killed. */
const ABORT_GRACE_MS = 2_000;
/** Starting a child again takes about 150 ms. */
const IDLE_MS = 300_000;

/**
 * A bounded pool of child processes, each with one call at a time; further calls wait. An aborted call
 * rejects once its work stopped. A dying child fails its call and is replaced.
 */
export class ChildPool {
  readonly #options: ChildPoolOptions;
  readonly #children = new Set<Child>();
  readonly #queue: Task[] = [];
  #lastId = 0;
  #closed = false;

  constructor(options: ChildPoolOptions) {
    this.#options = options;
  }

  run(method: string, args: unknown, options: RunOptions = {}): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error('The pool is closed.'));
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const task: Task = { id: ++this.#lastId, method, args, options, started: false, resolve, reject };
    const onAbort = () => this.#abort(task);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#queue.push(task);
    this.#dispatch();
    return promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  /** Ends all children; waiting and running calls reject. */
  async close(): Promise<void> {
    this.#closed = true;
    const reason = new Error('The pool is closed.');
    for (const task of this.#queue.splice(0)) task.reject(reason);
    const exits = [...this.#children].map(
      (child) => new Promise<void>((resolve) => child.process.once('exit', () => resolve())),
    );
    for (const child of this.#children) {
      hold(child.process);
      this.#kill(child, reason);
    }
    await Promise.all(exits);
  }

  #dispatch(): void {
    while (this.#queue.length > 0 && !this.#closed) {
      const child = this.#freeChild();
      if (!child) return;
      const task = this.#queue.shift()!;
      child.task = task;
      if (child.idle) clearTimeout(child.idle);
      // Without free handles it was not even started: its error, which follows, decides about the task.
      if (!child.process.connected) return;
      hold(child.process);
      child.process.send({ run: task.id, method: task.method, args: task.args } satisfies ToChild, (err) => {
        // It cannot receive messages: its exit, which follows, decides about the task.
        if (err) child.process.kill('SIGKILL');
      });
    }
  }

  #freeChild(): Child | null {
    for (const child of this.#children) if (!child.task && child.killed === undefined) return child;
    return this.#children.size < this.#options.size ? this.#start() : null;
  }

  #start(): Child {
    const { env, execArgv } = nodeEnvironment();
    const started = fork(this.#options.entry, {
      env: { ...FEW_ARENAS, ...env, ...this.#options.environment },
      execArgv: [...execArgv, ...HEAP_FLAGS, `--max-old-space-size=${Math.ceil(this.#options.killAbove / 1_048_576)}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const child: Child = {
      process: started,
      task: null,
      ready: false,
      killTimer: null,
      timeLimit: null,
      memory: null,
      idle: null,
      killed: undefined,
      stderr: '',
    };
    this.#children.add(child);
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      child.stderr = (child.stderr + text).slice(-4_000);
    });
    started.on('message', (message) => this.#receive(child, message as FromChild));
    started.once('error', (err) => this.#gone(child, messageOf(err)));
    started.once('exit', (code, signal) => this.#gone(child, signal ?? `code ${code}`));
    return child;
  }

  #receive(child: Child, message: FromChild): void {
    const { task } = child;
    if ('rss' in message && !('done' in message || 'failed' in message)) return this.#limitMemory(child, message.rss);
    if ('ready' in message) child.ready = true;
    if (!task) return;
    if ('started' in message) {
      if (message.started !== task.id) return;
      task.started = true;
      child.timeLimit = setTimeout(() => this.#tookTooLong(child), this.#options.timeLimitMs);
      child.memory = setInterval(() => void this.#watchMemory(child, task), this.#options.memoryMs ?? MEMORY_MS);
      return;
    }
    if ('progress' in message) {
      if (message.progress === task.id) task.options.onProgress?.(message.message);
      return;
    }
    const settled = 'done' in message ? message.done : 'failed' in message ? message.failed : null;
    if (settled !== task.id) return;
    this.#release(child);
    child.idle = setTimeout(() => this.#kill(child, new Error('idle')), this.#options.idleMs ?? IDLE_MS).unref();
    if ('rss' in message && message.rss > this.#options.recycleAbove) this.#kill(child, new Error('recycled'));
    if (task.options.signal?.aborted) task.reject(task.options.signal.reason);
    else if ('done' in message) task.resolve(message.result);
    else if ('failed' in message) task.reject(this.#options.reviveError(message.error));
    this.#dispatch();
  }

  #abort(task: Task): void {
    const waiting = this.#queue.indexOf(task);
    if (waiting !== -1) {
      this.#queue.splice(waiting, 1);
      task.reject(task.options.signal?.reason);
      return;
    }
    const child = [...this.#children].find((candidate) => candidate.task === task);
    if (!child || child.killed !== undefined) return;
    child.process.send({ abort: task.id } satisfies ToChild, () => {});
    child.killTimer = setTimeout(() => this.#kill(child, task.options.signal?.reason), ABORT_GRACE_MS);
  }

  #tookTooLong(child: Child): void {
    const { timeLimitMs, log } = this.#options;
    log?.warn({ method: child.task?.method }, 'killing a child process that took too long');
    this.#kill(child, workLimit(`The work took longer than ${Math.round(timeLimitMs / 1_000)} seconds.`));
  }

  /** From outside, as busy children cannot report. Without such a file, their own reports must do. */
  async #watchMemory(child: Child, task: Task): Promise<void> {
    const rss = await residentMemory(child.process.pid);
    if (rss !== null && child.task === task) this.#limitMemory(child, rss);
  }

  #limitMemory(child: Child, rss: number): void {
    if (rss <= this.#options.killAbove || child.killed !== undefined) return;
    this.#options.log?.warn({ rss, method: child.task?.method }, 'killing a child process that took too much memory');
    this.#kill(child, this.#outOfMemory());
  }

  #outOfMemory(): Failure {
    return workLimit(`The work needed more than ${Math.round(this.#options.killAbove / 1_048_576)} MB.`);
  }

  #kill(child: Child, reason: unknown): void {
    child.killed ??= reason;
    child.process.kill('SIGKILL');
  }

  #release(child: Child): void {
    child.task = null;
    if (child.killTimer) clearTimeout(child.killTimer);
    child.killTimer = null;
    if (child.timeLimit) clearTimeout(child.timeLimit);
    child.timeLimit = null;
    if (child.memory) clearInterval(child.memory);
    child.memory = null;
    letGo(child.process);
  }

  #gone(child: Child, how: string): void {
    const { task } = child;
    if (!this.#children.delete(child)) return;
    this.#release(child);
    if (child.idle) clearTimeout(child.idle);
    // JavaScript's own memory is limited by its engine, which ends the process.
    if (/heap out of memory/.test(child.stderr)) child.killed ??= this.#outOfMemory();
    if (task && !task.started && child.ready && child.killed === undefined && !task.options.signal?.aborted) {
      // It died before it got the call, and we did not know yet.
      this.#queue.unshift(task);
    } else if (task) {
      const crash = new Error(
        `The child process of ${task.method} ended with ${how}.${child.stderr && ` ${child.stderr.trim()}`}`,
      );
      if (child.killed === undefined) this.#options.log?.error({ err: crash }, 'a child process died while working');
      task.reject(task.options.signal?.aborted ? task.options.signal.reason : (child.killed ?? crash));
    }
    this.#dispatch();
  }
}

/** In bytes; null if it cannot be determined. */
async function residentMemory(pid: number | undefined): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
}

/** A child at work keeps our process alive; an idle one does not. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
}
