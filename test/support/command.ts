import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { BARE_ENV } from './bare-env.ts';
import { CLI } from './processes.ts';

/**
 * The variables that a command gets: without servers, keys or logins of the person who runs the tests.
 */
export const commandEnv = (config: string, env: Record<string, string> = {}): Record<string, string> => ({
  ...BARE_ENV,
  XDG_CONFIG_HOME: config,
  HOME: config,
  NO_COLOR: '1',
  ...env,
});

/** Runs a command of docent in its own process, without a terminal. */
export async function runCommand(args: string[], env: Record<string, string>, input = '', program = CLI) {
  const child = spawn(process.execPath, [program, ...args], { env });
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, code: code as number };
}
