import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** The most named statements: each connection caches the server's plans of them. */
const MAX_NAMED = 300;
/** Texts that are remembered to see whether they come again. */
const MAX_SEEN = 1_000;

/** Always true, for statements that need a new plan for each value: they get no name. */
export const PLANNED_ANEW = '(true /* planned anew */)';

/**
 * Names for repeated statements: the server parses a named one once per connection, and may cache its plan.
 * Limited to 300 names, because some texts vary without end (lists of values of any length).
 */
export class StatementNames {
  readonly #seen = new LRUCache<string, true>({ max: MAX_SEEN });
  readonly #names = new Map<string, string>();

  /** @param text of a statement with parameters @returns undefined for a statement without a name */
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
    // Derived from the text, so that a name means the same to all users of a connection.
    const name = `docent_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    this.#names.set(text, name);
    return name;
  }
}
