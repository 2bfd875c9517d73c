import { describe, expect, test } from 'vitest';
import { isCallAsText } from '../../../src/agent/call-as-text.ts';

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
  ])('%s is one', (_form, text) => expect(isCall(text)).toBe(true));

  test.each([
    'Fixed 3 links.',
    'The page shows `<tool_call>` tags now.',
    'It is written like this:\n\n```xml\n<tool_call>\n{"name": "acme"}\n</tool_call>\n```',
    'Added this example:\n\n```json\n{"name": "acme", "arguments": {"path": "a.md"}}\n```',
    'Added this example:\n\n```json\n{"name": "read"}\n```',
    '{"name": "Acme", "version": "1.0.0"}',
    '',
  ])('is not seen in %j', (text) => expect(isCall(text)).toBe(false));
});
