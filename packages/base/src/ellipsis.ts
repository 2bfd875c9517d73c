/**
 * At most `most` code points, the last an ellipsis if cut.
 * @param options.trimmed no white space before the ellipsis
 */
export function withEllipsis(text: string, most: number, { trimmed = false } = {}): string {
  if (text.length <= most) return text;
  // A character has at most two code units, so the rest is irrelevant.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  if (characters.length <= most) return text;
  const kept = characters.slice(0, most - 1).join('');
  return `${trimmed ? kept.trimEnd() : kept}…`;
}

/** The same, for at most `most` bytes of UTF-8. The ellipsis takes three of them. */
export function withEllipsisInBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  let kept = '';
  let size = 3;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > most) break;
    kept += character;
  }
  return `${kept}…`;
}

/** The first `units` code units (as in `length`), or one less if they would end with half a character. */
export function beginningOf(text: string, units: number): string {
  const endsInHalf = text.length > units && /[\uD800-\uDBFF]$/.test(text.slice(0, units));
  return text.slice(0, endsInHalf ? units - 1 : units);
}
