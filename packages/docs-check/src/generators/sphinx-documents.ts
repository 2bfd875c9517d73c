import type { Place } from '../config/static-value.ts';
import type { MaskedPage } from '../syntax/masked-page.ts';

/** The part of a document that others see: its labels, and the entries of its `toctree` directives. */
export interface SphinxDocument {
  /** Normalized as {@link labelKey} does it. */
  labels: readonly string[];
  entries: readonly ToctreeEntry[];
  /** Folders that `:toctree:` of `autosummary` has pages made in, as written. */
  madeIn: readonly string[];
  /** It needs no entry in a `toctree`. */
  isOrphan: boolean;
}

export interface ToctreeEntry {
  /** The document or the pattern, without its title. */
  value: string;
  isPattern: boolean;
  at: Place;
  /** Differs from that of all other directives. */
  list: string;
}

/** Longer lines hold data. */
const MAX_LINE = 4_000;
const MAX_ENTRY = 500;
const RST_LABEL =
  /^[ \t]*(?:(?:[-*+]|\w{1,4}[.)])[ \t]+){0,5}\.\.[ \t]+_(?:`([^`\n]{1,200})`|((?:[^:\n\\]|\\.|:(?!\s|$)){1,200})):[ \t]*(?:\r?$|\w[\w-]*_[ \t]*\r?$)/;
const RST_INLINE_LABEL = /(?:^|[\s'"([{<])_`([^`\n]{1,200})`/g;
const MYST_LABEL = /^[ \t>]*\(([^()\r\n]{1,200})\)=[ \t]*\r?$/;
const MATH_LABEL = /\$\$[ \t]*\(([^()\s]{1,200})\)[ \t]*\r?$/;
const NAMED = /^[ \t]*:(?:name|label):[ \t]+(\S[^\r\n]{0,200}?)[ \t]*\r?$/;
const IN_BLOCK = /^[ \t]*(?:name|label):[ \t]+(\S[^\r\n]{0,200}?)[ \t]*\r?$/;
const ATTRIBUTE = /\{[^{}\n]{0,200}?#([\w:.-]{1,200})[^{}\n]{0,200}\}/g;
const FENCE = /^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*)(`{3,}|~{3,}|:{3,})[ \t]*(?:\{([^{}\s]{1,80})\})?[^`\n]*$/;
const DIRECTIVE = /^([ \t]*)\.\.[ \t]+([\w:-]{1,60})::(.*)$/;

/** Labels as Sphinx compares them: case-insensitive, with single blanks. */
export function labelKey(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The name of a document, by the path of its file. */
export function withoutSuffix(path: string, suffixes: readonly string[]): string {
  const suffix = suffixes.find((one) => path.endsWith(one));
  return suffix === undefined ? path : path.slice(0, -suffix.length);
}

/** Reads the names in a document, in MyST Markdown or in reStructuredText. */
export function readSphinxDocument(path: string, text: string): SphinxDocument {
  const isMyst = !path.endsWith('.rst') && !path.endsWith('.txt');
  const reader = new DocumentReader(path, text);
  if (isMyst) reader.myst();
  else reader.rst();
  const isOrphan = isMyst
    ? /^---[ \t]*\r?\n(?:[^\n]*\n){0,200}?[ \t]*orphan:[ \t]*\S/.test(text.slice(0, 20_000))
    : /^:orphan:/m.test(text.slice(0, 5_000));
  return { ...reader.found, isOrphan };
}

/** The documents that the `toctree` directives of a text list, as references that follow where these move. */
export function toctreeReferences(text: string, isMyst: boolean): NonNullable<MaskedPage['references']> {
  if (!text.includes('toctree')) return [];
  return readSphinxDocument(isMyst ? '.md' : '.rst', text).entries.flatMap(({ value, isPattern, at }) => {
    const target = value.replace(/\.(?:md|rst|txt|ipynb)$/, '');
    return isPattern ? [] : [{ target, start: at.start, end: at.start + target.length, role: 'doc', isEntry: true }];
  });
}

/** The content of such a fence is not MyST. */
function isOpaque(name: string | undefined): boolean {
  return (
    name === undefined || /^(?:toctree|autosummary|eval-rst|code|code-block|literalinclude|parsed-literal)$/.test(name)
  );
}

class DocumentReader {
  readonly found = { labels: [] as string[], entries: [] as ToctreeEntry[], madeIn: [] as string[] };
  readonly #path: string;
  readonly #lines: readonly string[];
  readonly #starts: number[] = [];

  constructor(path: string, text: string) {
    this.#path = path;
    const lines = text.split('\n');
    this.#lines = lines.map((line) => (line.length > MAX_LINE ? '' : line));
    let start = 0;
    for (const line of lines) {
      this.#starts.push(start);
      start += line.length + 1;
    }
  }

  myst(): void {
    const open: { mark: string; name: string | undefined; from: number }[] = [];
    for (const [i, line] of this.#lines.entries()) {
      const current = open.at(-1);
      this.#label(MYST_LABEL.exec(line)?.[1] ?? MATH_LABEL.exec(line)?.[1] ?? NAMED.exec(line)?.[1]);
      if (current?.name !== undefined) this.#label(IN_BLOCK.exec(line)?.[1]);
      if (line.includes('#')) for (const [, id] of line.matchAll(ATTRIBUTE)) this.#label(id);
      const [, , mark, name] = FENCE.exec(line) ?? [];
      if (mark === undefined) continue;
      const isBare = /^[ \t>]*[`~:]+[ \t]*\r?$/.test(line);
      if (current && isBare && mark.startsWith(current.mark)) {
        open.pop();
        if (current.name === 'toctree') this.#toctree(current.from, i);
        else if (current.name === 'autosummary') this.#autosummary(current.from, i);
        else if (current.name === 'eval-rst') this.rst(current.from, i);
      } else if (!(current && isOpaque(current.name)) && !(name === undefined && mark.startsWith(':'))) {
        open.push({ mark, name, from: i + 1 });
      }
    }
  }

  rst(from = 0, to = this.#lines.length): void {
    for (let i = from; i < to; i++) {
      const line = this.#lines[i]!;
      const label = RST_LABEL.exec(line);
      this.#label((label?.[1] ?? label?.[2])?.replace(/\\(.)/g, '$1') ?? NAMED.exec(line)?.[1]);
      for (const [, name] of line.matchAll(RST_INLINE_LABEL)) this.#label(name);
      const [, indent, name] = DIRECTIVE.exec(line) ?? [];
      const isLiteral =
        name === undefined
          ? /(?:^|[^.:])::[ \t]*\r?$/.test(line)
          : /^(?:code-block|code|sourcecode|parsed-literal|literalinclude|prompt)$/.test(name);
      if (name !== 'toctree' && name !== 'autosummary' && !isLiteral) continue;
      const end = this.#blockEnd(i + 1, to, name === undefined ? /^[ \t]*/.exec(line)![0].length : indent!.length);
      if (name === 'toctree') this.#toctree(i + 1, end);
      if (name === 'autosummary') this.#autosummary(i + 1, end);
      i = end - 1;
    }
  }

  /** The first line after those that are indented more than `indent`. */
  #blockEnd(from: number, to: number, indent: number): number {
    let i = from;
    while (i < to && (this.#lines[i]!.trim() === '' || /^[ \t]*/.exec(this.#lines[i]!)![0].length > indent)) i++;
    return i;
  }

  #label(label: string | undefined): void {
    if (label !== undefined) this.found.labels.push(labelKey(label));
  }

  #toctree(from: number, to: number): void {
    const isPattern = this.#lines.slice(from, to).some((line) => /^[ \t]*:?glob:/.test(line));
    let inBlock = false;
    for (let i = from; i < to; i++) {
      const line = this.#lines[i]!;
      const entry = line.trim();
      if (entry === '---') inBlock = !inBlock;
      if (inBlock || entry === '' || /^---$|^:[\w-]+:|^\.\.(?:\s|$)|^#/.test(entry)) continue;
      if (entry.length > MAX_ENTRY) continue;
      const value = (/^[^]+?\s*<([^<>]+)>$/.exec(entry)?.[1] ?? entry).trim();
      if (value === 'self' || /^[a-z][a-z\d+.-]*:\/\/|^mailto:/i.test(value)) continue;
      const start = this.#starts[i]! + line.lastIndexOf(value);
      const at = { path: this.#path, start, end: start + value.length };
      this.found.entries.push({
        value,
        isPattern: isPattern && /[*?[]/.test(value),
        at,
        list: `${this.#path}:${from}`,
      });
    }
  }

  #autosummary(from: number, to: number): void {
    for (const line of this.#lines.slice(from, to)) {
      const folder = /^[ \t]*:toctree:[ \t]*(\S[^\r\n]*?)[ \t]*\r?$/.exec(line)?.[1];
      if (folder !== undefined) this.found.madeIn.push(folder);
    }
  }
}
