import type { z } from 'zod';
import type { ToolSession } from './tool-session.ts';

/**
 * A tool of the agent. Contract: `run` changes nothing but the session's workspace, and changes it wholly or not at all;
 * it throws {@link ToolRefusal} (or the workspace's own refusal) for anything that the model could put right.
 */
export interface Tool<Input = unknown> {
  name: string;
  description: string;
  schema: z.ZodType<Input>;
  /** A right input, shown with the refusal of a wrong one. */
  example: NoInfer<Input>;
  /** Changes nothing, whatever its input. */
  looksOnly?: true;
  /** What the model reads. */
  run(input: Input, session: ToolSession): string;
}

/** The call cannot be carried out as asked. The message tells the model why and what to do instead. */
export class ToolRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolRefusal';
  }
}

export function defineTool<Input>(tool: Tool<Input>): Tool<Input> {
  return tool;
}
