import { describe, expect, test } from 'vitest';
import { readOutcome, withOutcome } from '@docent/models/conversation/declared-outcome';
import { AnswerBuilder } from '@docent/models/providers/answer-builder';
import { providerPrompt } from '@docent/models/providers/provider-prompt';
import { outcomeOf } from '../../../src/jobs/turn-life.ts';

const error = (code: string) => ({ code, message: '' });

describe('the closing text of a turn without changes', () => {
  test.each([
    ['It is in guides/start.\n\nOutcome: answered', 'It is in guides/start.', 'answered'],
    ['No such page.\n**Outcome:** refused', 'No such page.', 'refused'],
    ['All is so.\n\n`Outcome: Unchanged`.\n', 'All is so.', 'unchanged'],
    ['Outcome: refused', 'Outcome: refused', 'refused'],
    ['The outcome: refused deliveries are retried.', 'The outcome: refused deliveries are retried.', null],
    ['Outcome: answered\n\nAnd more.', 'Outcome: answered\n\nAnd more.', null],
    ['Outcome: published', 'Outcome: published', null],
  ])('is read from the last line: %j', (words, text, outcome) => {
    expect(readOutcome(words)).toEqual({ text, outcome });
  });

  test('is not a part of the words that people read, and is shown to the model again', () => {
    const builder = new AnswerBuilder([]);
    builder.add({ type: 'text-start', id: '1' });
    builder.add({ type: 'text-delta', id: '1', delta: 'Yes, it does.\n\nOutcome: answered' });
    const { text, toolCalls, outcome } = builder.build();
    expect({ text, outcome }).toEqual({ text: 'Yes, it does.', outcome: 'answered' });
    const said = providerPrompt({
      system: '',
      transcript: [
        { role: 'user', no: 1, text: 'Does it?' },
        { role: 'assistant', text, toolCalls, outcome: outcome! },
        { role: 'user', no: 2, text: 'Good.' },
      ],
    });
    expect(said[2]).toMatchObject({ content: [{ type: 'text', text: 'Yes, it does.\n\nOutcome: answered' }] });
    expect(withOutcome('Yes.\nOutcome: refused', 'refused')).toBe('Yes.\nOutcome: refused');
  });

  test('counts only in a turn that ended well and published nothing', () => {
    const none = { error: null };
    expect(outcomeOf({ state: 'published', declared: 'refused', ...none })).toBe('changed');
    expect(outcomeOf({ state: 'unchanged', declared: 'refused', ...none })).toBe('refused');
    expect(outcomeOf({ state: 'unchanged', declared: null, ...none })).toBe('unchanged');
    expect(outcomeOf({ state: 'published', error: error('limit_steps') })).toBe('failed');
    expect(outcomeOf({ state: 'failed', error: error('model_refused') })).toBe('refused');
    expect(outcomeOf({ state: 'failed', declared: 'answered', ...none })).toBe('failed');
    expect(outcomeOf({ state: 'cancelled', declared: 'answered', ...none })).toBeNull();
    expect(outcomeOf({ state: 'archived', ...none })).toBeNull();
  });
});
