import type { VisibleText } from './visible-text.ts';

/** Characters that are kept; most take one byte. */
const MAX_CHARACTERS = 64_000_000;

/**
 * Texts as a model sees them, by what they are made from: a search over a whole site reads, checks and cleans each file once
 * for many steps. The least recently used go first.
 */
export class TextCache {
  readonly #texts = new Map<string, VisibleText>();
  #characters = 0;

  /** @param key the content's blob id, and whatever else the text depends on */
  get(key: string, make: () => VisibleText | null): VisibleText | null {
    const known = this.#texts.get(key);
    const text = known ?? make();
    if (!text) return null;
    if (known) this.#texts.delete(key);
    else this.#characters += sizeOf(text);
    this.#texts.set(key, text);
    for (const [oldest, unused] of this.#texts) {
      if (this.#characters <= MAX_CHARACTERS || oldest === key) break;
      this.#texts.delete(oldest);
      this.#characters -= sizeOf(unused);
    }
    return text;
  }
}

function sizeOf({ raw, text }: VisibleText): number {
  return (text === raw ? raw.length : raw.length + text.length) + 200;
}
