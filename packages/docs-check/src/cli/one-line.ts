/**
 * Text from a repository for a terminal or a log: on one line, with escapes for characters that control the
 * terminal, or reverse or hide text; and without anything that a CI system reads as a command.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
    .replaceAll('##[', '# #[');
}
