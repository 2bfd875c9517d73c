const NAMES =
  '(?:\\w{1,20}:)?(?:think|thinking|thoughts?|reasoning|reasoning_content|reflection|analysis|scratchpad|antthinking|inner_monologue)';
/** Other names of tags, which count only with their end: `chain_of_thought`, `seed:cot_budget_reflect`. */
const SIMILAR =
  '(?:[\\w-]{1,20}[:_])?(?:\\w{1,20}_)?(?:(?:ds|ant)?think|thought|reason|reflect|deliberat|brainstorm|scratch_?pad|cot|monologue|internal)[a-z_]{0,20}';
/** What starts and ends a tag in some model. A link in Markdown is none. */
const [LEFT, RIGHT] = ['(?:<\\|?|\\[|＜|&lt;)', '(?:\\|?>|\\](?!\\()|＞|&gt;)'];

/** What encloses thoughts: the tags of most models, and the special tokens of some chat templates. */
const ENCLOSED: [opening: string, closing: string][] = [
  ['<details[^<>\\n]{0,200}>\\s*(?:<summary>)?[^<\\n]{0,40}(?:thinking|thought|reasoning)', '</details>'],
  ['```(?:think|thought|reason)\\w*\\n', '\\n```'],
  // Ollama.
  ['thinking\\.\\.\\.\\n(?=[\\s\\S]*?done thinking)', '\\.\\.\\.done thinking\\.?'],
  [
    '[*#> ]*(?:thinking|thoughts?|thought process|reasoning)[*: ]*\\n(?=[\\s\\S]*?\\n[*#> ]*(?:final )?(?:answer|response)[*: ]*\\n)',
    '\\n[*#> ]*(?:final )?(?:answer|response)[*: ]*\\n',
  ],
  ['> ?(?:thinking|thoughts?|reasoning)\\b[^\\n]{0,40}\\n(?=>)', '(?=\\n(?!>))'],
  // Kimi.
  ['◁think▷', '◁/think▷'],
  ['<\\|begin_of_thought\\|>', '<\\|end_of_thought\\|>'],
  ['<\\|(?:thought|thinking|reasoning)_start\\|>', '<\\|(?:thought|thinking|reasoning)_end\\|>'],
  // Cohere.
  ['<\\|START_THINKING\\|>', '<\\|END_THINKING\\|>'],
  // Apertus.
  ['<\\|inner_prefix\\|>', '<\\|inner_suffix\\|>'],
  // Gemma.
  ['<unused94>', '<unused95>'],
  ['<\\|channel>thought', '<channel\\|>'],
  // Granite.
  ["Here(?: is|'s) my thought process:", "Here(?: is|'s) my response:"],
  // gpt-oss, and the same if a server left out the special tokens.
  ['(?:<\\|start\\|>assistant)?<\\|channel\\|>(?:analysis|commentary)<\\|message\\|>', '<\\|end\\|>'],
  ['analysis(?=\\S[\\s\\S]*assistantfinal)', 'assistantfinal'],
  [`<${NAMES}(?: [^<>\\n]{0,200})?>`, `<\\s?\\\\?/\\s?${NAMES}\\s?>`],
  ['\\[THINK\\]', '\\[/THINK\\]'],
  [
    `${LEFT}${SIMILAR}(?: [^<>\\n]{0,200})?${RIGHT}(?=[\\s\\S]*?${LEFT}/${SIMILAR}${RIGHT})`,
    `${LEFT}/${SIMILAR}${RIGHT}`,
  ],
];
/** The thoughts may lack their end, for an answer that is still being written. */
const ANY_BLOCK = ENCLOSED.map(([opening, closing]) => `${opening}[\\s\\S]*?(?:${closing}|(?![\\s\\S]))`).join('|');
/** Blocks of thoughts at the beginning. Each may look to the end of the text: more would take too long. */
const FIRST = new RegExp(`^\\s*(?:(?:${ANY_BLOCK})\\s*){1,30}`, 'i');
const NAMED = /^\s*(?:thoughts?|reasoning): [\s\S]*?\nfinal answer: /i;
/** Blocks at a later line's start, outside of fences. Pages may have tags of the other names there. */
const LATER =
  /^[ \t]*(```|~~~)[\s\S]*?^[ \t]*\1[^\n]*$|^[ \t]*(?:<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|(?![\s\S]))|\[THINK\][\s\S]*?\[\/THINK\])[ \t]*\n?/gm;
/**
 * Thoughts whose opening tag the chat template wrote, so that only the closing one arrives. In backticks, or
 * in a sentence, it belongs to the answer.
 */
const ONLY_END =
  /^(?:(?!<(?:think|thinking|thoughts?|reasoning)>|\[THINK\]|◁think▷)[\s\S])*?(?<!`)(?:<\/(?:think|thinking|thoughts?|reasoning)>|\[\/THINK\]|◁\/think▷|<\|(?:END_THINKING|end_of_thought)\|>|<unused95>)(?!`)(?:[ \t]*(?:\n|$)\s*|(?=[\p{L}\p{N}#*-]))/iu;
/** What some models put around the answer behind their thoughts. */
const BEFORE =
  /^\s*(?:(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>|(?:<\|im_start\|>|<\|start_header_id\|>)?assistant(?:<\|end_header_id\|>)?\n|<\|assistant\|>|<start_of_turn>model\n|<\|(?:begin_of_solution|START_RESPONSE|begin_of_box)\|>|<(?:answer|output|response|final_answer)>)\s*/i;
const BEHIND =
  /\s?(?:<\|(?:return|end|im_end|eot_id|endoftext|end_of_solution|END_RESPONSE|end_of_box)\|>|<\/s>|<end_of_turn>|<\/(?:answer|output|response|final_answer)>)\s*$/i;
/** Called for each piece of an answer: most have none of these. */
const ANY_MARK = new RegExp(
  `(?:<|\\[|＜|&lt;)\\|?/?(?:${NAMES}|${SIMILAR})[ >\\]|＞&]|think▷|^\\s*<details|^\\s*\`\`\`(?:think|thought|reason)|^[\\s*#>]*(?:thinking|thought|reasoning|assistant)|<start_of_turn>|<\\|\\w|<channel\\|>|<unused9|^\\s*<\\w+>|</\\w+>\\s*$|<end_of_turn>|my thought process:|assistantfinal`,
  'i',
);

/**
 * An answer without the thoughts that a model wrote beside it. Servers without a reasoning parser return them
 * as text. They must not appear in a title, commit or description. Empty if there are only thoughts.
 */
export function withoutThinking(text: string): string {
  if (!ANY_MARK.test(text)) return text;
  const behindFirst = text.replace(FIRST, '').replace(NAMED, '');
  const answer = behindFirst.replace(ONLY_END, '').replace(LATER, (whole, fence?: string) => (fence ? whole : ''));
  const isWrapped = BEFORE.test(answer);
  const bare = isWrapped || BEHIND.test(answer) ? answer.replace(BEFORE, '').replace(BEHIND, '') : answer;
  return bare === text ? text : bare.trimEnd();
}
