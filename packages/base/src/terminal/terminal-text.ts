import { styleText } from 'node:util';

/** Prints a value as JSON if requested, else for people. */
export function print(json: boolean | undefined, value: unknown, human: () => string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : human()}\n`);
}

/** Name and value below each other. Values that are null show as a dash. */
export function fields(rows: Record<string, string | number | null>): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return Object.entries(rows)
    .map(([name, value]) => `${dim(name.padEnd(width))}  ${safe(String(value ?? '–'))}`)
    .join('\n');
}

/**
 * Columns with headings. If a terminal is too narrow, the last cell is truncated, because wrapped tables are
 * unreadable.
 * @param right the number columns, which are right-aligned
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { right = [], columns = columnsOfTerminal() }: { right?: readonly number[]; columns?: number } = {},
): string {
  const clean = rows.map((row) => row.map((cell) => safe(cell)));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...clean.map((row) => row[column]?.length ?? 0)),
  );
  const last = headings.length - 1;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + 2, 0);
  const room = Math.max(MIN_LAST_COLUMN, columns - before);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        if (right.includes(column)) return cell.padStart(widths[column] ?? 0);
        if (column < last) return cell.padEnd(widths[column] ?? 0);
        return cell.length > room ? `${cell.slice(0, room - 1)}…` : cell;
      })
      .join('  ');
  return [dim(line(headings)), ...clean.map(line)].join('\n');
}

const MIN_LAST_COLUMN = 10;

/** A table; without rows, a sentence about that, and what to do. */
export function tableOr(none: string, headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? none : table(headings, rows);
}

/** Only terminal output is truncated. */
function columnsOfTerminal(): number {
  return process.stdout.isTTY ? process.stdout.columns || Infinity : Infinity;
}

/** A unified diff with its added and removed lines in color. */
export function coloredDiff(diff: string): string {
  return diff
    .split('\n')
    .map((line) => {
      const text = safe(line);
      if (/^(diff |index |\+\+\+ |--- )/.test(line)) return styleText('bold', text);
      if (line.startsWith('@@')) return styleText('cyan', text);
      if (line.startsWith('+')) return styleText('green', text);
      return line.startsWith('-') ? styleText('red', text) : text;
    })
    .join('\n');
}

/** `styleText` leaves colors out if the output is not a terminal or NO_COLOR is set. */
export const dim = (text: string) => styleText('dim', text);
export const bold = (text: string) => styleText('bold', text);

// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text from repositories and prompts may hold characters that would steer the terminal, or turn what follows
 * around: they are shown, not obeyed.
 */
export function safe(text: string): string {
  return text.replace(STEERING, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}

/** `2026-11-26 17:08 UTC`. @param time as the API answers it */
export function inUtc(time: string, to: 'minute' | 'second' = 'minute'): string {
  return `${time.slice(0, to === 'minute' ? 16 : 19).replace('T', ' ')} UTC`;
}
