/** Characters of a tool's answer; what is beyond is named, not shown. */
export const MAX_OUTPUT = 50_000;

/** For the line that says how to see more. */
const ROOM_FOR_REST = 500;

/**
 * Joins lines up to the limit.
 * @param rest says how to see what was left out, given how many lines were
 */
export function boundedLines(
  lines: readonly string[],
  rest: (left: number) => string,
  limit = MAX_OUTPUT - ROOM_FOR_REST,
): string {
  let length = 0;
  for (const [i, line] of lines.entries()) {
    length += line.length + 1;
    if (length > limit) return [...lines.slice(0, i), rest(lines.length - i)].join('\n');
  }
  return lines.join('\n');
}

/** A text on one line, cut in its middle distance from what matters. */
export function excerpt(text: string, length: number, around = 0): string {
  if (text.length <= length) return text;
  const start = Math.max(0, Math.min(around - Math.floor(length / 3), text.length - length));
  const cut = text.slice(start, start + length).toWellFormed();
  return `${start > 0 ? '…' : ''}${cut}${start + length < text.length ? '…' : ''}`;
}

/** Names of some of many. */
export function listed(names: readonly string[], most = 10): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
