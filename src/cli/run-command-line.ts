import { createProgram } from './program.ts';
import { printFailure } from '@docent/base/terminal/failures';

/** Runs the words after `docent`. @returns the exit code; undefined if the command set it, or for success */
export async function runCommandLine(words: readonly string[]): Promise<number | string | undefined> {
  try {
    const program = await createProgram(words);
    await program.parseAsync(words, { from: 'user' });
    return process.exitCode ?? undefined;
  } catch (err) {
    return printFailure(err, words.includes('--json'));
  }
}
