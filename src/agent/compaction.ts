import { z } from 'zod';
import type { ToolDefinition } from './model.ts';
import { jsonLength } from './json-length.ts';
import { estimateTokens } from './models/cost.ts';
import { digest, trimmed } from './shortened-entries.ts';
import type { TranscriptEntry } from './transcript.ts';

/** What was recorded of one half of a step, with its place in the job. */
export interface TranscriptPart {
  turn: number;
  step: number;
  entries: readonly TranscriptEntry[];
}

/**
 * From when on the model sees a shortened form of what lies before step `step` of turn `turn`. `trimmed`: long texts of calls and
 * results are left out. `digest`: of calls and results only a list is left. Recorded when it is decided, so that every later
 * request, and every repeat, begins with the same words: providers cache beginnings.
 */
const markSchema = z.object({
  role: z.literal('compaction'),
  turn: z.int(),
  step: z.int(),
  form: z.enum(['trimmed', 'digest']),
});

export type CompactionMark = z.infer<typeof markSchema>;

/** A mark as the database has it. @throws ZodError */
export function readMark([recorded]: readonly unknown[]): CompactionMark {
  return markSchema.parse(recorded);
}

/** What else is in every request. */
export interface RequestFrame {
  system: string;
  tools: readonly ToolDefinition[];
}

/** The transcript as the model is to see it. The user's messages are always whole; a call and its result stay together. */
export function visibleTranscript(parts: readonly TranscriptPart[], mark: CompactionMark | null): TranscriptEntry[] {
  if (!mark) return parts.flatMap(({ entries }) => entries);
  const isOld = ({ turn, step }: TranscriptPart) => turn < mark.turn || (turn === mark.turn && step < mark.step);
  const old = parts.filter(isOld).flatMap(({ entries }) => entries);
  const shortened = mark.form === 'trimmed' ? old.map(trimmed) : digest(old);
  return [...shortened, ...parts.filter((part) => !isOld(part)).flatMap(({ entries }) => entries)];
}

/** About how many tokens a request has. */
export function requestTokens({ system, tools }: RequestFrame, entries: readonly TranscriptEntry[]): number {
  const commas = Math.max(0, entries.length - 1);
  return estimateTokens(
    system.length + jsonLength(tools) + entries.reduce((sum, entry) => sum + sentLength(entry), 2 + commas),
  );
}

/** Characters of an entry without what its results hold for programs alone. */
function sentLength(entry: TranscriptEntry): number {
  if (entry.role !== 'tool') return jsonLength(entry);
  return entry.results.reduce((sum, result) => {
    const { data } = result;
    return sum - (data ? jsonLength(data) : 0) - (result.ok ? jsonLength(result.changed) : result.reason.length);
  }, jsonLength(entry));
}

/** Tokens that a request may have: the rest of the window is for the answer. */
export function roomOf(contextTokens: number): number {
  return contextTokens - Math.min(32_000, Math.round(contextTokens * 0.2));
}

/** From the mildest on: steps at the end that stay as they are, and the form of the rest. */
const FORMS: readonly [keep: number, form: CompactionMark['form']][] = [
  [8, 'trimmed'],
  [3, 'trimmed'],
  [3, 'digest'],
  [1, 'digest'],
];

/**
 * The mildest way to get a request down to `targetTokens`, or the one that gets nearest. Null where nothing is left that would
 * make it shorter.
 */
export function nextMark(
  parts: readonly TranscriptPart[],
  current: CompactionMark | null,
  frame: RequestFrame,
  targetTokens: number,
): CompactionMark | null {
  const tokensWith = (mark: CompactionMark | null) => requestTokens(frame, visibleTranscript(parts, mark));
  const now = tokensWith(current);
  let best: { mark: CompactionMark; tokens: number } | null = null;
  for (const [keep, form] of FORMS) {
    const from = keptFrom(parts, keep);
    if (!from) continue;
    const mark: CompactionMark = { role: 'compaction', ...from, form };
    const tokens = tokensWith(mark);
    if (tokens <= targetTokens) return mark;
    if (!best || tokens < best.tokens) best = { mark, tokens };
  }
  return best && best.tokens < now * 0.95 ? best.mark : null;
}

/** Where the last `keep` answers begin; null where there are not more than these. */
function keptFrom(parts: readonly TranscriptPart[], keep: number): { turn: number; step: number } | null {
  const answered = parts.filter(({ entries }) => entries.some(({ role }) => role === 'assistant'));
  const first = answered.at(-keep);
  return answered.length > keep && first ? { turn: first.turn, step: first.step } : null;
}
