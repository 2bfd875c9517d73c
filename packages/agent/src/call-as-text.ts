import { fieldsOf, jsonOf } from '@docent/models/json-fields';

/** The beginning of a call in chat templates, at a line's start. In backticks it is text. */
const MARK =
  /^[ \t>]*(?:✿FUNCTION✿|<\|?(?:[\w-]+[:|_])?(?:(?:start_)?(?:tool|function)_?(?:calls?|use|code|request|response|results?|outputs?)\w*\|?>|python_tag|start_action|action_start|use_(?:mcp_)?tool\b|arg_key>|function=|(?:function|invoke) name=)|<\|channel\|>\s*commentary\b|functools\[)/im;
const BRACKETS = /^[ \t>]*\[TOOL_(?:CALLS?|REQUEST|USE)\]/m;
const FENCE = /^[ \t]*```([\w-]*)\n([\s\S]*?)\n[ \t]*```/gm;
const ONE_FENCE = /^\s*```[\w-]*\n((?:(?!```)[\s\S])*)\n[ \t]*```\s*$/;
/** A longer call at the end of a text is not looked for. */
const MAX_AT_END = 2_500;
const NAME_FIELDS = ['name', 'tool', 'tool_name', 'function', 'function_name', 'action', 'command', 'recipient_name'];
const INPUT_FIELDS = ['arguments', 'parameters', 'input', 'args', 'function_args', 'action_input'];
const LIST_FIELDS = ['tool_calls', 'tool_call', 'tool_uses', 'function_call', 'calls', 'actions', 'action'];

/**
 * Whether a text is a tool call written as text, so neither call nor answer.
 * @param tools names of the model's tools
 */
export function isCallAsText(text: string, tools: readonly string[]): boolean {
  // The special tokens of DeepSeek.
  const plain = text.replaceAll('｜', '|').replaceAll('▁', '_');
  const whole = ONE_FENCE.exec(plain)?.[1] ?? plain;
  const { inProse, atEnd, anywhere } = namedCalls(tools);
  const prose = whole.replaceAll(FENCE, '');
  if ([MARK, BRACKETS, ...inProse].some((mark) => mark.test(prose)) || anywhere.test(plain)) return true;
  if (atEnd.test(prose.slice(-MAX_AT_END))) return true;
  const fences = Array.from(plain.matchAll(FENCE));
  if (fences.some(([, language]) => language === 'tool_code')) return true;
  const only = [parsed(whole)].flat().map(fieldsOf);
  if (only.some((fields) => isOnlyCall(fields, tools))) return true;
  const last = /```[\w-]*\n([^`]*)\n[ \t]*```\s*$/.exec(plain)?.[1] ?? '';
  if (isSpreadCall(fieldsOf(parsed(last)), tools)) return true;
  const candidates = [whole, ...fences.map(([, , inside = '']) => inside)];
  return candidates.some((candidate) => [parsed(candidate)].flat().some((value) => isCall(value, tools)));
}

/**
 * Calls of one of the tools, at a line's start. In a fence, some of them may be an example of what was added.
 */
function namedCalls(tools: readonly string[]): { inProse: RegExp[]; atEnd: RegExp; anywhere: RegExp } {
  const names = tools.map((tool) => tool.replaceAll(/\W/g, String.raw`\$&`)).join('|');
  const name = `(?:functions\\.|default_api\\.)?(?:${names})`;
  const start = '^[ \\t>]*';
  const inProse = [
    // Python: `[read(path="a.md")]`.
    `${start}(?:\\[|print\\()?${name}\\(\\s*(?:\\w+\\s*=|\\{\\s*["'])`,
    // Tags: `<read><path>`, `<read path="a.md">`, `<tool name="read">`, `<action>read</action>`.
    `${start}<(?:(?:${names})(?:>\\s*(?:<\\w+>|\\{\\s*["'])| \\w+=["'])|(?:tool name=["']|call:)${name}\\b)`,
    `${start}<(?:tool|tool_name|function|action|name|execute|command)>\\s*${name}\\b`,
    `^>>>\\s*${name}\\s*$`,
    // Of gpt-oss, whatever is left of its special tokens.
    `(?<!\`)\\bto=(?:functions\\.\\w|(?:${names})\\b)`,
  ];
  // `read("a.md")`, `read: {"path": "a.md"}`, `I call read with {"path": "a.md"}`.
  const atEnd =
    `${start}(?:await |[$/]|tool_call\\(name=["']|[@*\`]|(?:tool|call|tool_call|action|function)\\W{1,3}|.{0,80}\\b(?:call|use|run)\\b.{0,10})?` +
    `${name}[\`*]{0,3}(?:\\(\\s*(?:["'{]|\\w+\\s*[:=])|["'\\s:=,>-]{0,4}(?:with |arguments=)?\\{\\s*["'\\w]|: ?\\{)` +
    `[\\s\\S]{0,2000}[)}\\]][;.\`]{0,2}\\s*(?![\\s\\S])`;
  // ReAct, and JSON that other text surrounds, or that is broken.
  const action = `${start}[*#\` ]*(?:action|tool|tool call|function|call)[*: ]+\`?${name}[\`* ]*(?:[([{]|\\n\\s*(?:[*\` ]*(?:action )?(?:input|arguments|args|param(?:eter)?s)\\b[*: ]|\`\`\`|\\{))`;
  const json = `${start}\`?\\[?\\{\\s*(?:["'](?:type|id)["']\\s*:\\s*["'][\\w-]*["']\\s*,\\s*){0,2}${field(NAME_FIELDS)}["']${name}["']\\s*,\\s*${field(INPUT_FIELDS)}`;
  return {
    inProse: inProse.map((source) => new RegExp(source, 'm')),
    atEnd: new RegExp(atEnd, 'm'),
    anywhere: new RegExp(`${action}|${json}`, 'im'),
  };
}

const field = (names: readonly string[]): string => `["'](?:${names.join('|')})["']\\s*:\\s*`;

/**
 * The whole answer: `{"read": {…}}`, or a name beside the fields of the input: `{"tool": "read", "path":
 * "a.md"}`.
 */
function isOnlyCall(fields: Record<string, unknown>, tools: readonly string[]): boolean {
  const names = NAME_FIELDS.map((field) => fields[field]);
  return tools.some((name) => names.includes(name) || (Object.keys(fields).length === 1 && name in fields));
}

/** `{"tool": "read", "path": "a.md"}` at the end. With other names of its first field, it may be an example. */
const isSpreadCall = (fields: Record<string, unknown>, tools: readonly string[]): boolean =>
  Object.keys(fields).length > 1 && [fields.tool, fields.tool_name].some((name) => tools.includes(String(name)));

function isCall(value: unknown, tools: readonly string[]): boolean {
  const outer = fieldsOf(value);
  return [outer, ...LIST_FIELDS.map((field) => outer[field])].flat().some((call) => {
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

const ACTS =
  'read|look|check|search|find|list|open|edit|fix|update|change|add|create|write|move|rename|delete|remove|replace|' +
  'start|begin|examine|explore|inspect|review|proceed|continue|make|use|call|try|verify';
const ANNOUNCEMENT = new RegExp(
  String.raw`(?:^|[.!?:]\s+|\n\s*)(?:(?:okay|ok|sure|great|now|first|next|then|so)[,.!]?\s+){0,3}` +
    String.raw`(?:I(?:['’]ll| will| need to| should|['’]m going to| am going to)|let(?: me|['’]s))\s+(?:(?:now|first|also|then|next)\s+)?` +
    String.raw`(?:${ACTS})\b(?![^.!?\n]{0,300}\b(?:if|once|when|after|unless|until)\b)(?:[^.!?:…\n]|[.:](?=\S)){0,300}[.:…]{0,3}\s*$`,
  'i',
);

/** Whether a text only ends with what the model is about to do, so that it is no answer. */
export const isAnnouncement = (text: string): boolean => ANNOUNCEMENT.test(text.slice(-500));
