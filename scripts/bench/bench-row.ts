/** One line of a benchmark's result. */
export interface BenchRow {
  name: string;
  /** The measured quantity, with its unit. */
  measured: string;
  /** The ratio to a reference of the same run, if there is one. */
  ratio?: number;
  /** The goal for the ratio or figure, for people. */
  goal?: string;
  met?: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? NaN;
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Prints rows as a table, for a terminal and for Markdown alike. */
export function printRows(rows: readonly BenchRow[]): void {
  const lines = rows.map((row) => [
    row.name,
    row.measured,
    row.ratio === undefined ? '' : row.ratio.toFixed(2),
    row.goal ?? '',
    row.met === undefined ? '' : row.met ? 'yes' : 'NO',
  ]);
  const table = [['What', 'Measured', 'Ratio', 'Goal', 'Met'], ...lines];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => (line[column] ?? '').length)));
  const draw = (line: string[]) => `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = table;
  process.stdout.write(
    `${[draw(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body.map(draw)].join('\n')}\n`,
  );
}
