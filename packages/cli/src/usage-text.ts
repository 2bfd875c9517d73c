import type { components } from '@docent/client';

type Usage = components['schemas']['Usage'];

/** `61,240 input tokens (48,011 cached), 2,310 output tokens, $0.061`; null if no model was paid for. */
export function usageText({ inputTokens, cachedInputTokens, outputTokens, costUsd }: Usage): string | null {
  if (inputTokens + outputTokens === 0) return null;
  return `${numberText(inputTokens)} input tokens (${numberText(cachedInputTokens)} cached), ${numberText(outputTokens)} output tokens, ${dollars(costUsd)}`;
}

/** Amounts from a tenth of a cent are exact; smaller ones have two significant digits. */
export function dollars(costUsd: number | null): string {
  if (costUsd === null) return 'price unknown';
  return `$${costUsd >= 0.001 || costUsd === 0 ? costUsd.toFixed(3) : costUsd.toPrecision(2)}`;
}

function numberText(value: number): string {
  return value.toLocaleString('en');
}
