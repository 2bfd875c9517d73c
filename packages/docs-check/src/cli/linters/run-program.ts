import { spawn } from 'node:child_process';

/** Bytes per stream: more than about 100,000 problems take. */
const MAX_OUTPUT = 64 * 1_048_576;
/**
 * The variables that a linter inherits: where to find programs and its own settings, and temporary space. No
 * secrets of a CI system.
 */
const INHERITED = [
  'PATH',
  'HOME',
  'USER',
  'TMPDIR',
  'LANG',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'VALE_CONFIG_PATH',
  'VALE_STYLES_PATH',
  'SYSTEMROOT',
  'PATHEXT',
];

export interface Ran {
  /** Null if a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  /** Milliseconds, after which it is killed. */
  limit: number;
}

/**
 * Runs a program to its end. Rejects with a sentence that begins with `it` if it cannot be started, writes
 * too much or takes too long.
 */
export function runProgram(file: string, args: readonly string[], { cwd, limit }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const stop = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL'); // What it has started, too.
      } catch {
        child.kill('SIGKILL');
      }
    };
    const fail = (sentence: string) => {
      stop();
      reject(new Error(sentence));
    };
    // In its own group, it gets neither Ctrl-C nor our end.
    const interrupted = (signal: NodeJS.Signals) => {
      stop();
      process.kill(process.pid, signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.once(signal, interrupted);
    const timer = setTimeout(() => fail(`it took longer than ${Math.round(limit / 1_000)} seconds`), limit);
    const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      stream.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > MAX_OUTPUT) fail(`it printed more than ${MAX_OUTPUT / 1_048_576} MB`);
        else parts.push(part);
      });
      return () => Buffer.concat(parts).toString('utf8');
    }) as [() => string, () => string];
    child.on('error', (thrown) => fail(`it cannot be started: ${thrown.message}`));
    child.on('close', (code) => {
      clearTimeout(timer);
      for (const signal of signals) process.removeListener(signal, interrupted);
      resolve({ code, stdout: stdout(), stderr: stderr() });
    });
  });
}

function environment(): NodeJS.ProcessEnv {
  const known = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(known), NO_COLOR: '1' };
}
