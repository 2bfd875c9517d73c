import { fieldsOf, jsonOf } from './json-fields.ts';

/** The beginning of a call in chat templates, at a line's start. In backticks it is text. */
const MARK =
  /^[ \t>]*(?:<\|?(?:[\w-]+[:|])?(?:(?:start_)?(?:tool|function)_?(?:calls?|use|code|request)\w*\|?>|python_tag|start_action|action_start|use_mcp_tool>|function=|(?:function|invoke) name=)|<\|channel\|>\s*commentary\b|functools\[)/im;
const BRACKETS = /^[ \t>]*\[TOOL_(?:CALLS?|REQUEST|USE)\]/m;
/** Of gpt-oss, whatever is left of its special tokens. */
const ADDRESSED = /(?<!`)\bto=functions\.\w/;
const FENCE = /^[ \t]*```([\w-]*)\n([\s\S]*?)\n[ \t]*```/gm;
const ONE_FENCE = /^\s*```[\w-]*\n((?:(?!```)[\s\S])*)\n[ \t]*```\s*$/;
const NAME_FIELDS = ['name', 'tool', 'tool_name', 'function', 'action', 'recipient_name'];
const INPUT_FIELDS = ['arguments', 'parameters', 'input', 'args', 'action_input'];

/**
 * Whether a text is a tool call written as text, so neither call nor answer.
 * @param tools names of the model's tools
 */
export function isCallAsText(text: string, tools: readonly string[]): boolean {
  // The special tokens of DeepSeek.
  const plain = text.replaceAll('｜', '|').replaceAll('▁', '_');
  const whole = ONE_FENCE.exec(plain)?.[1] ?? plain;
  const { inProse, anywhere } = namedCalls(tools);
  const prose = whole.replaceAll(FENCE, '');
  if ([MARK, BRACKETS, ADDRESSED, ...inProse].some((mark) => mark.test(prose)) || anywhere.test(plain)) return true;
  const fences = Array.from(plain.matchAll(FENCE));
  if (fences.some(([, language]) => language === 'tool_code')) return true;
  const only = fieldsOf(parsed(whole));
  if (tools.some((name) => only.name === name || (Object.keys(only).length === 1 && name in only))) return true;
  const candidates = [whole, ...fences.map(([, , inside = '']) => inside)];
  return candidates.some((candidate) => [parsed(candidate)].flat().some((value) => isCall(value, tools)));
}

/**
 * Calls of one of the tools, at a line's start. In a fence, some of them may be an example of what was added.
 */
function namedCalls(tools: readonly string[]): { inProse: RegExp[]; anywhere: RegExp } {
  const names = tools.map((tool) => tool.replaceAll(/\W/g, String.raw`\$&`)).join('|');
  const name = `(?:functions\\.|default_api\\.)?(?:${names})`;
  const start = '^[ \\t>]*';
  const inProse = [
    // Python: `[read(path="a.md")]`.
    `${start}(?:\\[|print\\()?${name}\\(\\s*(?:\\w+\\s*=|\\{\\s*["'])`,
    // Tags: `<read><path>`, `<tool name="read">`.
    `${start}<(?:(?:${names})>\\s*<\\w+>|(?:tool name=["']|call:)${name}\\b)`,
    `^>>>\\s*${name}\\s*$`,
  ];
  // ReAct, and JSON that other text surrounds, or that is broken.
  const action = `${start}[*#\` ]*(?:action|tool|tool call|function|call)[*: ]+\`?${name}[\`* ]*\\n\\s*(?:[*\` ]*(?:action )?(?:input|arguments|args|parameters)\\b[*: ]|\`\`\`|\\{)`;
  const json = `${start}\`?\\[?\\{\\s*${field(NAME_FIELDS)}["']${name}["']\\s*,\\s*${field(INPUT_FIELDS)}`;
  return { inProse: inProse.map((source) => new RegExp(source, 'm')), anywhere: new RegExp(`${action}|${json}`, 'im') };
}

const field = (names: readonly string[]): string => `["'](?:${names.join('|')})["']\\s*:\\s*`;

function isCall(value: unknown, tools: readonly string[]): boolean {
  const outer = fieldsOf(value);
  return [outer, outer.tool_calls, outer.function_call].flat().some((call) => {
    const fields = fieldsOf(call);
    const nested = fieldsOf(fields.function);
    const names = [...NAME_FIELDS.map((field) => fields[field]), nested.name];
    const hasInput = INPUT_FIELDS.some((field) => field in fields || field in nested);
    return (
      hasInput && names.some((name) => typeof name === 'string' && tools.includes(name.replace(/^functions\./, '')))
    );
  });
}

/** Objects and lists alone: a word or a number is JSON, too. */
const parsed = (text: string): unknown => (/^\s*[[{]/.test(text) ? jsonOf(text) : undefined);
