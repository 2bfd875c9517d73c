import { ask } from '@docent/base/terminal/ask';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { safe } from '@docent/base/terminal/terminal-text';

/** The answer of `docent check` and `docent project` for no site configuration. */
const PLAIN = 'plain';

/**
 * Asks which of several sites to use: by number, by path, or `plain`.
 * @throws CliFailure for any other answer
 */
export async function askWhichSite(paths: readonly string[]): Promise<string> {
  const choices = [...paths.map(safe), 'no site: plain files (plain)'];
  process.stderr.write(`Several sites match:\n${choices.map((each, i) => `  ${i + 1}  ${each}\n`).join('')}`);
  return choiceOf(await ask('Which one? '), paths);
}

/** @throws CliFailure */
export function choiceOf(answer: string, paths: readonly string[]): string {
  const all = [...paths, PLAIN];
  const chosen = /^\d+$/.test(answer) ? all[Number(answer) - 1] : all.find((path) => path === answer);
  if (chosen !== undefined) return chosen;
  throw new CliFailure(`${JSON.stringify(answer)} is not in the list. Use --site PATH.`, EXIT.usage);
}
