/**
 * The items whose text contains every typed word, in order; those that begin with the typed text come first.
 * Ignores case and accents.
 */
export function foundIn<T>(all: readonly T[], typed: string, textOf: (one: T) => string): T[] {
  const needle = plain(typed.trim());
  const needles = needle.split(/\s+/).filter(Boolean);
  const matching = all
    .map((one) => ({ one, text: plain(textOf(one)) }))
    .filter(({ text }) => needles.every((word) => text.includes(word)));
  const rank = ({ text }: { text: string }) => (text.startsWith(needle) ? 0 : 1);
  return matching.toSorted((a, b) => rank(a) - rank(b)).map(({ one }) => one);
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
