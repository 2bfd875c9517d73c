const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Untrusted text in which characters that end a line, steer a terminal, or turn or hide text become `mark`.
 */
export function printable(text: string, mark: string | ((character: string) => string)): string {
  return typeof mark === 'string' ? text.replaceAll(UNPRINTABLE, mark) : text.replaceAll(UNPRINTABLE, mark);
}

/** A text on one line: spaces and control characters between words become one space. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
}

/** The last whole words of a text, on one line of at most `most` characters. */
export function lastWords(text: string, most: number): string {
  const line = oneLine(text.slice(-most * 2));
  return line.length <= most ? line : `…${line.slice(-most).replace(/^\S*\s/, '')}`;
}
