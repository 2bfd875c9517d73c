/** Turns offsets of a text into line numbers. */
export class TextLines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** Line number from 1. An offset on a line break belongs to the line that it ends. */
  lineAt(offset: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Line and column from 1. */
  placeOf(offset: number): { line: number; column: number } {
    const line = this.lineAt(offset);
    return { line, column: offset - this.#starts[line - 1]! + 1 };
  }
}

/** The line break that most of a text's lines end with. */
export function lineBreakOf(text: string): '\r\n' | '\n' {
  const crlf = text.split('\r\n').length - 1;
  const all = text.split('\n').length - 1;
  return crlf * 2 > all ? '\r\n' : '\n';
}

/** The same text with all line breaks of one kind. */
export function withLineBreaks(text: string, lineBreak: '\r\n' | '\n'): string {
  const plain = text.replaceAll('\r\n', '\n');
  return lineBreak === '\n' ? plain : plain.replaceAll('\n', '\r\n');
}
