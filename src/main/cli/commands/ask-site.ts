import { createInterface } from 'node:readline/promises';
import { CliFailure, EXIT } from '../../failures.ts';
import { safe } from '../../terminal-text.ts';

/** What answers `docent check` and `docent project` take instead of a site's configuration. */
const PLAIN = 'plain';

/** Whether there is a person at the terminal. @param forPeople whether what is printed is for one */
export function mayAsk(forPeople: boolean): boolean {
  return forPeople && process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Asks which of several sites is meant: by number, by path, or `plain`.
 * @throws CliFailure for an answer that is none of these
 */
export async function askWhichSite(paths: readonly string[]): Promise<string> {
  const choices = [...paths.map(safe), 'no site: the files are read as they are (plain)'];
  process.stderr.write(`Several sites could be meant:\n${choices.map((each, i) => `  ${i + 1}  ${each}\n`).join('')}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return choiceOf((await terminal.question('Which one? ')).trim(), paths);
  } finally {
    terminal.close();
  }
}

/** @throws CliFailure */
export function choiceOf(answer: string, paths: readonly string[]): string {
  const all = [...paths, PLAIN];
  const chosen = /^\d+$/.test(answer) ? all[Number(answer) - 1] : all.find((path) => path === answer);
  if (chosen !== undefined) return chosen;
  throw new CliFailure(`${JSON.stringify(answer)} is none of them. Say --site PATH.`, EXIT.usage);
}
