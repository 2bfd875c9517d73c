/** Whitespace, and invisible characters: zero-width characters, marks of direction, the byte order mark. */
const MARGIN = /[\s\p{Cf}]/u;

/** Without whitespace and invisible characters at the ends, as copied keys have. */
export function withoutMargins(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && MARGIN.test(text[from]!)) from += 1;
  while (from < to && MARGIN.test(text[to - 1]!)) to -= 1;
  return text.slice(from, to);
}

/** Whether a secret fits in an HTTP header: printable ASCII (RFC 9110, 5.5). */
export function fitsHeader(secret: string): boolean {
  return /^[\x20-\x7e]+$/.test(secret);
}

/** Continues a sentence that begins with the name of the secret. */
export const UNFIT_FOR_HEADER = 'must be printable ASCII on one line: enter it again, and do not copy formatted text';
