import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type Document, type Node } from 'yaml';
import { UNKNOWN, type Place, type StaticValue } from './static-value.ts';

export interface YamlSource {
  path: string;
  text: string;
  document: Document | null;
  value: StaticValue;
  problem: { message: string; offset: number } | null;
}

/** Bytes, nodes and levels of a configuration: anything larger is an attack or a data file. */
const MAX_LENGTH = 2_000_000;
const MAX_NODES = 50_000;
const MAX_DEPTH = 100;
/** Sequences and keys within one another on a line, or columns of indentation. */
const TOO_DEEP = /^(?: *[-?]){200}|^ {400}/m;

/** Flow collections that open within one another: the parser calls itself for each. */
function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x7b || c === 0x5b) {
      if (++depth > 500) return true;
    } else if ((c === 0x7d || c === 0x5d) && depth > 0) depth--;
  }
  return false;
}

/**
 * Parses YAML as in configurations: custom tags such as `!!python/name:…` and `!ENV` are values that only the
 * tool knows; aliases are expanded at each position, within limits. Never throws.
 */
export function parseYamlSource(path: string, text: string): YamlSource {
  const failed = (message: string, offset = 0): YamlSource => {
    return { path, text, document: null, value: UNKNOWN, problem: { message, offset } };
  };
  if (text.length > MAX_LENGTH) return failed('it is too long');
  if (TOO_DEEP.test(text) || nestsTooDeep(text)) return failed('it is nested too deeply');
  let document: Document;
  try {
    document = parseDocument(text, {
      lineCounter: new LineCounter(),
      prettyErrors: false,
      uniqueKeys: false,
      // A tag that only the tool knows is not an error.
      logLevel: 'error',
    });
  } catch {
    return failed('it cannot be read');
  }
  const error = document.errors[0];
  if (error) return failed(error.message, error.pos[0]);
  const unknown = unknownAlias(document);
  if (unknown) return failed(unknown.message, unknown.offset);
  const budget = { nodes: MAX_NODES };
  return { path, text, document, value: new Reader(path, budget).read(document.contents), problem: null };
}

/** The first `*name` without an earlier `&name`: YAML parsers refuse it, ours would return nothing. */
export function unknownAlias(document: Document): { message: string; offset: number } | null {
  const anchors = new Set<string>();
  let found: { message: string; offset: number } | null = null;
  visit(document, {
    Node(_, node) {
      if (!isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor);
    },
    Alias(_, { source, range }) {
      if (anchors.has(source)) return undefined;
      found = { message: `*${source} refers to the anchor &${source}, which does not exist`, offset: range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return found;
}

class Reader {
  readonly #path: string;
  /** Read so far: an alias can only refer to something earlier. */
  readonly #anchors = new Map<string, unknown>();
  readonly #budget: { nodes: number };

  constructor(path: string, budget: { nodes: number }) {
    this.#path = path;
    this.#budget = budget;
  }

  read(node: unknown, depth = 0): StaticValue {
    if (depth > MAX_DEPTH || --this.#budget.nodes < 0) return UNKNOWN;
    if (isAlias(node)) return this.read(this.#anchors.get(node.source), depth + 1);
    if (!isNode(node)) return { type: 'scalar', value: null, at: this.#at(null) };
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    const at = this.#at(node);
    // Names of Python objects and environment variables.
    if (isOwnTag(node.tag)) return this.#tagged(node, at, depth);
    if (isScalar(node)) {
      const { value } = node;
      const known = value === null || ['string', 'number', 'boolean'].includes(typeof value);
      return known ? { type: 'scalar', value: value as string | number | boolean | null, at } : { type: 'unknown', at };
    }
    if (isSeq(node)) {
      return { type: 'list', items: node.items.map((item) => this.read(item, depth + 1)), open: false, at };
    }
    return isMap(node) ? this.#map(node.items, at, depth) : { type: 'unknown', at };
  }

  #map(pairs: readonly { key: unknown; value: unknown }[], at: Place, depth: number): StaticValue {
    const fields = new Map<string, StaticValue>();
    let open = false;
    for (const { key, value } of pairs) {
      if (!isScalar(key) || isOwnTag(key.tag)) {
        // A key that only the tool knows, such as `!ENV [TITLE, "Home"]`: its value is read under the key's
        // text.
        const name = isNode(key) ? this.read(key, depth + 1) : UNKNOWN;
        const text = name.type === 'scalar' ? String(name.value) : `\0${fields.size}`;
        open ||= name.type !== 'scalar';
        fields.set(text, this.read(value, depth + 1));
      } else if (key.value === '<<') {
        const merged = this.read(value, depth + 1);
        for (const one of merged.type === 'list' ? merged.items : [merged]) {
          if (one.type !== 'object') continue;
          for (const [name, part] of one.fields) if (!fields.has(name)) fields.set(name, part);
        }
      } else fields.set(String(key.value), this.read(value, depth + 1));
    }
    return { type: 'object', fields, open, at };
  }

  /** The default of `!ENV [NAME, default]`, as MkDocs has it; anything else with a tag is not known. */
  #tagged(node: Node, at: Place, depth: number): StaticValue {
    const last = node.tag === '!ENV' && isSeq(node) && node.items.length > 1 ? node.items.at(-1) : null;
    if (isScalar(last) && typeof last.value !== 'object') return this.read(last);
    const tag = (node.tag ?? '').replace('tag:yaml.org,2002:', '');
    const of = isMap(node) ? this.#map(node.items, at, depth) : undefined;
    return { type: 'unknown', at, tag, ...(of && { of }) };
  }

  #at(node: { range?: [number, number, number] | null } | null): Place {
    const [start = 0, end = 0] = node?.range ?? [];
    return { path: this.#path, start, end };
  }
}

function isOwnTag(tag: string | undefined): boolean {
  return tag !== undefined && /^(?:tag:yaml\.org,2002:python\/|!(?!$))/.test(tag);
}

function isNode(node: unknown): node is Node {
  return isScalar(node) || isSeq(node) || isMap(node);
}
