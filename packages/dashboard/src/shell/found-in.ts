/**
 * Those whose text holds every word that is typed, in their order; where the text begins with what is typed,
 * first. Capitals and accents make no difference.
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
