import { printable } from '@docent/base/one-line';
/**
 * Text from a repository for a terminal or a log: on one line, with escapes for characters that control the
 * terminal, or reverse or hide text; and without anything that a CI system reads as a command.
 */
export function oneLine(text: string): string {
  return printable(text, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`).replaceAll('##[', '# #[');
}
