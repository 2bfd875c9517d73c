import {
  nextMark,
  requestTokens,
  roomOf,
  visibleTranscript,
  type CompactionMark,
  type RequestFrame,
  type TranscriptPart,
} from '@docent/agent/compaction';
import { ModelProblem, type Model } from '@docent/models/model';
import type { TranscriptEntry } from '@docent/models/conversation/transcript';
import { addEvent } from '../../store/jobs/job-events.ts';
import { recordCompaction } from '../../store/jobs/transcript.ts';
import { updateClaimedTurn } from '../../store/jobs/turn-fence.ts';
import type { CallAt } from '../../store/jobs/model-calls.ts';
import type { ActivityDeps } from '../deps.ts';
import type { RecordedPart } from './transcript-memory.ts';

/** The conversation for the model, and its source. */
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

/** A shortened conversation's share of the room, so that the next shortening is some way off. */
const SHORTENED_TO = 0.5;
/** The share of a conversation that was too long: the window is unknown, and asking takes time. */
const SURELY_SHORTER = 0.8;

/** The conversation with the new entries, shortened if the model's window is too small for it. */
export async function fitToWindow(
  fitting: Fitting,
  rows: readonly RecordedPart[],
  said: readonly TranscriptEntry[],
): Promise<Conversation> {
  const { at, model, frame } = fitting;
  const recorded = rows
    .filter(({ mark }) => mark === null)
    .map(({ turnNo, stepNo, entries }) => ({ turn: turnNo, step: stepNo, entries }));
  const parts = [...recorded, { turn: at.turnNo, step: at.stepNo, entries: said }];
  const newest = rows.findLast(({ mark }) => mark !== null)?.mark ?? null;
  const conversation = conversationOf(parts, newest, frame);
  if (model.contextTokens === null) return conversation;
  const room = roomOf(model.contextTokens);
  return conversation.tokens <= room
    ? conversation
    : ((await shorten(fitting, conversation, room * SHORTENED_TO, room)) ?? conversation);
}

/** Shortens a conversation that was too long. Null for other errors, or if it cannot be shorter. */
export async function shorterStill(
  fitting: Fitting,
  conversation: Conversation,
  err: unknown,
): Promise<Conversation | null> {
  if (!(err instanceof ModelProblem) || err.code !== 'model_context') return null;
  const { tokens } = conversation;
  return shorten(fitting, conversation, tokens * SHORTENED_TO, tokens * SURELY_SHORTER);
}

async function shorten(
  { deps, claim, frame, at }: Fitting,
  { parts, mark }: Conversation,
  targetTokens: number,
  mostTokens: number,
): Promise<Conversation | null> {
  const next = nextMark(parts, mark, frame, targetTokens, mostTokens);
  if (!next) return null;
  await deps.db.transaction(async (tx) => {
    await updateClaimedTurn(tx, claim, {});
    await recordCompaction(tx, at, next);
    const text = 'The conversation is long, so older results are shortened to a summary line for the model.';
    await addEvent(tx, { jobId: at.jobId, type: 'step', turnNo: at.turnNo, text });
  });
  return conversationOf(parts, next, frame);
}

function conversationOf(parts: TranscriptPart[], mark: CompactionMark | null, frame: RequestFrame): Conversation {
  const transcript = visibleTranscript(parts, mark);
  return { transcript, tokens: requestTokens(frame, transcript), parts, mark };
}
