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
  return readPlainly(yaml, start) ?? readYaml(yaml, start, line);
}

const ENTRY =
  /^([A-Za-z_][\w-]{0,99}): (?:([A-Za-z](?:[\w ,.()/&!?-]{0,498}[\w,.()/&!?-])?)|"([^"\\\p{C}]{0,500})"|'([^'\p{C}]{0,500})')$/u;
/** What is no text in YAML although it begins with a letter. */
const NO_TEXT = /^(?:null|true|false)$/i;

/** What most front matter is, `name: value` in words or in quotes, without a parser; null where there is more to it. */
function readPlainly(yaml: string, start: number): FrontMatter | null {
  const facts: FrontMatter = { fields: Object.create(null), prose: [], problem: null };
  let at = start;
  for (const line of yaml.split('\n')) {
    const [, name, plain, double, single] = ENTRY.exec(line) ?? [];
    const value = plain ?? double ?? single;
    if (name === undefined || value === undefined || name in facts.fields) return null;
    if (NO_TEXT.test(name) || (plain !== undefined && NO_TEXT.test(plain))) return null;
    facts.fields[name] = value.slice(0, 500);
    if (PROSE_FIELDS.has(name)) facts.prose.push([at + name.length + 2, at + line.length]);
    at += line.length + 1;
  }
  return facts;
}

function readYaml(yaml: string, start: number, line: number): FrontMatter {
  const facts: FrontMatter = { fields: Object.create(null), prose: [], problem: null };
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const error = document.errors[0];
  const wrong = error ? { message: error.message, offset: error.pos[0] } : unknownAlias(document);
  if (wrong) {
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
