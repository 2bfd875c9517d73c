import { ask, mayAsk } from './ask.ts';
import { CliFailure, EXIT } from './failures.ts';
import { safe } from './terminal-text.ts';

/**
 * Explains an irreversible action, and asks for confirmation. Scripts use `--yes`.
 * @param what a sentence about what will be lost
 * @param typed the text to type, if a yes is too little
 * @throws CliFailure if the answer is no, or no person can be asked
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

/** The option `--yes` of all commands. */
export const YES = ['--yes', 'do not ask for confirmation'] as const;
