import type { JobFailureCode } from '../platform/errors.ts';

/** A call of a tool, as the model asked for it. `input` is whatever the model wrote: the tool validates it. */
export interface ToolCall {
  id: string;
  name: string;
  input: unknown;
}

export interface ToolResult {
  callId: string;
  name: string;
  /** What the model reads. Bounded by the tool. */
  output: string;
  isError: boolean;
}

/**
 * What a notice is about, for models that do not read prose. `problems`: the checks found what the change broke.
 * `conflict`: others changed the files in `paths`, the agent's changes to these were dropped. `cancelled`: the messages
 * before are not to be carried out any further. `repeating`: the agent goes round in circles. `limit`: the turn ends, and the agent
 * is to sum up.
 */
export type NoticeKind = 'problems' | 'conflict' | 'cancelled' | 'repeating' | 'limit';

/** Why a turn ends before its work is done. The message is a sentence for people. */
export interface LimitReached {
  code: Extract<JobFailureCode, `limit_${string}`>;
  message: string;
}

/** One entry of a job's transcript, in order. Stored as JSON: fields may be added, never renamed. */
export type TranscriptEntry =
  /** A message of the user; `no` counts the job's messages from 1. */
  | { role: 'user'; no: number; text: string }
  /** What Docent itself tells the agent: problems that the checks found, conflicts, work that was not published. */
  | { role: 'notice'; text: string; kind?: NoticeKind; paths?: string[]; limit?: LimitReached }
  | {
      role: 'assistant';
      text: string;
      toolCalls: ToolCall[];
      /** `cut`: at the model's output limit. `refused`: nothing follows. `empty`: the model said nothing at all. */
      stop?: 'cut' | 'refused' | 'empty';
      /** The answer in the parts of the provider that gave it, where text and calls are not all of it. */
      native?: unknown[];
    }
  | { role: 'tool'; results: ToolResult[] };
