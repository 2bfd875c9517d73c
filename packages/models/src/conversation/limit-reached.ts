import { z } from 'zod';

const LIMIT_CODES = ['limit_steps', 'limit_time', 'limit_repeated_calls', 'limit_no_progress', 'limit_work'] as const;

export const limitReachedSchema = z.object({ code: z.enum(LIMIT_CODES), message: z.string() });

/** Why a turn ends before its work is done. The message is a sentence for people. */
export type LimitReached = z.infer<typeof limitReachedSchema>;
