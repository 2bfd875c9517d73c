import { load } from 'js-yaml';
import { isAlias, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { unknownAlias } from '../config/yaml-value.ts';
import type { Range } from './page-facts.ts';

export interface FrontMatter {
  /** Top-level values that are text or numbers, as text of at most 500 characters. */
  fields: Record<string, string>;
  /** Where the values of fields that readers see as text stand. */
  prose: Range[];
  problem: { message: string; line: number; column: number } | null;
}

/** Fields whose values are sentences for readers; everything else in front matter is for machines. */
export const PROSE_FIELDS = new Set([
  'title',
  'sidebarTitle',
  'sidebar_label',
  'description',
  'summary',
  'subtitle',
  'og:title',
  'og:description',
  'twitter:title',
  'twitter:description',
]);

/**
 * Reads a block of YAML front matter.
 * @param start offset of the YAML in the page, without the fence
 * @param line line of the YAML's first line in the page
 */
export function readFrontMatter(yaml: string, start: number, line: number): FrontMatter {
  const facts: FrontMatter = { fields: Object.create(null), prose: [], problem: null };
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const error = document.errors[0];
  const wrong = error ? { message: error.message, offset: error.pos[0] } : unknownAlias(document);
  if (wrong) {
    const lenient = error ? fieldsOfSites(yaml) : null;
    if (lenient) return { ...facts, fields: lenient };
    const place = lines.linePos(wrong.offset);
    facts.problem = { message: wrong.message, line: line + place.line - 1, column: place.col };
    return facts;
  }
  if (document.contents === null) return facts;
  if (!isMap(document.contents)) {
    facts.problem = { message: 'it must be a list of `name: value` lines', line, column: 1 };
    return facts;
  }
  for (const { key, value: written } of document.contents.items) {
    const value = isAlias(written) ? written.resolve(document) : written;
    if (!isScalar(key) || !isScalar(value)) continue;
    const name = String(key.value);
    const isText = typeof value.value === 'string' || typeof value.value === 'number';
    if (isText) facts.fields[name] = String(value.value).slice(0, 500);
    if (typeof value.value === 'string' && value === written && value.range && PROSE_FIELDS.has(name)) {
      facts.prose.push([start + value.range[0], start + value.range[1]]);
    }
  }
  return facts;
}

/**
 * The fields as sites themselves read them: gray-matter and its like, with js-yaml, take some things that YAML 1.2 does not, such as a
 * quotation that ends at the beginning of a line. Null where they cannot either.
 */
function fieldsOfSites(yaml: string): Record<string, string> | null {
  let value: unknown;
  try {
    value = load(yaml);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields: Record<string, string> = Object.create(null);
  for (const [name, field] of Object.entries(value)) {
    if (typeof field === 'string' || typeof field === 'number') fields[name] = String(field).trim().slice(0, 500);
  }
  return fields;
}
