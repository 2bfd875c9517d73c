/** A page is given up: what is said of it is the rest of a sentence that begins with `it`. */
export class NotRead extends Error {
  override readonly name = 'NotRead';
}

/**
 * Steps of the parser that a page may take: one for each character that is looked at, for each event that is gone through, and for each
 * character of code that is parsed. A step takes some 100 ns. The pages of real sites take some 5 for a character, and changelogs up to 40.
 */
const LEAST_STEPS = 1_000_000;
const STEPS_PER_CHARACTER = 200;
/** A page has more characters only in long lines of data, which take few steps. */
export const MAX_CHARACTERS = 1_048_576;

let left = Infinity;

/**
 * Runs synchronous work that tells its steps with {@link spend}. Work within other work has no more than is left of that.
 * @throws NotRead where it takes more steps than its text's length allows; the same on every machine
 */
export function withinWork<T>(characters: number, work: () => T): T {
  const before = left;
  const allowed = Math.min(before, LEAST_STEPS + STEPS_PER_CHARACTER * Math.min(characters, MAX_CHARACTERS));
  left = allowed;
  try {
    return work();
  } finally {
    left = before - (allowed - left);
  }
}

/** @throws NotRead */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw new NotRead('takes more work to be read than any page of its length');
}

/** For measurements. */
export function stepsLeft(): number {
  return left;
}
