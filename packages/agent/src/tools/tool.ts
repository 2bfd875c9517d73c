import type { z } from 'zod';
import type { ToolData } from '@docent/models/conversation/tool-data';
import type { ToolSession } from './tool-session.ts';

/**
 * A tool of the agent. Contract: `run` changes only the session's workspace, and either completely or not at
 * all. It throws {@link ToolRefusal} (or the workspace's own refusal) for any mistake that the model can
 * correct.
 */
export interface Tool<Input = unknown> {
  name: string;
  description: string;
  schema: z.ZodType<Input>;
  /** A right input, shown with the refusal of a wrong one. */
  example: NoInfer<Input>;
  /** Changes nothing, whatever its input. */
  readOnly?: true;
  run(input: Input, session: ToolSession): ToolOutcome;
}

/** The outcome of a call that was carried out. */
export interface ToolOutcome {
  /** For the model. The changed files are appended. */
  text: string;
  /** Paths of the files that were changed. Absent from tools that only look. */
  changed?: string[];
  data?: ToolData;
}

/** The call cannot be carried out as requested. The message explains why, and what to do instead. */
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
