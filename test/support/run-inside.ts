import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { runCommandLine } from '../../src/cli/run-command-line.ts';

interface Surroundings {
  /** What the command reads from standard input. */
  input?: string;
  /** The folder in which it runs. */
  cwd?: string;
}

/** The commands share the streams, variables and folder of this process: they run one after the other. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of docent in this process, with the results of {@link import('./command.ts').runCommand}:
 * for tests of what a command prints and does, which need no process of its own. `both` is what it wrote to
 * both streams, in that order.
 * @param env all variables that the command sees, but for TMPDIR
 */
export function runInside(args: string[], env: Record<string, string>, surroundings: Surroundings = {}) {
  const ended = last.then(() => runNow(args, env, surroundings));
  last = ended.catch(() => {});
  return ended;
}

async function runNow(args: string[], env: Record<string, string>, { input = '', cwd = '.' }: Surroundings) {
  const ownFolder = process.cwd();
  const written = { stdout: '', stderr: '', both: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text: string | Uint8Array) => {
      const added = typeof text === 'string' ? text : Buffer.from(text).toString();
      written[name] += added;
      written.both += added;
      return true;
    }),
  );
  const { env: ownEnv, exitCode } = process;
  const ownInput = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  process.env = { ...env, ...(ownEnv.TMPDIR && { TMPDIR: ownEnv.TMPDIR }) };
  process.exitCode = undefined;
  process.chdir(cwd);
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  try {
    const code = await runCommandLine(args);
    return { ...written, code: Number(code ?? 0) };
  } finally {
    Object.defineProperty(process, 'stdin', ownInput);
    process.env = ownEnv;
    process.chdir(ownFolder);
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
  }
}
