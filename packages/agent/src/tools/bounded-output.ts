/** Characters of a tool's answer. The rest is named, not shown. */
export const MAX_OUTPUT = 50_000;

/** For the line that explains how to see more. */
const ROOM_FOR_REST = 500;

/** Joins lines up to the limit. @param rest explains how to see the given number of left lines */
export function boundedLines(lines: readonly string[], rest: (left: number) => string): string {
  const shown = linesWithin(lines);
  return shown === lines.length ? lines.join('\n') : [...lines.slice(0, shown), rest(lines.length - shown)].join('\n');
}

/** How many of the lines {@link boundedLines} shows. */
export function linesWithin(lines: readonly string[]): number {
  let length = 0;
  const beyond = lines.findIndex((line) => (length += line.length + 1) > MAX_OUTPUT - ROOM_FOR_REST);
  return beyond === -1 ? lines.length : beyond;
}

/** A text on one line, truncated around the relevant position. */
export function excerpt(text: string, length: number, around = 0): string {
  if (text.length <= length) return text;
  const start = Math.max(0, Math.min(around - Math.floor(length / 3), text.length - length));
  const cut = text.slice(start, start + length).toWellFormed();
  return `${start > 0 ? '…' : ''}${cut}${start + length < text.length ? '…' : ''}`;
}

/** The first of a list, and how many it has. */
export interface Some {
  first: string[];
  count: number;
}

export function some(all: readonly string[], most: number): Some {
  return { first: all.slice(0, most), count: all.length };
}

/** Names of some of many. */
export function listed(names: readonly string[], most = 10): string {
  return someText(some(names, most));
}

export function someText({ first, count }: Some): string {
  const shown = first.join(', ');
  return count > first.length ? `${shown} and ${count - first.length} more` : shown;
}
