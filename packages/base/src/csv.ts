type Cell = string | number | null;

type Rows<Column extends string> = readonly Readonly<Record<Column, Cell>>[];

/** CSV (RFC 4180) with a header. Texts that spreadsheets take for formulas get an apostrophe. */
export function csvOf<Column extends string>(columns: readonly Column[], rows: Rows<Column>): string {
  return columns.join(',') + END + csvLines(columns, rows);
}

/** The same, as the rows come. Ends with an error if they do. */
export async function* csvParts<Column extends string>(
  columns: readonly Column[],
  parts: AsyncIterable<Rows<Column>>,
): AsyncGenerator<string> {
  yield columns.join(',') + END;
  for await (const rows of parts) yield csvLines(columns, rows);
}

const END = '\r\n';

function csvLines<Column extends string>(columns: readonly Column[], rows: Rows<Column>): string {
  return rows.map((row) => columns.map((column) => cell(row[column])).join(',') + END).join('');
}

function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
