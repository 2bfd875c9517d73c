import { z } from 'zod';
import type { ToolDefinition } from '@docent/models/model';
import { shownLength } from '@docent/models/conversation/attached-files';
import { jsonLength } from './json-length.ts';
import { charactersOf, estimateTokens } from '@docent/models/cost';
import { digest, trimmed } from './shortened-entries.ts';
import type { TranscriptEntry } from '@docent/models/conversation/transcript';

/** The record of one half of a step, with its position in the job. */
export interface TranscriptPart {
  turn: number;
  step: number;
  entries: readonly TranscriptEntry[];
}

/**
 * Marks that the model sees everything before step `step` of turn `turn` in a shortened form. `trimmed`: long
 * results are reduced to their outcome. `digest`: calls and results become a list; the agent's text stays.
 * The mark is recorded, so that all later requests begin with the same text: providers cache beginnings. It
 * is always built from the whole transcript, never from a shortened one, so that nothing fades over time.
 */
const markSchema = z.object({
  role: z.literal('compaction'),
  turn: z.int(),
  step: z.int(),
  form: z.enum(['trimmed', 'digest']),
  /** Characters that a digest may have in addition to the user's messages. Absent before 0.2.0. */
  room: z.int().optional(),
});

export type CompactionMark = z.infer<typeof markSchema>;

/** A mark as stored in the database. @throws ZodError */
export function readMark([recorded]: readonly unknown[]): CompactionMark {
  return markSchema.parse(recorded);
}

/** The other parts of every request. */
export interface RequestFrame {
  system: string;
  tools: readonly ToolDefinition[];
}

/** The transcript as the model sees it. User messages stay whole; calls stay with their results. */
export function visibleTranscript(parts: readonly TranscriptPart[], mark: CompactionMark | null): TranscriptEntry[] {
  if (!mark) return parts.flatMap(({ entries }) => entries);
  const isOld = ({ turn, step }: TranscriptPart) => turn < mark.turn || (turn === mark.turn && step < mark.step);
  const old = parts.filter(isOld).flatMap(({ entries }) => entries);
  const shortened = mark.form === 'trimmed' ? old.map(trimmed) : digest(old, mark.room ?? ROOM.unknown);
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
  if (entry.role === 'user') return jsonLength(entry) + shownLength(entry.attachments ?? []);
  if (entry.role !== 'tool') return jsonLength(entry);
  return entry.results.reduce((sum, result) => {
    const { data } = result;
    return sum - (data ? jsonLength(data) : 0) - (result.ok ? jsonLength(result.changed) : result.reason.length);
  }, jsonLength(entry));
}

/** The most tokens of a request. The rest of the window is for the answer. */
export function roomOf(contextTokens: number): number {
  return contextTokens - Math.min(32_000, Math.round(contextTokens * 0.2));
}

/** Mildest first: how many last answers stay complete, and the form of the rest. */
const FORMS: readonly [keep: number, form: CompactionMark['form']][] = [
  [8, 'trimmed'],
  [3, 'trimmed'],
  [3, 'digest'],
  [1, 'digest'],
];
/** If even the newest results do not fit, the agent has to ask for less at a time. */
const LAST_RESORT = [0, 'digest'] as const;

/** Characters for a digest. */
const ROOM = { least: 4_000, most: 48_000, unknown: 32_000 };
/** The share of the free characters for a digest. Quoted as JSON, it is longer. */
const SHARE_OF_FREE = 0.8;

/**
 * The mildest mark for `targetTokens`, or the closest; null if none helps.
 * @param mostTokens the hard limit: only for it are the newest results left out
 */
export function nextMark(
  parts: readonly TranscriptPart[],
  current: CompactionMark | null,
  frame: RequestFrame,
  targetTokens: number,
  mostTokens = targetTokens * 2,
): CompactionMark | null {
  const tokensWith = (mark: CompactionMark | null) => requestTokens(frame, visibleTranscript(parts, mark));
  const now = tokensWith(current);
  let best: { mark: CompactionMark; tokens: number } | null = null;
  for (const [keep, form] of [...FORMS, LAST_RESORT]) {
    if (keep === 0 && best && best.tokens <= mostTokens && best.tokens < now * WORTHWHILE) break;
    const from = keptFrom(parts, keep);
    if (!from) continue;
    const mark = withRoom({ role: 'compaction', ...from, form }, targetTokens, tokensWith);
    const tokens = tokensWith(mark);
    if (tokens <= targetTokens) return mark;
    if (!best || tokens < best.tokens) best = { mark, tokens };
  }
  return best && best.tokens < now * WORTHWHILE ? best.mark : null;
}

/** Less than that is gained by leaving out a little more. */
const WORTHWHILE = 0.95;

/** A digest uses all the room that there is. */
function withRoom(
  mark: CompactionMark,
  targetTokens: number,
  tokensWith: (mark: CompactionMark) => number,
): CompactionMark {
  if (mark.form !== 'digest') return mark;
  const least = { ...mark, room: ROOM.least };
  const free = charactersOf(targetTokens - tokensWith(least)) * SHARE_OF_FREE;
  if (free <= 0) return least;
  const more = { ...mark, room: Math.min(ROOM.most, ROOM.least + Math.floor(free)) };
  return tokensWith(more) <= targetTokens ? more : least;
}

/** Where the last `keep` answers begin; null if there are no earlier ones. */
function keptFrom(parts: readonly TranscriptPart[], keep: number): { turn: number; step: number } | null {
  const answered = parts.filter(({ entries }) => entries.some(({ role }) => role === 'assistant'));
  const first = keep === 0 ? parts.at(-1) : answered.at(-keep);
  return answered.length > keep && first ? { turn: first.turn, step: first.step } : null;
}
