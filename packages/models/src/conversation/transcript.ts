import { z } from 'zod';
import { declaredOutcomeSchema } from './declared-outcome.ts';
import { limitReachedSchema } from './limit-reached.ts';
import { toolCallSchema, toolResultSchema } from './tool-call.ts';

/** A notice of Docent to the agent. Models that are programs read the other fields instead of the text. */
const noticeSchema = z.object({
  role: z.literal('notice'),
  text: z.string(),
  /**
   * `problems`: the checks found what the change broke. `conflict`: others changed the files in `paths`, and
   * the agent's changes to these were dropped. `citations`: some are invalid. `cancelled`: the messages
   * before it are no longer to be carried out. `repeating`: the agent repeats itself. `limit`: the turn ends,
   * and the agent should sum up.
   */
  kind: z.enum(['problems', 'conflict', 'citations', 'cancelled', 'repeating', 'limit']).optional(),
  paths: z.array(z.string()).optional(),
  /** The problems that the text lists, a line each. */
  problems: z.array(z.string()).optional(),
  limit: limitReachedSchema.optional(),
  /** Sentences for the turn's summary, whatever the agent does with the notice. */
  forSummary: z.array(z.string()).optional(),
});

/** A message's file. Its content is read by its id for each request, and in no transcript. */
const attachedSchema = z.object({
  id: z.string(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** The conversation is long: its content is no longer shown. */
  left: z.literal(true).optional(),
});

const entrySchema = z.discriminatedUnion('role', [
  /** A message of the user; `no` counts the job's messages from 1. */
  z.object({
    role: z.literal('user'),
    no: z.int(),
    text: z.string(),
    attachments: z.array(attachedSchema).optional(),
  }),
  noticeSchema,
  z.object({
    role: z.literal('assistant'),
    text: z.string(),
    toolCalls: z.array(toolCallSchema),
    /**
     * `cut`: at the model's output limit. `refused`: nothing follows. `empty`: the model returned no text.
     * `call-as-text`: it wrote a tool call as text, which was not carried out. `announced`: it wrote only what
     * it is about to do.
     */
    stop: z.enum(['cut', 'refused', 'empty', 'call-as-text', 'announced']).optional(),
    /** The outcome that closing words declare for a turn that changed nothing. */
    outcome: declaredOutcomeSchema.optional(),
    /** The answer in the provider's own parts, if it has more than text and calls. */
    native: z.array(z.unknown()).optional(),
  }),
  z.object({
    role: z.literal('tool'),
    results: z.array(toolResultSchema),
    /**
     * The workspace's state after these calls, if they changed it; the same for the same changed files.
     * Absent before 0.2.0.
     */
    state: z.string().optional(),
  }),
]);

/** One entry of a job's transcript, in order. Stored as JSON: fields may be added, never renamed. */
export type TranscriptEntry = z.infer<typeof entrySchema>;

/** An attachment as the conversation names it. */
export type Attached = z.infer<typeof attachedSchema>;

export type Notice = z.infer<typeof noticeSchema>;

/** Entries as stored in the database. @throws ZodError for entries that no version of Docent recorded */
export function readEntries(recorded: readonly unknown[]): TranscriptEntry[] {
  return z.array(entrySchema).parse(recorded);
}
