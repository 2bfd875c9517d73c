import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '@docent/base/thrown';

const run = promisify(execFile);

/** The Temporal CLI to download or build: its tag has no `replace` directive, which `go install` refuses. */
export const CLI_VERSION = '1.5.1';

/** The oldest server that has what Docent's workflows use. */
export const OLDEST_SERVER = '1.29.0';

/**
 * Runs `<binary> --version`.
 * @returns its server's version, such as `1.29.1`
 * @throws with a sentence if it does not run, is another program, or too old
 */
export async function checkBinary(binary: string): Promise<string> {
  let output: string;
  try {
    ({ stdout: output } = await run(binary, ['--version'], { timeout: 20_000, env: {}, killSignal: 'SIGKILL' }));
  } catch (err) {
    throw new Error(`${binary} does not run (${messageOf(err).split('\n')[0]})`, { cause: err });
  }
  const server = /\bServer (\d+\.\d+\.\d+)/.exec(output)?.[1];
  if (server === undefined)
    throw new Error(`${binary} is not the Temporal CLI: it printed "${output.trim().slice(0, 80)}"`);
  if (compareVersions(server, OLDEST_SERVER) < 0)
    throw new Error(`${binary} includes Temporal server ${server}, but Docent requires ${OLDEST_SERVER} or newer`);
  return server;
}

/** Negative if `a` is older than `b`. Both are three numbers with dots between them. */
export function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (const [index, number] of left.entries()) {
    const difference = number - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
