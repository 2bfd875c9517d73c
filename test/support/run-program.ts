import type { Command } from 'commander';
import { vi } from 'vitest';
import { printFailure } from '@docent/base/terminal/failures';
import { createProgram } from '../../src/cli/program.ts';

/** Runs a command line in this process. Returns its output and its exit code. */
export async function runProgram(...args: string[]): Promise<{ output: string; code: number }> {
  let output = '';
  const keep = (text: string | Uint8Array) => Boolean((output += text));
  const program = await createProgram(args);
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  for (const command of all(program)) command.configureOutput({ writeOut: keep, writeErr: keep });
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  try {
    await program.parseAsync(args, { from: 'user' });
    return { output, code: 0 };
  } catch (err) {
    return { code: printFailure(err, false, keep), output };
  } finally {
    write.mockRestore();
  }
}
