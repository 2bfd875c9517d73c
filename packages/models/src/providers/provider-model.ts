import {
  InvalidResponseDataError,
  type LanguageModelV4,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
  type SharedV4ProviderOptions,
  APICallError,
} from '@ai-sdk/provider';
import {
  type Model,
  type ModelAnswer,
  type ModelProgress,
  type ModelRequest,
  type TokenUsage,
  ModelProblem,
} from '../model.ts';
import { IMAGE_CHARACTERS } from '../conversation/attached-files.ts';
import { AnswerBuilder } from './answer-builder.ts';
import { estimateTokens } from '../cost.ts';
import type { ModelFacts } from '../model-facts.ts';
import { providerProblem, type Asked } from './provider-errors.ts';
import { providerPrompt } from './provider-prompt.ts';
import { WatchedFetch, type WatchLimits } from './watched-fetch.ts';

export interface ProviderModelOptions {
  id: string;
  asked: Asked;
  facts: ModelFacts;
  limits: WatchLimits;
  fetch: typeof fetch;
  /** Loads what makes the provider's client for one request, on the given fetch. */
  load: () => Promise<(fetcher: typeof fetch) => LanguageModelV4>;
  /** Authentication headers of a plain request; null if the provider answers none. */
  probeHeaders: Record<string, string> | null;
  providerOptions: (request: ModelRequest) => SharedV4ProviderOptions;
}

/**
 * A provider's model with our interface. It only calls the provider's client. The workflow loops over tools,
 * retries and measures.
 */
export function createProviderModel(options: ProviderModelOptions): Model {
  const { id, asked, facts, probeHeaders: headers } = options;
  return {
    id,
    contextTokens: facts.contextTokens,
    price: facts.price,
    images: facts.images,
    ...(headers ? { probe: (signal) => probe({ asked, headers, fetch: options.fetch }, signal) } : {}),
    async respond(request, { signal, onProgress }) {
      signal.throwIfAborted();
      // Before the time of the answer is measured.
      const clientOn = await options.load();
      const watch = new WatchedFetch(options.fetch, options.limits, asked.label);
      try {
        return await ask(options, request, { client: clientOn(watch.fetch), signal, onProgress });
      } catch (err) {
        signal.throwIfAborted();
        const { length } = JSON.stringify([request.system, request.transcript, request.tools]);
        const tokens = estimateTokens(length);
        const problem = providerProblem(watch.problem ?? err, asked, { hasAnswer: watch.hasAnswer, tokens });
        throw explained(problem, tokens, facts);
      } finally {
        watch.close();
      }
    },
  };
}

/** Above this share of the window, a conversation may be too long by the provider's own count. */
const NEAR_WINDOW = 0.8;

/**
 * If a request near the window is refused without a known reason, it is assumed to be too long: shortened, it
 * is no longer near.
 */
function explained(problem: ModelProblem, tokens: number, facts: ModelFacts): ModelProblem {
  if (problem.code !== 'model_rejected') return problem;
  if (tokens < facts.contextTokens * NEAR_WINDOW) return problem;
  return new ModelProblem('model_context', problem.message);
}

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

async function ask(
  { facts, asked, providerOptions }: ProviderModelOptions,
  request: ModelRequest,
  {
    client,
    signal,
    onProgress,
  }: {
    client: LanguageModelV4;
    signal: AbortSignal;
    onProgress?: (progress: ModelProgress) => void;
  },
): Promise<ModelAnswer> {
  const prompt = providerPrompt(request, facts);
  const { stream } = await client.doStream({
    prompt,
    tools: request.tools.map((tool) => ({ type: 'function' as const, ...tool })),
    ...(request.toolChoice ? { toolChoice: { type: request.toolChoice } } : {}),
    // The provider's client translates it for each model, and omits it if the model has no such setting.
    ...(request.effort ? { reasoning: request.effort } : {}),
    maxOutputTokens: facts.maxOutputTokens ?? undefined,
    abortSignal: signal,
    providerOptions: providerOptions(request),
  });
  const answer = new AnswerBuilder(request.transcript);
  let hasBegun = false;
  let end: Finish | undefined;
  for await (const part of stream) {
    if (part.type === 'error' && saysEndIsMissing(part.error)) continue;
    if (part.type === 'error') throw part.error;
    if (part.type === 'finish') end = part;
    else if (answer.add(part)) {
      hasBegun = true;
      onProgress?.(answer.progress());
    }
  }
  const reason = end?.finishReason.unified;
  if (!end || reason === 'interrupted' || reason === 'error') {
    throw new ModelProblem('model_unavailable', `${asked.label} ${withoutAnswer(hasBegun, end, asked)}`, {
      passing: true,
    });
  }
  const usage = usageOf(end.usage) ?? estimatedUsage([prompt, request.tools], answer);
  const built = answer.build();
  // A call with complete arguments may be carried out, however the answer ended after it.
  if (reason === 'content-filter' && built.toolCalls.length === 0) return { ...built, usage, stop: 'refused' };
  return { ...built, usage, ...(reason === 'length' ? { stop: 'cut' as const } : {}) };
}

function withoutAnswer(hasBegun: boolean, end: Finish | undefined, { baseUrl, redact }: Asked): string {
  if (hasBegun) return 'broke off in the middle of an answer.';
  const raw = end?.finishReason.raw;
  if (raw) return `ended its answer before it began: ${redact(raw).slice(0, 100)}.`;
  return `sent no answer that Docent can read. Check that ${baseUrl} is the address of its API.`;
}

/** A client's own error for a stream without an end; the loop notices it, too, and knows what came before. */
const saysEndIsMissing = (err: unknown): boolean => InvalidResponseDataError.isInstance(err) && err.data === undefined;

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenUsage | null {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null;
  return {
    inputTokens: inputTokens.total,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
    cacheWriteTokens: inputTokens.cacheWrite ?? 0,
    outputTokens: outputTokens.total,
  };
}

/** An image is as much to a model as its pixels are, not its bytes. */
function withoutBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? ' '.repeat(IMAGE_CHARACTERS) : value;
}

/** For servers that report no usage: budgets would be meaningless with zeros. */
function estimatedUsage(sent: unknown, answer: AnswerBuilder): TokenUsage {
  return {
    inputTokens: estimateTokens(JSON.stringify(sent, withoutBytes).length),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: estimateTokens(answer.progress().characters),
  };
}

const WAIT_MS = 5_000;
const MAX_BODY = 10_000;

/**
 * Asks a provider whether it has a model and accepts the key; free of charge. Only a clear refusal counts:
 * many servers have no such route, and one that is down may be back when a job needs it.
 * @throws ModelProblem `model_key` or `model_unknown`
 */
async function probe(
  { asked, headers, fetch: fetcher }: { asked: Asked; headers: Record<string, string>; fetch: typeof fetch },
  signal: AbortSignal,
): Promise<void> {
  const url = `${asked.baseUrl}/models/${encodeURIComponent(asked.model)}`;
  let status: number;
  let responseBody: string;
  try {
    const response = await fetcher(url, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]),
    });
    status = response.status;
    responseBody = (await response.text()).slice(0, MAX_BODY);
  } catch {
    // No response: a job will find out.
    signal.throwIfAborted();
    return;
  }
  const isNo =
    status === 401 || status === 403 || (status === 404 && /"(?:not_found_error|model_not_found)"/.test(responseBody));
  if (!isNo) return;
  throw providerProblem(
    new APICallError({ message: '', url, requestBodyValues: {}, statusCode: status, responseBody }),
    asked,
  );
}
