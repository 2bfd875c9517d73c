import { z } from 'zod';
import { toolDataSchema } from './tool-data.ts';

/** A model's call of a tool. `input` is whatever the model wrote: the tool validates it. */
export const toolCallSchema = z.object({ id: z.string(), name: z.string(), input: z.unknown().optional() });

export type ToolCall = z.infer<typeof toolCallSchema>;

const ofCall = {
  callId: z.string(),
  /** As the model wrote it. */
  name: z.string(),
  /** For the model only: programs read the other fields. Limited in length. */
  text: z.string(),
  data: toolDataSchema.optional(),
};

/** The outcome of a call: carried out completely, or refused with nothing changed. */
export const toolResultSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    ...ofCall,
    /** Paths of the changed files: at most as many as a turn may change. Empty if the call only read. */
    changed: z.array(z.string()),
  }),
  z.object({
    ok: z.literal(false),
    ...ofCall,
    /** Why, in sentences for a person. At most about 2,000 characters. */
    reason: z.string(),
  }),
]);

export type ToolResult = z.infer<typeof toolResultSchema>;
