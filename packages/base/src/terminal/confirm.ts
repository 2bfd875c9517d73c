import { ask, mayAsk } from './ask.ts';
import { CliFailure, EXIT } from './failures.ts';
import { safe } from './terminal-text.ts';

/**
 * Before anything is done that nothing brings back: says what it is, and asks. Scripts say `--yes`.
 * @param what a sentence that says what will be gone
 * @param typed what has to be typed, where a mere yes is too little
 * @throws CliFailure where the answer is no, and where no one can be asked
 */
export async function confirm(
  what: string,
  { yes, json, typed }: { yes?: boolean; json?: boolean; typed?: string },
): Promise<void> {
  if (yes) return;
  if (!mayAsk(!json)) throw new CliFailure(`${safe(what)} Pass --yes to confirm.`, EXIT.usage);
  const answer = await ask(typed === undefined ? `${safe(what)} Continue? [y/N] ` : `${safe(what)} Type ${typed}: `);
  if (typed === undefined ? /^y(es)?$/i.test(answer) : answer === typed) return;
  throw new CliFailure('Cancelled. Nothing was changed.', EXIT.usage);
}

/** What `--yes` means, everywhere. */
export const YES = ['--yes', 'do not ask for confirmation'] as const;
