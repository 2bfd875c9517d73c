const MAX_CHARS = 300;

/**
 * Untrusted text for a prompt: on one line, quoted, and truncated. The prompt is shown before it is sent.
 */
export function quoted(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
  return JSON.stringify(plain.length > MAX_CHARS ? `${plain.slice(0, MAX_CHARS)}…` : plain);
}
