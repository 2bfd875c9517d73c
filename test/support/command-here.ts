import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { runCommandLine } from '../../src/main/cli/run-command-line.ts';

interface Surroundings {
  cwd: string;
  /** All variables that the command sees. */
  env: Record<string, string>;
  stdin?: string;
}

/**
 * Runs a command of docent in this process, in a folder, with these variables only and without a terminal. That
 * takes milliseconds; starting a process takes most of a second. Run one at a time: the folder and the variables
 * are those of the process.
 */
export async function commandHere(args: readonly string[], { cwd, env, stdin = '' }: Surroundings) {
  const [here, variables, before] = [process.cwd(), { ...process.env }, process.exitCode];
  const written = { out: '', err: '' };
  const capture = (stream: 'out' | 'err') => (text: string | Uint8Array) =>
    Boolean((written[stream] += typeof text === 'string' ? text : Buffer.from(text).toString()));
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(capture('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(capture('err')),
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([stdin]) as typeof process.stdin),
  ];
  process.chdir(cwd);
  replaceVariables(env);
  process.exitCode = undefined;
  try {
    return { code: Number((await runCommandLine(args)) ?? 0), ...written };
  } finally {
    process.exitCode = before;
    replaceVariables(variables);
    process.chdir(here);
    for (const spy of spies) spy.mockRestore();
  }
}

function replaceVariables(to: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in to)) delete process.env[name];
  Object.assign(process.env, to);
}
