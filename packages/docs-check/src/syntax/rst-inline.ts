/** Inline markup of a reStructuredText paragraph, with the position of its content. */
export interface RstSpan {
  kind: 'role' | 'reference' | 'target';
  content: string;
  at: number;
  /** Without colons; empty without one. */
  role: string;
}

/** Characters allowed before markup, and after it. */
const BEFORE = /[\s'"([{<\-/:\u2018\u201C\u00AB]|[\p{Ps}\p{Pi}\p{Pf}\p{Pd}\p{Po}]/u;
const AFTER = /[\s'")\]}>\-/\\:.,;!?\u2019\u201D\u00BB]|[\p{Pe}\p{Pi}\p{Pf}\p{Pd}\p{Po}]/u;
const START = /``|`|\*\*|\*|\||_`|[\p{L}\p{N}]/gu;
const ROLE_BEFORE = /(?:^|[^\p{L}\p{N}]):([\w:+.-]{1,60}):$/u;
const ROLE_AFTER = /^:([\w:+.-]{1,60}):/;
const SIMPLE_NAME = /[\p{L}\p{N}]+(?:[-._+:][\p{L}\p{N}]+)*/uy;
/** Text in these quotes is not markup. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')', '[': ']', '{': '}', '<': '>' };

/**
 * The roles, references and targets of one paragraph, from left to right: markup does not nest.
 * https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#inline-markup-recognition-rules
 */
export class RstInline {
  readonly #text: string;
  /** Marks without an end in the rest of the text: searching again would take quadratic time. */
  readonly #endless = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  *[Symbol.iterator](): Generator<RstSpan> {
    const text = this.#text;
    for (let i = 0; i < text.length;) {
      START.lastIndex = i;
      const found = START.exec(text);
      if (!found) return;
      const [mark] = found;
      const at = found.index;
      if (/[\p{L}\p{N}]/u.test(mark)) {
        const [next, span] = this.#word(at);
        if (span) yield span;
        i = next;
        continue;
      }
      const content = at + mark.length;
      const end = this.#isStart(at, content) ? this.#endOf(mark, content) : -1;
      if (end === -1) {
        i = at + (mark === '_`' ? 1 : mark.length);
        continue;
      }
      const after = end + (mark === '_`' ? 1 : mark.length);
      const inside = text.slice(content, end);
      if (mark === '_`') yield { kind: 'target', content: inside, at: content, role: '' };
      if (mark === '`') {
        const rest = text.slice(after, after + 64);
        const before = ROLE_BEFORE.exec(text.slice(Math.max(0, at - 64), at))?.[1];
        const role = before ?? ROLE_AFTER.exec(rest)?.[1] ?? '';
        if (role !== '') yield { kind: 'role', content: inside, at: content, role };
        else if (/^_(?!_)/.test(rest)) yield { kind: 'reference', content: inside, at: content, role: '' };
      }
      i = after;
    }
  }

  /** A word that may be a reference: `name_`. */
  #word(at: number): [next: number, span: RstSpan | null] {
    const text = this.#text;
    SIMPLE_NAME.lastIndex = at;
    const name = SIMPLE_NAME.exec(text)?.[0] ?? '';
    const end = at + name.length;
    const isReference = text[end] === '_' && this.#mayPrecede(at) && isAfter(text, end + 1);
    // A word with dots and the like is not looked into again.
    const word = /^[\p{L}\p{N}_.+:-]*/u.exec(text.slice(end, end + 200))?.[0].length ?? 0;
    return isReference
      ? [end + 1, { kind: 'reference', content: name, at, role: '' }]
      : [Math.max(end + word, at + 1), null];
  }

  #isStart(at: number, content: number): boolean {
    const [before = '', next] = [this.#text[at - 1], this.#text[content]];
    if (next === undefined || /\s/.test(next) || QUOTES[before] === next) return false;
    return this.#mayPrecede(at);
  }

  #mayPrecede(at: number): boolean {
    const before = this.#text[at - 1];
    if (before === undefined) return true;
    if (before === '\\') return false;
    return BEFORE.test(before);
  }

  /** The end of the markup that begins at `from`; -1 if there is none. */
  #endOf(mark: string, from: number): number {
    if (this.#endless.has(mark)) return -1;
    const text = this.#text;
    const closing = mark === '_`' ? '`' : mark;
    for (let end = text.indexOf(closing, from + 1); end !== -1; end = text.indexOf(closing, end + 1)) {
      if (/\s/.test(text[end - 1]!)) continue;
      if (mark !== '``' && text[end - 1] === '\\') continue;
      let after = end + closing.length;
      if (mark === '`') {
        const suffix = /^(?:__?|:[\w:+.-]{1,60}:)/.exec(text.slice(after, after + 64))?.[0].length ?? 0;
        if (isAfter(text, after + suffix)) return end;
      } else if (mark === '|') after += /^_{0,2}/.exec(text.slice(after, after + 2))![0].length;
      if (isAfter(text, after)) return end;
    }
    this.#endless.add(mark);
    return -1;
  }
}

function isAfter(text: string, at: number): boolean {
  return at >= text.length || AFTER.test(text[at]!);
}
