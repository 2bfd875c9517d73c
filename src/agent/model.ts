import type { JobFailureCode } from '../platform/errors.ts';
import type { DeclaredOutcome } from './declared-outcome.ts';
import type { ToolCall } from './tools/tool-call.ts';
import type { TranscriptEntry } from './transcript.ts';

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
  /**
   * `none`: the answer is to be words alone. The tools are still named, because the transcript has calls of
   * them.
   */
  toolChoice?: 'none';
  /**
   * How much the model is to think; without it, as the provider has it. A model that does not reason leaves
   * it alone.
   */
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
  /**
   * Of closing words, where they say it: what a turn that changed nothing came to. The words themselves are
   * without it.
   */
  outcome?: DeclaredOutcome;
  /**
   * `cut`: the answer ends in the middle, at the model's output limit. `refused`: the model or its provider
   * will not answer.
   */
  stop?: 'cut' | 'refused';
  /**
   * The answer in the provider's own parts, where its next request needs more than text and calls
   * (reasoning).
   */
  native?: unknown[];
}

/** What a model is doing, for those who watch. */
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

/**
 * A language model, or what answers like one. Contract: never runs a tool, never reads the workspace, keeps
 * no state between calls; everything it knows is in the request. It does not try again: whoever calls it
 * does.
 */
export interface Model {
  /** As the API shows it, e.g. `builtin` or `anthropic/claude-sonnet-5`. */
  readonly id: string;
  /** Tokens of a request and its answer together; null for no limit. */
  readonly contextTokens: number | null;
  /** Null where it is not known. */
  readonly price: Price | null;
  /** Whether it can be shown images. */
  readonly images?: boolean;
  /**
   * Asks the provider whether the model can be used, without having it say anything. Says nothing where the
   * provider does not.
   * @throws ModelProblem for a plain no
   */
  probe?(signal: AbortSignal): Promise<void>;
  /** @throws ModelProblem; never gives a half answer */
  respond(
    request: ModelRequest,
    options: { signal: AbortSignal; onProgress?: (progress: ModelProgress) => void },
  ): Promise<ModelAnswer>;
}

/** The models of this installation. */
export interface Models {
  /**
   * With the keys of this process's environment alone.
   * @throws ModelProblem with a sentence that says what to set: an unknown provider, a missing key
   */
  find(id: string): Model;
  /** With the keys that an operator has stored, too, as they are now. @throws ModelProblem likewise */
  resolve(id: string): Promise<Model>;
}

/** Why a model gave no answer. The message is a sentence for a person and holds no secret. */
export class ModelProblem extends Error {
  readonly code: JobFailureCode;
  /** Whether asking again may help. */
  readonly passing: boolean;
  /** How long the provider wants to be left alone. */
  readonly retryAfterMs: number | null;

  constructor(
    code: JobFailureCode,
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
