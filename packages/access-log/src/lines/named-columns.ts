import { type Fields, hasMeaning, partsByName } from './field-names.ts';
import { recordOf } from './request-parts.ts';
import type { LineProblem, LogRecord } from './record.ts';

/** The first line of a log that names its columns, as CSV exports do. */
export interface NamedColumns {
  readonly line: string;
  readonly names: readonly string[];
  readonly separator: string;
}

const SEPARATORS = [',', '\t', ';', '|'];

/** Null for a line that does not name what a request needs. */
export function readColumnNames(line: string): NamedColumns | null {
  for (const separator of SEPARATORS) {
    const names = valuesIn(line, separator).map((name) => name.trim());
    const isHeader = names.length >= 5 && names.every((name) => /^[A-Za-z_@][\w @().:-]{0,60}$/.test(name));
    if (isHeader && (['time', 'method', 'target', 'status', 'ip'] as const).every((part) => hasMeaning(names, part)))
      return { line, names, separator };
  }
  return null;
}

export function readColumns(line: string, { line: header, names, separator }: NamedColumns): LogRecord | LineProblem {
  if (line === header) return 'comment';
  const values = valuesIn(line, separator);
  if (values.length !== names.length) return 'not_a_log_line';
  const fields: Fields = {};
  for (const [i, name] of names.entries()) fields[name] ??= values[i]!.trim();
  return recordOf(partsByName(fields));
}

/** RFC 4180: a value in quotes may hold separators, and quotes twice. */
function valuesIn(line: string, separator: string): string[] {
  const values: string[] = [];
  for (let at = 0; at <= line.length;) {
    if (line[at] === '"') {
      let end = at + 1;
      while (end < line.length && (line[end] !== '"' || line[end + 1] === '"')) end += line[end] === '"' ? 2 : 1;
      values.push(line.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 2;
    } else {
      const end = line.indexOf(separator, at);
      values.push(line.slice(at, end < 0 ? undefined : end));
      at = end < 0 ? line.length + 1 : end + 1;
    }
  }
  return values;
}
