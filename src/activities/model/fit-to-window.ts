import {
  nextMark,
  requestTokens,
  roomOf,
  visibleTranscript,
  type CompactionMark,
  type RequestFrame,
  type TranscriptPart,
} from '../../agent/compaction.ts';
import { ModelProblem, type Model } from '../../agent/model.ts';
import type { TranscriptEntry } from '../../agent/transcript.ts';
import { addEvent } from '../../store/job-events.ts';
import { recordCompaction, type TranscriptRow } from '../../store/transcript.ts';
import { updateClaimedTurn } from '../../store/turn-fence.ts';
import type { CallAt } from '../../store/model-calls.ts';
import type { ActivityDeps } from '../deps.ts';

/** What the model is to see, and what it was made from. */
export interface Conversation {
  transcript: TranscriptEntry[];
  /** About how many tokens the request has. */
  tokens: number;
  parts: TranscriptPart[];
  mark: CompactionMark | null;
}

export interface Fitting {
  deps: Pick<ActivityDeps, 'db'>;
  claim: { jobId: string; no: number; fence: number };
  frame: RequestFrame;
  model: Model;
  at: CallAt;
}

/** Of the room that a conversation may take, what is left of it after it was shortened: the next time is some way off. */
const SHORTENED_TO = 0.5;

/** The conversation so far and what is said now, shortened where the model's window is too small for it. */
export async function fitToWindow(
  fitting: Fitting,
  rows: readonly TranscriptRow[],
  said: readonly TranscriptEntry[],
): Promise<Conversation> {
  const { at, model, frame } = fitting;
  const recorded = rows
    .filter(({ part }) => part !== 'compact')
    .map(({ turnNo, stepNo, entries }) => ({ turn: turnNo, step: stepNo, entries: entries as TranscriptEntry[] }));
  const parts = [...recorded, { turn: at.turnNo, step: at.stepNo, entries: said }];
  const newest = rows.findLast(({ part }) => part === 'compact')?.entries[0] as CompactionMark | undefined;
  const conversation = conversationOf(parts, newest ?? null, frame);
  if (model.contextTokens === null) return conversation;
  const room = roomOf(model.contextTokens);
  return conversation.tokens <= room
    ? conversation
    : ((await shorten(fitting, conversation, room * SHORTENED_TO)) ?? conversation);
}

/** The conversation shortened further, after the model found it too long. Null for another error, or where nothing can be left out. */
export async function shorterStill(
  fitting: Fitting,
  conversation: Conversation,
  err: unknown,
): Promise<Conversation | null> {
  if (!(err instanceof ModelProblem) || err.code !== 'model_context') return null;
  return shorten(fitting, conversation, conversation.tokens * SHORTENED_TO);
}

async function shorten(
  { deps, claim, frame, at }: Fitting,
  { parts, mark }: Conversation,
  targetTokens: number,
): Promise<Conversation | null> {
  const next = nextMark(parts, mark, frame, targetTokens);
  if (!next) return null;
  await deps.db.transaction(async (tx) => {
    await updateClaimedTurn(tx, claim, {});
    await recordCompaction(tx, at, next);
    const text = 'The conversation has grown long: older results were left out of what the model is shown.';
    await addEvent(tx, { jobId: at.jobId, type: 'step', turnNo: at.turnNo, text });
  });
  return conversationOf(parts, next, frame);
}

function conversationOf(parts: TranscriptPart[], mark: CompactionMark | null, frame: RequestFrame): Conversation {
  const transcript = visibleTranscript(parts, mark);
  return { transcript, tokens: requestTokens(frame, transcript), parts, mark };
}
