import { stripVTControlCharacters } from 'node:util';
import type { DocsBlock } from './docs-blocks.ts';

/**
 * How what a page shows as output differs from what came out. Loosely: each line must be there, whatever its
 * numbers, ids and spaces, and `…` matches anything; JSON must have the same fields.
 */
export function differencesFrom(block: DocsBlock, output: string, apiUrl: string): string[] {
  if (block.language === 'json') return jsonDifferences(block, output);
  if (block.language !== '' && block.language !== 'text') return [];
  const printed = stripVTControlCharacters(output).replaceAll(apiUrl, 'http://127.0.0.1:4000');
  const missing = block.text
    .split('\n')
    .filter((line) => line.trim() !== '' && !new RegExp(patternOf(line), 'm').test(printed));
  if (missing.length === 0) return [];
  return [
    `${block.where} shows lines that are not printed:\n${missing.join('\n')}\n\nPrinted:\n${printed.slice(0, 4_000)}`,
  ];
}

function patternOf(line: string): string {
  return line
    .trim()
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\b[0-9a-f]{10,}\b|\b[0-9a-z]{20}\b|\d+/g, '[0-9a-z]+')
    .replaceAll(/\/home\/you\/\S*|…/g, '.*')
    .replaceAll(/\s+/g, '\\s+');
}

function jsonDifferences(block: DocsBlock, output: string): string[] {
  const [shown, printed] = [block.text, output].map((text) => fieldsOf(JSON.parse(text)));
  return shown === printed ? [] : [`${block.where} shows other fields than came:\n${shown}\n${printed}`];
}

/** The names of all fields, as a text; of a list, those of its first member. */
function fieldsOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length === 0 ? '' : fieldsOf(value[0])}]`;
  if (typeof value !== 'object' || value === null) return '';
  const fields = Object.entries(value).map(([name, field]) => name + fieldsOf(field));
  return `{${fields.toSorted().join()}}`;
}
