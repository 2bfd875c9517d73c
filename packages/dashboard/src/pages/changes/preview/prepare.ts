/** `:::note Title`, or the end of one. */
export interface Fence {
  /** Null at its end. */
  name: string | null;
  title: string;
}

export interface Prepared {
  /** With as many lines as the page: what Markdown does not know is removed. */
  text: string;
  /** Its front matter, in YAML or TOML; empty if it has none. */
  fields: string;
  /** Containers (`:::`) by the line where they begin or end, which has a thematic break instead. */
  fences: ReadonlyMap<number, Fence>;
  /** Imports and exports of MDX, by the line where they begin. */
  code: readonly { line: number; text: string }[];
}

const FENCE = /^([>\s]*):{3,}[ \t]*([\w-]*)(.*)$/;

/**
 * Removes what Markdown does not know from a page, line by line, outside code. Containers of Docusaurus,
 * VitePress and Starlight become thematic breaks, which end lists and paragraphs as they do; front matter,
 * imports and exports become empty lines.
 */
export function prepared(text: string, { isMdx = true } = {}): Prepared {
  const lines = text.split(/\r\n|\n|\r/);
  const fences = new Map<number, Fence>();
  const code: { line: number; text: string }[] = [];
  let at = endOfFields(lines);
  const fields = lines.slice(1, Math.max(1, at - 1)).join('\n');
  lines.fill('', 0, at);
  let block: RegExp | null = null;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (block) {
      if (block.test(line)) block = null;
      continue;
    }
    const opening = /^[>\s]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/.exec(line)?.[1];
    if (opening) {
      block = new RegExp(`^[>\\s]*${opening.charAt(0)}{${opening.length},}\\s*$`);
      continue;
    }
    const fence = FENCE.exec(line);
    if (fence) {
      const [, indent = '', name = '', rest = ''] = fence;
      fences.set(at + 1, { name: name || null, title: titleOf(rest) });
      lines[at] = `${indent}***`;
    } else if (isMdx && /^(?:import|export)\s/.test(line) && (lines[at - 1] ?? '').trim() === '') {
      let end = at;
      while (end + 1 < lines.length && (lines[end + 1] ?? '').trim() !== '') end++;
      code.push({ line: at + 1, text: lines.slice(at, end + 1).join('\n') });
      lines.fill('', at, end + 1);
      at = end;
    }
  }
  return { text: lines.join('\n'), fields, fences, code };
}

/** `Title`, `[Title]`, `Title {.class}`. */
function titleOf(rest: string): string {
  return rest
    .replace(/\{[^}]*\}\s*$/, '')
    .trim()
    .replace(/^\[(.*)\]$/, '$1');
}

function endOfFields(lines: readonly string[]): number {
  const mark = /^\uFEFF?(---|\+\+\+)\s*$/.exec(lines[0] ?? '')?.[1];
  if (!mark) return 0;
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === mark);
  return end === -1 ? 0 : end + 1;
}
