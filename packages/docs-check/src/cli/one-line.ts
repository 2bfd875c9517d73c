/**
 * Text from a repository for a terminal or a log: on one line, with characters that steer the terminal, or
 * turn and hide what is read, shown as escapes; and with nothing in it that a CI system takes for a command.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
    .replaceAll('##[', '# #[');
}
