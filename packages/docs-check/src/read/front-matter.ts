import { load } from 'js-yaml';
import { isAlias, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { unknownAlias } from '../config/yaml-value.ts';
import type { Range } from './page-facts.ts';

export interface FrontMatter {
  /**
   * Top-level texts and numbers, as text of at most 500 characters; for the list `aliases`, old addresses of
   * the page, all texts, one a line.
   */
  fields: Record<string, string>;
  /** Top-level values that are true or false. */
  flags: Record<string, boolean>;
  /** Names of the other top-level ones that have a value. */
  others: string[];
  /** Positions of field values that readers see as text. */
  prose: Range[];
  problem: { message: string; line: number; column: number } | null;
}

const MAX_OTHERS = 200;

export const ALIASES = 'aliases';
const MAX_ALIASES = 200;

/** The texts of a list, one a line. */
export function aliasesIn(value: unknown): string {
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  return texts
    .slice(0, MAX_ALIASES)
    .map((text) => text.slice(0, 500))
    .join('\n');
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
/** Values that YAML does not read as text although they begin with a letter. */
const NO_TEXT = /^(?:null|true|false)$/i;

/** The usual front matter, `name: value` plain or quoted, without a parser; null if there is more to it. */
function readPlainly(yaml: string, start: number): FrontMatter | null {
  const facts = nothingYet();
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

function nothingYet(): FrontMatter {
  return { fields: Object.create(null), flags: Object.create(null), others: [], prose: [], problem: null };
}

function readYaml(yaml: string, start: number, line: number): FrontMatter {
  const facts = nothingYet();
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const error = document.errors[0];
  const wrong = error ? { message: error.message, offset: error.pos[0] } : unknownAlias(document);
  if (wrong) {
    const lenient = error ? fieldsOfSites(yaml) : null;
    if (lenient) return { ...facts, ...lenient };
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
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (!isScalar(value)) {
      if (value && facts.others.length < MAX_OTHERS) facts.others.push(name.slice(0, 200));
      if (name === ALIASES && value) facts.fields[name] = aliasesIn(value.toJS(document));
      continue;
    }
    if (typeof value.value === 'boolean') facts.flags[name] = value.value;
    const isText = typeof value.value === 'string' || typeof value.value === 'number';
    if (isText) facts.fields[name] = String(value.value).slice(0, 500);
    if (typeof value.value === 'string' && value === written && value.range && PROSE_FIELDS.has(name)) {
      facts.prose.push([start + value.range[0], start + value.range[1]]);
    }
  }
  return facts;
}

/**
 * The fields as sites read them: gray-matter and similar parsers, with js-yaml, accept some things that YAML
 * 1.2 does not, such as a quotation that ends at the beginning of a line. Null if they fail, too.
 */
function fieldsOfSites(yaml: string): Pick<FrontMatter, 'fields' | 'flags' | 'others'> | null {
  let value: unknown;
  try {
    value = load(yaml);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields: FrontMatter['fields'] = Object.create(null);
  const flags: FrontMatter['flags'] = Object.create(null);
  const others: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    if (typeof field === 'string' || typeof field === 'number') fields[name] = String(field).trim().slice(0, 500);
    else if (typeof field === 'boolean') flags[name] = field;
    else if (field !== null && others.length < MAX_OTHERS) others.push(name.slice(0, 200));
    if (name === ALIASES && Array.isArray(field)) fields[name] = aliasesIn(field);
  }
  return { fields, flags, others };
}
