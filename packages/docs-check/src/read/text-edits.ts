export interface TextEdit {
  start: number;
  /** Exclusive; equal to `start` for an insertion. */
  end: number;
  text: string;
}

/**
 * Applies edits that were all made against the same text and do not overlap. Everything between them stays as
 * it is.
 */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let from = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < from) throw new RangeError('Text edits overlap.');
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}
