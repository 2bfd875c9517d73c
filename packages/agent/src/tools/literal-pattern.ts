/** The source of a regular expression, with or without the flag `u`, that matches this text alone. */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
