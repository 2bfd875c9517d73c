import type { Price, TokenUsage } from './model.ts';

/**
 * The cost of an answer in billionths of a US dollar (so that sums are exact); null if the price is unknown.
 */
export function costInNanoUsd(usage: TokenUsage, price: Price | null): number | null {
  if (!price) return null;
  const fresh = Math.max(0, usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens);
  // Dollars for a million tokens are thousands of billionths for one.
  const thousands =
    fresh * price.input +
    usage.cachedInputTokens * price.cachedInput +
    usage.cacheWriteTokens * price.cacheWrite +
    usage.outputTokens * price.output;
  return Math.round(thousands * 1_000);
}

/** Characters per token of English prose, Markdown and JSON. Conservative: providers state 4. */
const CHARACTERS_PER_TOKEN = 3.5;

/** About how many tokens a text has. Models differ; this guesses high. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Approximate number of characters for a number of tokens: the reverse of {@link estimateTokens}. */
export function charactersOf(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN;
}
