import { z } from 'zod';
import { toolDataSchema } from './tool-data.ts';

/**
 * A call of a tool, as the model asked for it. `input` is whatever the model wrote: the tool validates it.
 */
export const toolCallSchema = z.object({ id: z.string(), name: z.string(), input: z.unknown().optional() });

export type ToolCall = z.infer<typeof toolCallSchema>;

const ofCall = {
  callId: z.string(),
  /** As the model wrote it. */
  name: z.string(),
  /** What the model reads, and no one else: programs have the other fields. Bounded. */
  text: z.string(),
  data: toolDataSchema.optional(),
};

/** What a call came to: carried out wholly, or refused, with nothing changed. */
export const toolResultSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    ...ofCall,
    /**
     * Paths of the files that were changed: at most as many as a turn may change. None where the call only
     * looked.
     */
    changed: z.array(z.string()),
  }),
  z.object({
    ok: z.literal(false),
    ...ofCall,
    /** Why, in sentences for a person. At most some 2,000 characters. */
    reason: z.string(),
  }),
]);

export type ToolResult = z.infer<typeof toolResultSchema>;
