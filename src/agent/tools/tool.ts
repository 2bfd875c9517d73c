import type { z } from 'zod';
import type { ToolData } from './tool-data.ts';
import type { ToolSession } from './tool-session.ts';

/**
 * A tool of the agent. Contract: `run` changes nothing but the session's workspace, and changes it wholly or
 * not at all; it throws {@link ToolRefusal} (or the workspace's own refusal) for anything that the model
 * could put right.
 */
export interface Tool<Input = unknown> {
  name: string;
  description: string;
  schema: z.ZodType<Input>;
  /** A right input, shown with the refusal of a wrong one. */
  example: NoInfer<Input>;
  /** Changes nothing, whatever its input. */
  looksOnly?: true;
  run(input: Input, session: ToolSession): ToolOutcome;
}

/** What a call that was carried out came to. */
export interface ToolOutcome {
  /** What the model reads; what was changed is added to it. */
  text: string;
  /** Paths of the files that were changed. Absent from tools that only look. */
  changed?: string[];
  data?: ToolData;
}

/** The call cannot be carried out as asked. The message tells the model why and what to do instead. */
export class ToolRefusal extends Error {
  /** Follows the message for the model alone: passages of the file. */
  readonly hint: string;
  readonly data: ToolData | undefined;

  constructor(message: string, { hint = '', data }: { hint?: string; data?: ToolData } = {}) {
    super(message);
    this.name = 'ToolRefusal';
    this.hint = hint;
    this.data = data;
  }
}

export function defineTool<Input>(tool: Tool<Input>): Tool<Input> {
  return tool;
}
