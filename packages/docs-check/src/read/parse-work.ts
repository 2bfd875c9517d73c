/** A page is skipped: the message is the rest of a sentence that begins with `it`. */
export class NotRead extends Error {
  override readonly name = 'NotRead';
}

/**
 * Parser steps that a page may take: one per visited character, per event, and per character of parsed code.
 * A step takes about 100 ns. Pages of real sites take about 5 per character, and changelogs up to 40.
 */
const LEAST_STEPS = 1_000_000;
const STEPS_PER_CHARACTER = 200;
/** Only long lines of data make a page larger, and they take few steps. */
export const MAX_CHARACTERS = 1_048_576;

/**
 * Tokens of a page, those in vain among them. Each takes up to a kilobyte of memory until the page is read. A
 * megabyte of text has about 700,000, one of the shortest list items seven times as many.
 */
const MAX_TOKENS = 800_000;

let left = Infinity;
let tokensLeft = Infinity;

/**
 * Runs synchronous work that reports its steps with {@link spend}. Nested work gets at most the rest of the
 * outer limit.
 * @throws NotRead if it takes more steps than its text's length allows; the same on every machine
 */
export function withinWork<T>(characters: number, work: () => T): T {
  const [before, tokensBefore] = [left, tokensLeft];
  const allowed = Math.min(before, LEAST_STEPS + STEPS_PER_CHARACTER * Math.min(characters, MAX_CHARACTERS));
  [left, tokensLeft] = [allowed, MAX_TOKENS];
  try {
    return work();
  } finally {
    left = before - (allowed - left);
    tokensLeft = tokensBefore;
  }
}

/**
 * Saves how much work is left now.
 * @returns restores it: after a time limit, no `finally` of the work runs
 */
export function holdWork(): () => void {
  const [before, tokensBefore] = [left, tokensLeft];
  return () => {
    [left, tokensLeft] = [before, tokensBefore];
  };
}

/** @throws NotRead */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw new NotRead('is too complex to be read');
}

/** @throws NotRead */
export function spendToken(): void {
  if (--tokensLeft < 0) throw new NotRead('has too many parts to be read');
}
