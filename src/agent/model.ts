import type { ToolCall, TranscriptEntry } from './transcript.ts';

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the input. */
  inputSchema: Record<string, unknown>;
}

export interface ModelRequest {
  system: string;
  transcript: readonly TranscriptEntry[];
  tools: readonly ToolDefinition[];
  /** `none`: the answer is to be words alone. The tools are still named, because the transcript has calls of them. */
  toolChoice?: 'none';
}

export interface ModelAnswer {
  text: string;
  /** Empty: the agent is done with this turn's messages, and `text` are its closing words. */
  toolCalls: ToolCall[];
  usage: { inputTokens: number; outputTokens: number };
}

/**
 * A language model, or what answers like one. Contract: never runs a tool, never reads the workspace, keeps no state
 * between calls; everything it knows is in the request.
 */
export interface Model {
  /** As the API shows it, e.g. `builtin`. */
  readonly id: string;
  respond(request: ModelRequest, options: { signal: AbortSignal }): Promise<ModelAnswer>;
}
