const NAMES = 'think|thinking|thought|thoughts|reasoning';
const TAG = new RegExp(String.raw`</?(?:${NAMES})>`, 'i');
/**
 * One or more blocks of thoughts at the beginning; the last one may lack its end, for an answer that is still
 * being written.
 */
const BLOCKS = new RegExp(String.raw`^\s*(?:<(${NAMES})>[\s\S]*?(?:</\1>\s*|$))+`, 'i');
/**
 * Thoughts whose opening tag the chat template wrote, so that only the closing one arrives. In backticks it
 * belongs to the answer.
 */
const ONLY_END = new RegExp(
  String.raw`^(?:(?!<(?:${NAMES})>)[\s\S])*?(?<!\`)</(?:${NAMES})>(?!\`)[ \t]*(?:\n|$)\s*`,
  'i',
);

/**
 * An answer without the thoughts that a model wrote before it. Servers without a reasoning parser return them
 * as text. They must not appear in a title, commit or description. Empty if there are only thoughts.
 */
export function withoutThinking(text: string): string {
  // Called for each piece of an answer: most answers have no such tag.
  if (!TAG.test(text)) return text;
  const withoutBlocks = text.replace(BLOCKS, '');
  return withoutBlocks === text ? text.replace(ONLY_END, '') : withoutBlocks;
}
