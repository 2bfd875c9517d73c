import { describe, expect, test } from 'vitest';
import { withoutThinking } from '../../../../src/agent/models/thinking.ts';

describe('thoughts', () => {
  test.each([
    ['in front of the answer', '<think>\nThe user wants links fixed.\n</think>\n\nFixed 3 links.', 'Fixed 3 links.'],
    ['in two blocks', '<think>a</think>\n<thinking>b</thinking>\nDone.', 'Done.'],
    ['under another name', '<Thought>hm</Thought> Done.', 'Done.'],
    ['whose beginning the template wrote', 'The user wants links fixed.\n</think>\n\nFixed 3 links.', 'Fixed 3 links.'],
    ['alone', '<think>\nThe user wants', ''],
    ['alone, closed', '<think>x</think>', ''],
    ['that are empty', '<think>\n\n</think>\n\nDone.', 'Done.'],
  ])('%s are not part of it', (_where, text, answer) => {
    expect(withoutThinking(text)).toBe(answer);
  });

  test.each([
    'Fixed 3 links.',
    'Described the tags `<think>` and `</think>` in guides/reasoning.',
    'The page explains <think> blocks and how they end with `</think>`.',
    'a < b, and c > d',
    '',
  ])('are not seen in %j', (text) => {
    expect(withoutThinking(text)).toBe(text);
  });

  test('of any length are found in linear time', () => {
    const text = `${'<'.repeat(100_000)}${'a'.repeat(100_000)}`;
    expect(withoutThinking(text)).toBe(text);
    expect(withoutThinking(`<think>${'<think>'.repeat(50_000)}`)).toBe('');
  });
});
