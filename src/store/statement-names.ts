import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Statements with a name, at most: each connection keeps what the server has made of them. */
const MAX_NAMED = 300;
/** Texts that are remembered to see whether they come again. */
const MAX_SEEN = 1_000;

/**
 * A condition that is always true, for statements whose best plan depends on their values, such as a filter
 * that all rows or next to none pass: they get no name, so that the server plans them again each time.
 */
export const PLANNED_ANEW = '(true /* planned anew */)';

/**
 * Names for statements that are sent more than once: the server parses a named one once for each connection,
 * and may keep its plan. Texts of which there may be any number (lists of values of any length) come to have
 * none: there are no more than 300 names.
 */
export class StatementNames {
  readonly #seen = new LRUCache<string, true>({ max: MAX_SEEN });
  readonly #names = new Map<string, string>();

  /**
   * @param text of a statement that has parameters: one without is sent in a single message as it is
   * @returns undefined where it is to be sent without a name
   */
  of(text: string): string | undefined {
    if (text.includes(PLANNED_ANEW)) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= MAX_NAMED) return undefined;
    if (!this.#seen.has(text)) {
      this.#seen.set(text, true);
      return undefined;
    }
    this.#seen.delete(text);
    // Of the text, so that several that use one connection mean the same by a name.
    const name = `docent_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    this.#names.set(text, name);
    return name;
  }
}
