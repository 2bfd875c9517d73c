import { z } from 'zod';

/**
 * Why a turn changed nothing, as its model declares it. `answered`: no change was requested. `unchanged`:
 * everything is already as requested. `refused`: the model could not or would not do it. `asked`: the model
 * needs an answer first.
 */
export const declaredOutcomeSchema = z.enum(['answered', 'unchanged', 'refused', 'asked']);

export type DeclaredOutcome = z.infer<typeof declaredOutcomeSchema>;

/** The last line, as a model writes it: with or without emphasis, a full stop, or a code fence's mark. */
const LAST_LINE = /(?:^|\n)[ \t>*_`#-]*outcome[ \t*_`]*:[ \t*_`]*(answered|unchanged|refused|asked)[ \t*_`.]*\s*$/i;

/** The closing words without their outcome line, and the outcome; null if they declare none. */
export function readOutcome(words: string): { text: string; outcome: DeclaredOutcome | null } {
  const match = LAST_LINE.exec(words);
  if (!match) return { text: words, outcome: null };
  const text = words.slice(0, match.index).trimEnd();
  const outcome = match[1]!.toLowerCase() as DeclaredOutcome;
  // If the line is the whole text, people still need it.
  return { text: text === '' ? words.trim() : text, outcome };
}

/** As the model wrote it: its own earlier text shows it how to end. */
export function withOutcome(text: string, outcome: DeclaredOutcome | undefined): string {
  return outcome === undefined || readOutcome(text).outcome !== null ? text : `${text}\n\nOutcome: ${outcome}`;
}
