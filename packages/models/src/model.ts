import type { DeclaredOutcome } from './conversation/declared-outcome.ts';
import type { ToolCall } from './conversation/tool-call.ts';
import type { TranscriptEntry } from './conversation/transcript.ts';

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
  /** `none`: text only. The tools are still named, because the transcript has calls. */
  toolChoice?: 'none';
  /** How much the model should think; absent: the provider's default. Models without reasoning ignore it. */
  effort?: 'low' | 'medium' | 'high';
  /** Contents of attachments that the transcript names, by id: as many as the request may show. */
  files?: ReadonlyMap<string, Uint8Array>;
  /** The same for all requests of one job: some providers find what they have cached by it. */
  cacheKey?: string;
}

/** Tokens that one answer took. */
export interface TokenUsage {
  /** All that were read, those from the cache and those written to it included. */
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
}

export interface ModelAnswer {
  text: string;
  /** Empty: the agent is done with this turn's messages, and `text` are its closing words. */
  toolCalls: ToolCall[];
  usage: TokenUsage;
  /** The outcome in the closing words of a turn that changed nothing. It is removed from the text itself. */
  outcome?: DeclaredOutcome;
  /** `cut`: ended at the output limit. `refused`: the model or provider will not answer. */
  stop?: 'cut' | 'refused';
  /** The answer in the provider's parts, if the next request needs more, such as reasoning. */
  native?: unknown[];
}

/** What a model is doing, for people who watch. */
export interface ModelProgress {
  /** Characters written so far: text, reasoning and the input of calls. */
  characters: number;
  /** The text so far. */
  text: string;
  /** The tool whose call is being written. */
  tool: string | null;
}

/** US dollars for a million tokens. */
export interface Price {
  input: number;
  cachedInput: number;
  cacheWrite: number;
  output: number;
}

/** A language model. Never runs tools or reads the workspace; stateless; does not retry: its caller does. */
export interface Model {
  /** As the API shows it, e.g. `builtin` or `anthropic/claude-sonnet-5`. */
  readonly id: string;
  /** Tokens of a request and its answer together; null for no limit. */
  readonly contextTokens: number | null;
  /** Null if it is not known. */
  readonly price: Price | null;
  /** Whether it accepts images. */
  readonly images?: boolean;
  /** Checks usability without generating text, if the provider can. @throws ModelProblem for a refusal */
  probe?(signal: AbortSignal): Promise<void>;
  /** @throws ModelProblem; never returns a partial answer */
  respond(
    request: ModelRequest,
    options: { signal: AbortSignal; onProgress?: (progress: ModelProgress) => void },
  ): Promise<ModelAnswer>;
}

/** The models of this installation. */
export interface Models {
  /** By this process's keys only. @throws ModelProblem that names the setting to change */
  find(id: string): Model;
  /** Also with the keys that an operator has stored, as they are now. @throws ModelProblem likewise */
  resolve(id: string): Promise<Model>;
}

/** Stable: it becomes the code of a job that fails with it. */
export type ModelProblemCode =
  | 'model_unknown'
  | 'model_unavailable'
  | 'model_key'
  | 'model_quota'
  | 'model_rate_limited'
  | 'model_refused'
  | 'model_rejected'
  | 'model_context';

/** Why a model gave no answer. The message is a sentence for a person and holds no secret. */
export class ModelProblem extends Error {
  readonly code: ModelProblemCode;
  /** Whether a retry may help. */
  readonly passing: boolean;
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | null;

  constructor(
    code: ModelProblemCode,
    message: string,
    { passing = false, retryAfterMs = null }: { passing?: boolean; retryAfterMs?: number | null } = {},
  ) {
    super(message);
    this.name = 'ModelProblem';
    this.code = code;
    this.passing = passing;
    this.retryAfterMs = retryAfterMs;
  }
}
