import { UNKNOWN, type StaticValue } from './static-value.ts';

/** Longer ones are programs, and lists deeper than this are not settings. */
const MAX_LENGTH = 500_000;
const MAX_DEPTH = 20;
const MAX_CHANGES = 5_000;

/** Other ways to change a setting than a top-level assignment. */
const CHANGE =
  /^([ \t]*)([A-Za-z_]\w{0,80})[ \t]*(?:(\+?=)(?!=)|:[^=\n]{1,80}(=)(?!=)|\.(append|extend)\(|\.\w+\(|\[)/gm;

/**
 * The literal settings of a `conf.py`: strings, numbers, lists and dictionaries assigned at the top level,
 * with additions to them there. The program is not run; a value that is computed, or changed by a branch or a
 * function, is unknown or open.
 */
export function readPython(path: string, text: string): Map<string, StaticValue> {
  const found = new Map<string, StaticValue>();
  if (text.length > MAX_LENGTH) return found;
  let changes = 0;
  for (const match of text.matchAll(CHANGE)) {
    if (++changes > MAX_CHANGES) return new Map();
    const [whole, indent, name, plain, typed, method] = match;
    const end = match.index + whole.length;
    const before = found.get(name!);
    const isAssigned = plain !== undefined || typed !== undefined;
    if (indent !== '' || (!isAssigned && method === undefined)) {
      // In a branch, or in an unsupported way.
      if (before !== undefined || isAssigned) found.set(name!, opened(before));
      continue;
    }
    const value = new PythonReader(path, text, end).whole();
    if (method === 'append')
      found.set(name!, joined(before, { type: 'list', items: [value], open: false, at: value.at }));
    else if (method === 'extend' || plain === '+=') found.set(name!, joined(before, value));
    else found.set(name!, value);
  }
  return found;
}

function opened(value: StaticValue | undefined): StaticValue {
  return value?.type === 'list' || value?.type === 'object' ? { ...value, open: true } : UNKNOWN;
}

function joined(before: StaticValue | undefined, added: StaticValue): StaticValue {
  if (before?.type !== 'list') return before === undefined ? opened(added) : UNKNOWN;
  if (added.type !== 'list') return opened(before);
  return { ...before, items: [...before.items, ...added.items], open: before.open || added.open };
}

class PythonReader {
  readonly #path: string;
  readonly #text: string;
  #at: number;

  constructor(path: string, text: string, at: number) {
    this.#path = path;
    this.#text = text;
    this.#at = at;
  }

  /** A value that nothing follows but a comment, or the parenthesis of a call. */
  whole(): StaticValue {
    const value = this.#value(0);
    const rest = /^[ \t]*\)?[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/.test(this.#text.slice(this.#at, this.#at + 500));
    return rest ? value : opened(value);
  }

  #value(depth: number): StaticValue {
    this.#skip(depth > 0);
    const start = this.#at;
    const place = () => ({ path: this.#path, start, end: this.#at });
    const c = this.#text[this.#at];
    if (depth > MAX_DEPTH || c === undefined) return this.#unknown();
    if (c === '[' || c === '(') return this.#list(c === '[' ? ']' : ')', depth);
    if (c === '{') return this.#braces(depth);
    const string = this.#strings(depth);
    if (string !== null) return { type: 'scalar', value: string, at: place() };
    const word = /^(?:True|False|None|-?\d{1,9}(?:\.\d{1,9})?)(?![\w.])/.exec(
      this.#text.slice(this.#at, this.#at + 20),
    )?.[0];
    if (word === undefined) return this.#unknown();
    this.#at += word.length;
    const value = word === 'True' ? true : word === 'False' ? false : word === 'None' ? null : Number(word);
    return { type: 'scalar', value, at: place() };
  }

  #list(end: string, depth: number): StaticValue {
    const start = this.#at++;
    const items: StaticValue[] = [];
    let open = false;
    let commas = 0;
    for (;;) {
      this.#skip(true);
      const c = this.#text[this.#at];
      if (c === undefined) return this.#unknown();
      if (c === end) break;
      if (c === ',') {
        this.#at++;
        commas++;
        continue;
      }
      const item = this.#value(depth + 1);
      this.#skip(true);
      const isWhole = [',', end].includes(this.#text[this.#at] ?? '');
      if (!isWhole) this.#pass();
      if (item.type === 'unknown' || !isWhole) open = true;
      else items.push(item);
    }
    this.#at++;
    const at = { path: this.#path, start, end: this.#at };
    // Parentheses around one value are not a list.
    if (end === ')' && commas === 0 && items.length === 1 && !open) return items[0]!;
    return { type: 'list', items, open, at };
  }

  #braces(depth: number): StaticValue {
    const start = this.#at++;
    const fields = new Map<string, StaticValue>();
    const items: StaticValue[] = [];
    let open = false;
    for (;;) {
      this.#skip(true);
      const c = this.#text[this.#at];
      if (c === undefined) return this.#unknown();
      if (c === '}') break;
      if (c === ',') {
        this.#at++;
        continue;
      }
      const key = this.#value(depth + 1);
      this.#skip(true);
      if (this.#text[this.#at] === ':') {
        this.#at++;
        const value = this.#value(depth + 1);
        this.#skip(true);
        const isWhole = /[,}]/.test(this.#text[this.#at] ?? '');
        if (!isWhole) this.#pass();
        if (key.type === 'scalar') fields.set(String(key.value), isWhole ? value : opened(value));
        else open = true;
      } else if (/[,}]/.test(this.#text[this.#at] ?? '') && key.type === 'scalar') items.push(key);
      else {
        this.#pass();
        open = true;
      }
    }
    this.#at++;
    const at = { path: this.#path, start, end: this.#at };
    return fields.size === 0 && items.length > 0
      ? { type: 'list', items, open, at }
      : { type: 'object', fields, open, at };
  }

  /** Strings side by side are one; null if there is none, or if one is computed. */
  #strings(depth: number): string | null {
    let all: string | null = null;
    for (;;) {
      const rest = this.#text.slice(this.#at, this.#at + 4_000);
      const found = /^([rRuU]?)("""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/.exec(rest);
      if (!found) return all;
      const [whole, prefix, quoted] = found;
      const marks = /^("""|''')/.test(quoted!) ? 3 : 1;
      const inner = quoted!.slice(marks, -marks);
      all = (all ?? '') + (/r/i.test(prefix!) ? inner : inner.replace(/\\(["'\\])/g, '$1'));
      this.#at += whole.length;
      const end = this.#at;
      this.#skip(depth > 0);
      if (!/^[rRuU]?["']/.test(this.#text.slice(this.#at, this.#at + 2))) {
        this.#at = end;
        return all;
      }
    }
  }

  #unknown(): StaticValue {
    this.#pass();
    return UNKNOWN;
  }

  /** Skips to the end of an expression: a comma or closing bracket outside of it, or the end of the line. */
  #pass(): void {
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const c = this.#text[this.#at]!;
      if (c === '"' || c === "'") {
        const found = /^(?:"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/.exec(
          this.#text.slice(this.#at, this.#at + 4_000),
        );
        if (found) this.#at += found[0].length - 1;
      } else if (c === '#') {
        while (this.#at + 1 < this.#text.length && this.#text[this.#at + 1] !== '\n') this.#at++;
      } else if ('([{'.includes(c)) depth++;
      else if (')]}'.includes(c)) {
        if (depth-- === 0) return;
      } else if (depth === 0 && c === ',') return;
    }
  }

  /** Spaces and comments; line breaks too where something is open. */
  #skip(overLines: boolean): void {
    const blanks = overLines ? /^(?:\s|\\\r?\n|#[^\n]*(?:\n|$))+/ : /^(?:[ \t]|\\\r?\n)+/;
    for (;;) {
      const found = blanks.exec(this.#text.slice(this.#at, this.#at + 2_000));
      if (!found) return;
      this.#at += found[0].length;
    }
  }
}
