import { z } from 'zod';

/**
 * Why a turn that changed nothing did so, as its model says. `answered`: no change was asked for.
 * `unchanged`: all is as it was asked for. `refused`: the model could not do what was asked, or would not.
 * `asked`: the model needs an answer first.
 */
export const declaredOutcomeSchema = z.enum(['answered', 'unchanged', 'refused', 'asked']);

export type DeclaredOutcome = z.infer<typeof declaredOutcomeSchema>;

/** The last line, as a model writes it: with or without emphasis, a full stop, or a code fence's mark. */
const LAST_LINE = /(?:^|\n)[ \t>*_`#-]*outcome[ \t*_`]*:[ \t*_`]*(answered|unchanged|refused|asked)[ \t*_`.]*\s*$/i;

/** The closing words without the line that says their outcome; null where they do not say it. */
export function readOutcome(words: string): { text: string; outcome: DeclaredOutcome | null } {
  const match = LAST_LINE.exec(words);
  if (!match) return { text: words, outcome: null };
  const text = words.slice(0, match.index).trimEnd();
  const outcome = match[1]!.toLowerCase() as DeclaredOutcome;
  // Without any other words, the line is all that a person gets to read.
  return { text: text === '' ? words.trim() : text, outcome };
}

/** As the model wrote them: what it is shown of its own words shows it how to end. */
export function withOutcome(text: string, outcome: DeclaredOutcome | undefined): string {
  return outcome === undefined || readOutcome(text).outcome !== null ? text : `${text}\n\nOutcome: ${outcome}`;
}
