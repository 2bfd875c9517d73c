import { parse, TomlError } from 'smol-toml';

export type Table = Record<string, unknown>;

const MAX_LENGTH = 1_000_000;

/** Parses a TOML configuration. Never throws: an invalid file yields an empty table and its problem. */
export function readToml(text: string): { table: Table; problem: { message: string; offset: number } | null } {
  if (text.length > MAX_LENGTH) return { table: {}, problem: { message: 'it is too long', offset: 0 } };
  try {
    return { table: parse(text), problem: null };
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) {
      return { table: {}, problem: { message: 'it is nested too deeply to be read', offset: 0 } };
    }
    const lines = text.split('\n').slice(0, thrown.line - 1);
    const message = thrown.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    return { table: {}, problem: { message, offset: lines.join('\n').length + (lines.length > 0 ? 1 : 0) } };
  }
}

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

export function tableIn(table: Table, name: string): Table {
  const value = table[name];
  return isTable(value) ? value : {};
}

export function tablesIn(table: Table, name: string): Table[] {
  const value = table[name];
  return Array.isArray(value) ? value.filter(isTable) : [];
}

export function textIn(table: Table, name: string): string | undefined {
  const value = table[name];
  return typeof value === 'string' ? value : undefined;
}

/** The texts of a list; a text alone counts as a list of one. */
export function textsIn(table: Table, name: string): string[] {
  const value = table[name];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
