import { describe, expect, test } from 'vitest';
import { isAnnouncement, isCallAsText } from '@docent/agent/call-as-text';

const TOOLS = ['read', 'edit', 'search'];
const isCall = (text: string) => isCallAsText(text, TOOLS);

describe('a call that a model wrote as text', () => {
  test.each([
    ['of Hermes and Qwen', '<tool_call>\n{"name": "read", "arguments": {"path": "a.md"}}\n</tool_call>'],
    ['behind words', 'I read the page first.\n\n<tool_call>{"name": "read"}</tool_call>'],
    ['of Mistral', '[TOOL_CALLS][{"name": "read", "arguments": {}}]'],
    ['of Llama', '<function=read>{"path": "a.md"}</function>'],
    ['of Llama with Python', '<|python_tag|>read(path="a.md")'],
    ['of gpt-oss', '<|channel|>commentary to=functions.read <|message|>{"path": "a.md"}'],
    ['in a fence', 'Next:\n\n```json\n{"name": "edit", "arguments": {"path": "a.md"}}\n```'],
    ['as JSON alone', '{"tool": "search", "input": {"query": "x"}}'],
    ['as a list', '[{"function": {"name": "functions.read", "arguments": "{}"}}]'],
    ['of DeepSeek', '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{}\n```'],
    ['of DeepSeek in tags', '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read">\n</｜DSML｜invoke>'],
    ['of Claude', '<function_calls><invoke name="read">'],
    ['of GLM', '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a.md</arg_value>\n</tool_call>'],
    ['of Kimi', '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{}'],
    ['of MiniMax', '<minimax:tool_call>\n<invoke name="read">'],
    ['of Seed', '<seed:tool_call><function=read>'],
    ['of Cohere', '<|START_ACTION|>[{"tool_name": "read", "parameters": {}}]<|END_ACTION|>'],
    ['of InternLM', '<|action_start|><|plugin|>{"name": "read", "parameters": {}}<|action_end|>'],
    ['of FunctionGemma', '<start_function_call>call:read{path:a.md}<end_function_call>'],
    ['of Gemma', '```tool_code\nread(path="a.md")\n```'],
    ['of Llama in Python', '[read(path="a.md"), search(query="x")]'],
    ['as a function', 'I read the page.\n\nread({"path": "a.md"})'],
    ['as a function in a fence', '```python\nread(path="a.md")\n```'],
    ['of Phi', 'functools[{"name": "read", "arguments": {}}]'],
    ['of Nemotron', '<TOOLCALL>[{"name": "read", "arguments": {}}]</TOOLCALL>'],
    ['of Functionary', '>>>read\n{"path": "a.md"}'],
    ['of gpt-oss without special tokens', 'assistantcommentary to=functions.read json{"path": "a.md"}'],
    ['of LM Studio', '[TOOL_REQUEST]{"name": "read"}[END_TOOL_REQUEST]'],
    ['as tags', 'I read it.\n\n<edit>\n<path>a.md</path>\n<old>x</old>\n</edit>'],
    ['of ReAct', 'Thought: I need the page.\nAction: read\nAction Input: {"path": "a.md"}'],
    ['under a heading', '**Tool call:** `read`\n```json\n{"path": "a.md"}\n```'],
    ['as JSON behind words', 'I read the page.\n{"name": "read", "arguments": {"path": "a.md"}}\n\nThen I edit.'],
    ['as two lines of JSON', '{"name": "read", "arguments": {}}\n{"name": "edit", "arguments": {}}'],
    ['as JSON that is cut', '{"name": "read", "arguments": {"path": "a.md"'],
    ['as a Python dictionary', "{'name': 'read', 'arguments': {'path': 'a.md'}}"],
    ['as JSON in backticks', '`{"name": "read", "arguments": {"path": "a.md"}}`'],
    ['in the form of the API', '{"tool_calls": [{"function": {"name": "read", "arguments": "{}"}}]}'],
    ['with its name as key', '{"read": {"path": "a.md"}}'],
    ['with its fields beside the name', '{"name": "read", "path": "a.md"}'],
    ['of LongCat', '<longcat_tool_call>read\n<longcat_arg_key>path</longcat_arg_key>'],
    ['as a tag with attributes', '<read path="a.md" />'],
    ['as a tag with JSON', '<edit>\n{"path": "a.md"}\n</edit>'],
    ['in tags of its parts', '<tool>read</tool>\n<args>{"path": "a.md"}</args>'],
    ['with a position', 'I read it first.\n\nread("a.md")'],
    ['as a function of TypeScript', 'await read({ path: "a.md" });'],
    ['of ReAct on one line', 'Action: read["a.md"]'],
    ['as a name and JSON', 'read: {"path": "a.md"}'],
    ['in a sentence at the end', 'I will now call `read` with {"path": "a.md"}.'],
    ['of gpt-oss in short', 'to=read code\n{"path": "a.md"}'],
    ['of Qwen', '✿FUNCTION✿: read\n✿ARGS✿: {"path": "a.md"}'],
    ['with its type first', 'Next.\n{"type": "tool_use", "id": "1", "name": "read", "input": {"path": "a.md"}}'],
    ['as parallel calls', '{"tool_uses": [{"recipient_name": "functions.read", "parameters": {"path": "a.md"}}]}'],
    ['with other names of fields', '{"function_name": "read", "function_args": {"path": "a.md"}}'],
    ['with its fields beside the name, at the end', 'I read it.\n```json\n{"tool": "read", "path": "a.md"}\n```'],
    ['in backticks, at the end', 'I will now call:\n\n`read(path="a.md")`'],
    ['in a tag for tools', '<use_tool name="read"><path>a.md</path></use_tool>'],
    ['as an action with its name within', '{"action": {"name": "read", "args": {"path": "a.md"}}}'],
    ['of ReAct in other words', 'Call: read\nParams: path=a.md'],
    ['whose beginning is lost', '<arg_key>path</arg_key>\n<arg_value>a.md</arg_value>\n</tool_call>'],
    ['with an answer that the model made up', '<tool_response>\n{"content": "..."}\n</tool_response>'],
    ['as a command', '/read {"path": "a.md"}'],
    ['in tags in a fence', '```xml\n<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>\n```'],
  ])('%s is one', (_form, text) => expect(isCall(text)).toBe(true));

  test.each([
    'Fixed 3 links.',
    'The page shows `<tool_call>` tags now.',
    'It is written like this:\n\n```xml\n<tool_call>\n{"name": "acme"}\n</tool_call>\n```',
    'Added this example:\n\n```json\n{"name": "acme", "arguments": {"path": "a.md"}}\n```',
    'Added this example:\n\n```json\n{"name": "read"}\n```',
    '{"name": "Acme", "version": "1.0.0"}',
    'Added the tags <tool_call> and </tool_call> to the page.',
    '[read](guides/read.md) now links the page.',
    '[tool_calls](guides/tool-calls.md) is a new page.',
    'read(2) is a system call, and read(path) is documented.',
    'Added this example:\n\n```python\nclient.read(path="a.md")\n```',
    'Added this example:\n\n```python\nsearch(query="x")\n```',
    'Added this setting:\n\n```json\n{"search": {"provider": "algolia"}}\n```',
    'Added the example `read("a.md")` to the page.',
    'Described search: readers can call search(query) now.',
    'Write: nothing was needed (see guides/a.md).',
    'Added:\n\n```ts\nawait read({ path: "a.md" });\n```',
    'Action: none is needed.\n\nInput: the page.',
    '',
  ])('is not seen in %j', (text) => expect(isCall(text)).toBe(false));

  test.each([
    '<tool name="',
    'Action: read\n',
    '{"name": "',
    '```json\n',
    '{"tool_calls":[',
    '[read(path=',
    'read: {"a"]\n',
  ])('is searched for in linear time in many of %j', (piece) => {
    const start = performance.now();
    isCall(piece.repeat(30_000));
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe('an answer that only announces work', () => {
  test.each([
    'Let me read the quickstart page first.',
    "I'll look at guides/a.md now:",
    'The page has a broken link.\n\nNow I will fix it.',
    'Okay, first I need to find the page…',
    "Sure! I'm going to update docs.json and then move the page.",
    'I understand. Let’s start with the links.',
  ])('is one: %j', (text) => expect(isAnnouncement(text)).toBe(true));

  test.each([
    'Fixed 3 links.',
    'Let me know if you need more.',
    'I will not change the page.',
    'I will add it once you name the page.',
    'Which page do you mean? I need to know its path.',
    'Let me read the page. It is right as it is.',
    'Added a section "Now I will read".\n\nIt has two lines.',
    'Let me explain: the link was wrong.',
    '',
  ])('is none: %j', (text) => expect(isAnnouncement(text)).toBe(false));

  test('is searched for in linear time', () => {
    const start = performance.now();
    isAnnouncement('now then so '.repeat(100_000));
    isAnnouncement('Let me read a.b '.repeat(100_000));
    expect(performance.now() - start).toBeLessThan(500);
  });
});
