import { withEllipsis } from '@docent/base/ellipsis';

export interface Outcome {
  /**
   * `done`: carried out. `nothing`: there was nothing to do. `refused`: it could not be carried out.
   * `answered`: a question.
   */
  kind: 'done' | 'nothing' | 'refused' | 'answered';
  /** With `nothing`: there was something to do, and it could not be done. */
  unable?: true;
  /**
   * A short sentence in the past tense, without a full stop. Fit for a commit's subject if it is short
   * enough.
   */
  summary: string;
  /** A shorter form, for a line about several outcomes. */
  short?: string;
  /** More for the reader, in sentences. */
  details: string[];
  /** Paths of files that were changed, as the repository has them. */
  changed: string[];
}

/** A text in curly quotes, cut to a length. */
export function quoted(text: string, most = 24): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `“${withEllipsis(line, most)}”`;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
