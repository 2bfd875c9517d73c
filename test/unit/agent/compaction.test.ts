import { assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  nextMark,
  requestTokens,
  roomOf,
  visibleTranscript,
  type TranscriptPart,
} from '../../../src/agent/compaction.ts';
import { providerPrompt } from '../../../src/agent/models/provider-prompt.ts';
import type { ToolResult } from '../../../src/agent/tools/tool-call.ts';
import type { TranscriptEntry } from '../../../src/agent/transcript.ts';

const frame = { system: 'You edit docs.', tools: [] };

/** A job of one message per turn and many steps that read much. */
function jobOf(turns: number, steps: number, outputLength: number): TranscriptPart[] {
  const parts: TranscriptPart[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    for (let step = 1; step <= steps; step++) {
      const id = `c${turn}-${step}`;
      const user: TranscriptEntry[] =
        step === 1 ? [{ role: 'user', no: turn, text: `Request ${turn}: ${'please '.repeat(50)}` }] : [];
      const calls = [{ id, name: 'read', input: { path: `guides/page-${step}.mdx` } }];
      parts.push({ turn, step, entries: [...user, { role: 'assistant', text: '', toolCalls: calls }] });
      const results = [{ callId: id, name: 'read', ok: true as const, text: 'x'.repeat(outputLength), changed: [] }];
      parts.push({ turn, step, entries: [{ role: 'tool', results }] });
    }
    parts.push({
      turn,
      step: steps + 1,
      entries: [{ role: 'assistant', text: `Closing words of turn ${turn}.`, toolCalls: [] }],
    });
  }
  return parts;
}

/** Every result right behind its call, and no call without one: what providers insist on. */
function expectPairs(entries: readonly TranscriptEntry[]): void {
  const prompt = providerPrompt({ system: '', transcript: entries });
  let open: string[] = [];
  for (const message of prompt) {
    if (message.role === 'tool') {
      const ids = message.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []));
      expect(ids).toEqual(open);
      open = [];
      continue;
    }
    expect(open).toEqual([]);
    if (message.role === 'assistant') {
      open = message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
      expect(message.content.length).toBeGreaterThan(0);
    }
  }
  expect(open).toEqual([]);
}

function users(entries: readonly TranscriptEntry[]): TranscriptEntry[] {
  return entries.filter(({ role }) => role === 'user');
}

const tokensOf = (results: ToolResult[]) => requestTokens(frame, [{ role: 'tool', results }]);

describe('a conversation that is too long', () => {
  test('is brought below the target, keeps what the user said whole, and keeps calls and results together', () => {
    assert(
      property(
        integer({ min: 1, max: 4 }),
        integer({ min: 4, max: 40 }),
        integer({ min: 0, max: 20_000 }),
        integer({ min: 4_000, max: 60_000 }),
        (turns, steps, outputLength, target) => {
          const parts = jobOf(turns, steps, outputLength);
          const before = requestTokens(frame, visibleTranscript(parts, null));
          const mark = nextMark(parts, null, frame, target);
          const after = visibleTranscript(parts, mark);
          expectPairs(after);
          expect(users(after)).toEqual(users(visibleTranscript(parts, null)));
          if (mark && before > target) expect(requestTokens(frame, after)).toBeLessThan(before);
          expect(visibleTranscript(parts, mark)).toEqual(after);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('loses long old results first, and says what they were', () => {
    const parts = jobOf(1, 30, 8_000);
    const mark = nextMark(parts, null, frame, 40_000);
    expect(mark).toMatchObject({ form: 'trimmed', turn: 1 });
    const after = visibleTranscript(parts, mark);
    const [first, last] = [after.find(({ role }) => role === 'tool'), after.findLast(({ role }) => role === 'tool')];
    expect(first?.role === 'tool' && first.results[0]!.text).toMatch(
      /8,000 characters in all, left out.*Call read again/s,
    );
    expect(last?.role === 'tool' && last.results[0]!.text).toBe('x'.repeat(8_000));
  });

  test('loses old calls where that is not enough, and keeps a list of them and the closing words', () => {
    const parts = jobOf(3, 120, 10);
    const mark = nextMark(parts, null, frame, 8_000);
    expect(mark).toMatchObject({ form: 'digest' });
    const text = JSON.stringify(visibleTranscript(parts, mark));
    expect(text).toContain('read path');
    expect(text).toContain('Closing words of turn 1.');
  });

  test('can be shortened no further when there is nothing left to leave out', () => {
    const parts = [{ turn: 1, step: 1, entries: [{ role: 'user' as const, no: 1, text: 'x'.repeat(100_000) }] }];
    expect(nextMark(parts, null, frame, 1_000)).toBeNull();
    const long = jobOf(1, 40, 5_000);
    let mark = nextMark(long, null, frame, 1);
    for (let i = 0; mark && i < 10; i++) mark = nextMark(long, mark, frame, 1);
    expect(mark).toBeNull();
  });

  test('keeps its beginning from step to step, so that providers find it in their caches', () => {
    const parts = jobOf(1, 30, 8_000);
    const mark = nextMark(parts, null, frame, 40_000);
    const now = visibleTranscript(parts, mark);
    const later = visibleTranscript(
      [
        ...parts,
        ...jobOf(1, 31, 100)
          .slice(-3, -1)
          .map((part) => ({ ...part, step: 40 })),
      ],
      mark,
    );
    expect(JSON.stringify(later).startsWith(JSON.stringify(now).slice(0, -1))).toBe(true);
  });

  test('is no longer by what results hold for programs alone', () => {
    const result = { callId: '1', name: 'edit', ok: true as const, text: 'Replaced.', changed: [] as string[] };
    const changed = Array.from({ length: 100 }, (_, i) => `page-${i}.md`);
    const left = { tool: 'edit', replaced: 100, left: { code: 7 } } as const;
    expect(tokensOf([{ ...result, changed, data: left }])).toBeLessThan(tokensOf([result]) + 10);
  });

  test('leaves room for the answer', () => {
    expect(roomOf(200_000)).toBe(168_000);
    expect(roomOf(32_000)).toBe(25_600);
  });
});
