import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { REMEDY, Shortage, shortageOf } from '@docent/base/shortage';
import { RepositoryProblem } from '../repository-problem.ts';
import { cleanEnvironment } from '@docent/base/clean-environment';

const MAX_STDERR = 16_384;

export interface GitProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Its stderr so far, truncated. */
  stderr(): string;
  /** Its exit code, null when a signal ended it. Rejects only when git could not be started. */
  readonly exit: Promise<number | null>;
  /** Kills it and everything it started immediately. Safe to repeat. */
  kill(): void;
}

/** Starts git in its own process group and a clean environment. Throws Shortage. */
export function startGit(args: readonly string[], extraEnvironment: Record<string, string> = {}): GitProcess {
  const child = spawn('git', args, {
    env: { ...cleanEnvironment(), ...extraEnvironment },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    cwd: '/',
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('close', (code) => resolve(code));
    child.once('error', (err) => reject(notStarted(err)));
  });
  exit.catch(() => {});
  // Without free handles, a process has no pipes.
  if ((child.stderr as typeof child.stderr | undefined) === undefined) throw short('handles');
  let stderr = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => {
    if (stderr.length < MAX_STDERR) stderr += text.slice(0, MAX_STDERR - stderr.length);
  });
  // A git that ends early closes its stdin; its exit code and stderr give the reason.
  child.stdin.on('error', () => {});
  return { child, stderr: () => stderr, exit, kill: () => killGroup(child) };
}

export interface GitResult {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs one short git command to its end. Throws RepositoryProblem `unreachable` if it exceeds the time limit,
 * writes more than 16 MB, or cannot be started, and Shortage if no handles are free. A non-zero exit code is
 * a result.
 */
export async function runGit(
  args: readonly string[],
  options: { input?: string; environment?: Record<string, string>; timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<GitResult> {
  const { input = '', timeoutMs = 60_000, signal } = options;
  signal?.throwIfAborted();
  const git = startGit(args, options.environment);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let overrun: string | null = null;
  const stop = (why: string) => {
    overrun ??= why;
    git.kill();
  };
  git.child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > 16_777_216) stop('wrote more than 16 MB');
    else chunks.push(chunk);
  });
  const timer = setTimeout(() => stop(`took longer than ${timeoutMs / 1000} seconds`), timeoutMs);
  const onAbort = () => git.kill();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    git.child.stdin.end(input);
    const code = await git.exit;
    signal?.throwIfAborted();
    if (overrun !== null || code === null) {
      throw new RepositoryProblem(
        'unreachable',
        `git ${args.find((arg) => !arg.startsWith('-'))} ${overrun ?? 'was killed'}.`,
      );
    }
    return { code, stdout: Buffer.concat(chunks).toString('utf8'), stderr: git.stderr() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function killGroup(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL'); // no process groups here, or it is gone already
  }
}

function short(of: 'disk' | 'handles', cause?: unknown): Shortage {
  return new Shortage(of, `git cannot be started on the worker's machine: ${REMEDY[of]}`, { cause });
}

function notStarted(err: NodeJS.ErrnoException): Error {
  const of = shortageOf(err);
  if (of) return short(of, err);
  if (err.code !== 'ENOENT') return new RepositoryProblem('unreachable', 'git could not be started.', { cause: err });
  const sentence = 'Local repositories require git, but git is not on the PATH. Install it.';
  return new RepositoryProblem('repository_unreadable', sentence, { cause: err });
}
