import type { Model, ModelAnswer, ModelRequest, Price, TokenUsage } from '@docent/models/model';
import type { ToolCall } from '@docent/models/conversation/tool-call';
import { closingText, declaredOutcome } from './closing-text.ts';
import { workListOf, type Work } from './work-list.ts';
import type { Outcome } from './outcome.ts';

/** Its id. */
export const BUILTIN = 'builtin';
const FREE: Price = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0 };
const NO_TOKENS: TokenUsage = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
/** Calls in one answer: below what the tools carry out at a time. */
const MAX_CALLS = 95;

/**
 * The built-in editor: follows recipes, parsed from plain English, and answers with tool calls like a
 * language model, without a key and without a network. Deterministic and stateless: a transcript has one
 * answer, including call ids. It carries out all requests in order, each once.
 * @param docsUrl the URL of Docent's docs
 */
export function createBuiltinModel(docsUrl = '/docs'): Model {
  return {
    id: BUILTIN,
    contextTokens: null,
    price: FREE,
    async respond({ transcript }: ModelRequest, { signal }): Promise<ModelAnswer> {
      signal.throwIfAborted();
      const { work, requests, problems } = workListOf(transcript);
      const toolCalls: ToolCall[] = [];
      for (const item of work) {
        const progress = item.progress();
        if ('outcome' in progress) continue;
        if (toolCalls.length > 0 && toolCalls.length + progress.calls.length > MAX_CALLS) break;
        toolCalls.push(...progress.calls);
        if (!progress.last) break;
      }
      const results = {
        outcomes: outcomesOf(work, 'asked'),
        fixing: outcomesOf(work, 'fixing'),
        again: outcomesOf(work, 'again'),
      };
      if (toolCalls.length > 0) return { text: '', toolCalls, usage: NO_TOKENS };
      const outcome = declaredOutcome({ ...results, requests });
      const text = closingText({ ...results, requests, problems, docsUrl });
      return { text, toolCalls, usage: NO_TOKENS, ...(outcome ? { outcome } : {}) };
    },
  };
}

function outcomesOf(work: readonly Work[], role: Work['role']): Outcome[] {
  return work.flatMap((item) => {
    const progress = item.role === role ? item.progress() : null;
    return progress && 'outcome' in progress && progress.outcome.summary !== '' ? [progress.outcome] : [];
  });
}
