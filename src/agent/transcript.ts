import { z } from 'zod';
import { declaredOutcomeSchema } from './declared-outcome.ts';
import { limitReachedSchema } from './limit-reached.ts';
import { toolCallSchema, toolResultSchema } from './tools/tool-call.ts';

/**
 * What Docent itself tells the agent. Models that are programs look at the other fields instead of the words.
 */
const noticeSchema = z.object({
  role: z.literal('notice'),
  text: z.string(),
  /**
   * `problems`: the checks found what the change broke. `conflict`: others changed the files in `paths`, the
   * agent's changes to these were dropped. `citations`: some do not hold. `cancelled`: the messages before
   * are not to be carried out any further. `repeating`: the agent goes round in circles. `limit`: the turn
   * ends, and the agent is to sum up.
   */
  kind: z.enum(['problems', 'conflict', 'citations', 'cancelled', 'repeating', 'limit']).optional(),
  paths: z.array(z.string()).optional(),
  /** The problems that the text lists, a line each. */
  problems: z.array(z.string()).optional(),
  limit: limitReachedSchema.optional(),
  /** Sentences that go into the turn's summary, whatever the agent makes of the notice. */
  forSummary: z.array(z.string()).optional(),
});

/**
 * A file that came with a message. Its content is in no transcript: it is read by the id for each request
 * that shows it.
 */
const attachedSchema = z.object({
  id: z.string(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** The conversation is long: its content is not shown any more. */
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
     * `cut`: at the model's output limit. `refused`: nothing follows. `empty`: the model said nothing at all.
     * `call-as-text`: it wrote a tool call as text, which was not carried out.
     */
    stop: z.enum(['cut', 'refused', 'empty', 'call-as-text']).optional(),
    /** What closing words say of a turn that changed nothing. */
    outcome: declaredOutcomeSchema.optional(),
    /** The answer in the parts of the provider that gave it, where text and calls are not all of it. */
    native: z.array(z.unknown()).optional(),
  }),
  z.object({
    role: z.literal('tool'),
    results: z.array(toolResultSchema),
    /**
     * What the workspace is known by after these calls, if they changed it: the same for the same changed
     * files. Absent before 0.2.0.
     */
    state: z.string().optional(),
  }),
]);

/** One entry of a job's transcript, in order. Stored as JSON: fields may be added, never renamed. */
export type TranscriptEntry = z.infer<typeof entrySchema>;

/** An attachment as the conversation names it. */
export type Attached = z.infer<typeof attachedSchema>;

export type Notice = z.infer<typeof noticeSchema>;

/** Entries as the database has them. @throws ZodError for what no version of Docent recorded */
export function readEntries(recorded: readonly unknown[]): TranscriptEntry[] {
  return z.array(entrySchema).parse(recorded);
}
