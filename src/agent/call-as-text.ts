import { fieldsOf, jsonOf } from './json-fields.ts';

/** The beginning of a call in chat templates, at a line's start. In backticks it is text. */
const MARK =
  /^[ \t>]*(?:<tool_?call>|<\|?(?:tool_calls?|python_tag)[\w▁]*\|?>|\[TOOL_CALLS\]|<function(?:=|_call>| name=)|<invoke name=|<\|channel\|>\s*commentary\b)/im;
const FENCE = /^[ \t]*```[\w-]*\n([\s\S]*?)\n[ \t]*```/gm;
const NAME_FIELDS = ['name', 'tool', 'tool_name', 'function', 'action'];
const INPUT_FIELDS = ['arguments', 'parameters', 'input', 'args', 'action_input'];

/**
 * Whether a text is a tool call written as text, so neither call nor answer.
 * @param tools names of the model's tools
 */
export function isCallAsText(text: string, tools: readonly string[]): boolean {
  if (MARK.test(text.replaceAll(FENCE, ''))) return true;
  const candidates = [text, ...Array.from(text.matchAll(FENCE), ([, inside = '']) => inside)];
  return candidates.some((candidate) => [parsed(candidate)].flat().some((value) => isCall(value, tools)));
}

function isCall(value: unknown, tools: readonly string[]): boolean {
  const fields = fieldsOf(value);
  const nested = fieldsOf(fields.function);
  const names = [...NAME_FIELDS.map((field) => fields[field]), nested.name];
  const hasInput = INPUT_FIELDS.some((field) => field in fields || field in nested);
  return hasInput && names.some((name) => typeof name === 'string' && tools.includes(name.replace(/^functions\./, '')));
}

/** Objects and lists alone: a word or a number is JSON, too. */
const parsed = (text: string): unknown => (/^\s*[[{]/.test(text) ? jsonOf(text) : undefined);
