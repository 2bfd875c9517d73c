import { describe, expect, test } from 'vitest';
import { withoutThinking } from '@docent/models/providers/thinking';

describe('thoughts', () => {
  test.each([
    ['in front of the answer', '<think>\nThe user wants links fixed.\n</think>\n\nFixed 3 links.', 'Fixed 3 links.'],
    ['in two blocks', '<think>a</think>\n<thinking>b</thinking>\nDone.', 'Done.'],
    ['under another name', '<Thought>hm</Thought> Done.', 'Done.'],
    ['whose beginning the template wrote', 'The user wants links fixed.\n</think>\n\nFixed 3 links.', 'Fixed 3 links.'],
    ['alone', '<think>\nThe user wants', ''],
    ['alone, closed', '<think>x</think>', ''],
    ['in front of an answer in tags', '<think>a</think><answer>Done.</answer>', 'Done.'],
    ['with attributes', '<think time="3">a</think>Done.', 'Done.'],
    ['with another end', '<think>a</thinking>Done.', 'Done.'],
    ['with a second end', '<think>a</think>\n\n</think>\nDone.', 'Done.'],
    ['in other tags', '<reasoning_content>a</reasoning_content>\n<analysis>b</analysis>Done.', 'Done.'],
    ['of Seed', '<seed:think>a</seed:think>Done.', 'Done.'],
    ['of Magistral', '[THINK]a[/THINK]Done.', 'Done.'],
    ['of Kimi', '◁think▷a◁/think▷Done.', 'Done.'],
    [
      'of OpenThinker',
      '<|begin_of_thought|>a<|end_of_thought|>\n<|begin_of_solution|>Done.<|end_of_solution|>',
      'Done.',
    ],
    ['of Cohere', '<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>Done.<|END_RESPONSE|>', 'Done.'],
    ['of Apertus', '<|inner_prefix|>a<|inner_suffix|>Done.', 'Done.'],
    ['of MedGemma', '<unused94>thought\na<unused95>Done.', 'Done.'],
    ['of Gemma', '<|channel>thought\na\n<channel|>Done.', 'Done.'],
    ['of Granite', 'Here is my thought process:\na\n\nHere is my response:\nDone.', 'Done.'],
    [
      'of gpt-oss',
      '<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>Done.<|return|>',
      'Done.',
    ],
    ['of gpt-oss without special tokens', 'analysisThe user wants links.assistantfinalDone.', 'Done.'],
    ['behind the answer', 'Done.\n\n<think>more</think>', 'Done.'],
    ['within the answer', 'Done.\n\n<think>more</think>\nAlso moved.', 'Done.\n\nAlso moved.'],
    ['behind the answer, cut', 'Done.\n<think>\nNow I', 'Done.'],
    ['whose end the answer follows at once', 'The user wants links.</think>Done.', 'Done.'],
    ['in tags of special tokens', '<|thinking|>a<|/thinking|>Done.', 'Done.'],
    ['in brackets', '[REASONING]a[/REASONING]\nDone.', 'Done.'],
    ['in escaped tags', '&lt;think&gt;a&lt;/think&gt;\nDone.', 'Done.'],
    [
      'under names alike',
      '<seed:cot_budget_reflect>a</seed:cot_budget_reflect><chain_of_thought>b</chain_of_thought>Done.',
      'Done.',
    ],
    ['in a fence', '```thinking\na\n```\nDone.', 'Done.'],
    [
      'that can be unfolded',
      '<details type="reasoning"><summary>Thought for 3 seconds</summary>a</details>\nDone.',
      'Done.',
    ],
    ['of Ollama', 'Thinking...\na\n...done thinking.\n\nDone.', 'Done.'],
    ['under headings', '**Thinking:**\na\n\n**Answer:**\nDone.', 'Done.'],
    [
      'of gpt-oss for the user',
      '<|channel|>commentary<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>Done.',
      'Done.',
    ],
    ['of a chat template', '<think>a</think><|im_start|>assistant\nDone.<|im_end|>', 'Done.'],
    ['with a space in its tags', '<think >a</think >Done.', 'Done.'],
    ['with an escaped end', '<think>\na\n<\\/think>\nDone.', 'Done.'],
    ['in deliberations', '<deliberation>a</deliberation>Done.', 'Done.'],
    ['between marks of their own', '<|thought_start|>a<|thought_end|>Done.', 'Done.'],
    ['as a quotation', '> Thinking...\n> a\n\nDone.', 'Done.'],
    ['in front of a final answer', 'Reasoning: a\nb\n\nFinal answer: Done.', 'Done.'],
    ['that are empty', '<think>\n\n</think>\n\nDone.', 'Done.'],
  ])('%s are not part of it', (_where, text, answer) => {
    expect(withoutThinking(text)).toBe(answer);
  });

  test.each([
    'Fixed 3 links.',
    'Described the tags `<think>` and `</think>` in guides/reasoning.',
    'The page explains <think> blocks and how they end with `</think>`.',
    'a < b, and c > d',
    'Removed the stray </think> from the page.',
    'Added this example:\n\n```xml\n<think>\na\n</think>\n```\n\nIt shows the tags.',
    'Wrote about analysis and reflection.',
    '<Card> is documented now.',
    '<ReasonCard> is documented now.',
    '[Reasoning](guides/reasoning.md) is documented now.',
    '[Thoughts] is no link any more.',
    'Thinking about limits: described.',
    'Reasoning: it is described now.\n\nNothing else was changed.',
    '> Thinking of limits is quoted now.\n\nDone.',
    '',
  ])('are not seen in %j', (text) => {
    expect(withoutThinking(text)).toBe(text);
  });

  test('of any length are found in linear time', () => {
    const text = `${'<'.repeat(100_000)}${'a'.repeat(100_000)}`;
    expect(withoutThinking(text)).toBe(text);
    expect(withoutThinking(`<think>${'<think>'.repeat(50_000)}`)).toBe('');
    const start = performance.now();
    for (const block of ['Reasoning: \nfinal answer: ', 'analysisa assistantfinal ', '> thinking\n> a\n\n']) {
      withoutThinking(block.repeat(30_000));
    }
    for (const piece of [
      '> thinking\n',
      'Reasoning: ',
      '<|thought_start|>',
      '<|channel|>',
      '```\n',
      '</think',
      '<answer>',
      '<analysis ',
      'analysis ',
      ' \n',
    ]) {
      withoutThinking(`Done. </think>${piece.repeat(30_000)}`);
      withoutThinking(`<think>${piece.repeat(30_000)}</think>${piece.repeat(30_000)}`);
    }
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
