/** A paragraph, a list item or a table cell, without code and markup. */
export interface Paragraph {
  /** The line that it begins at. */
  line: number;
  text: string;
  /** A table cell. */
  isCell?: true;
}

const ABBREVIATION = /\b(?:e\.g|i\.e|vs|etc|approx|No|St|Dr)\.$/;

/**
 * The prose of a page: no code, no markup, no generated tables. Works line by line, so that it needs no MDX
 * parser.
 */
export function readProse(source: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: Paragraph | null = null;
  let fence = '';
  let isGenerated = false;
  let isHead = false;
  const close = (): void => {
    if (open) paragraphs.push({ ...open, text: plain(open.text) });
    open = null;
  };
  const add = (line: number, text: string): void => {
    if (open) open.text += ` ${text}`;
    else open = { line, text };
  };
  source.split('\n').forEach((raw, i) => {
    const line = raw.trim();
    const no = i + 1;
    if (no === 1 && line === '---') isHead = true;
    else if (isHead) {
      if (line === '---') isHead = false;
      const value = /^(?:title|description): *(.*)/.exec(line)?.[1];
      if (value !== undefined) paragraphs.push({ line: no, text: plain(value.replaceAll(/^["']|["']$/g, '')) });
    } else if (fence !== '') {
      if (line.startsWith(fence)) fence = '';
    } else if (/^(?:```+|~~~+)/.test(line)) {
      close();
      fence = /^(?:```+|~~~+)/.exec(line)?.[0] ?? '';
    } else if (line.startsWith('{/*')) {
      close();
      isGenerated = line.includes('Generated from') || (isGenerated && !line.includes('End of the generated'));
    } else if (isGenerated) return;
    else if (line === '' || /^(?:<\/?[A-Za-z][^>]*>|!\[.*\]\(.*\))$/.test(line)) {
      close();
      const title = /\btitle="([^"]*)"/.exec(line)?.[1];
      if (title !== undefined) paragraphs.push({ line: no, text: plain(title) });
    } else if (/^\|[-|: ]+\|$/.test(line)) close();
    else if (line.startsWith('|')) {
      close();
      for (const cell of line.split(/(?<!\\)\|/))
        if (cell.trim() !== '') paragraphs.push({ line: no, text: plain(cell), isCell: true });
    } else {
      if (/^(?:#+ |[-*] |\d+\. |> )/.test(line)) close();
      add(no, line.replace(/^(?:#+ |[-*] |\d+\. |> )/, ''));
      if (line.startsWith('#')) close();
    }
  });
  close();
  return paragraphs.filter(({ text }) => text !== '');
}

/** The whole sentences of a text: labels and headings have no full stop. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const part of text.split(/(?<=[.!?]["”’)]*)\s+(?=["“(]?(?:[A-Z0-9…]|code\b))/)) {
    const last = sentences.at(-1);
    if (last !== undefined && ABBREVIATION.test(last)) sentences[sentences.length - 1] = `${last} ${part}`;
    else sentences.push(part);
  }
  return sentences.filter((sentence) => /[.!?:]["”’)]*$/.test(sentence));
}

export function wordsOf(text: string): string[] {
  return text.split(/[\s/–—]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

function plain(markdown: string): string {
  return markdown
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<\/?[A-Za-z][^>]*>/g, ' ')
    .replaceAll(/\{\/\*.*?\*\/\}/g, ' ')
    .replaceAll(/\*\*|(?<![\w])[*_]|[*_](?![\w])/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
