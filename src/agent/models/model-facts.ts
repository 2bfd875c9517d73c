import { z } from 'zod';
import type { Price } from '../model.ts';
import type { ProviderName } from './model-id.ts';

/** What is known of a model beside its name. */
export interface ModelFacts {
  /** Tokens of a request and its answer together. */
  contextTokens: number;
  /** Tokens of one answer; null leaves it to the provider. */
  maxOutputTokens: number | null;
  price: Price | null;
  /** Whether it can be shown images. */
  images: boolean;
}

/** Facts that an operator gives, by model id. They go before the table. */
export type ModelOverrides = Readonly<Record<string, Partial<ModelFacts>>>;

/** Room for one answer: enough for a long page, and for what models think before they write it. */
const OUTPUT = 32_000;
const UNKNOWN: Record<ProviderName, ModelFacts> = {
  anthropic: { contextTokens: 200_000, maxOutputTokens: 16_000, price: null, images: true },
  openai: { contextTokens: 128_000, maxOutputTokens: null, price: null, images: true },
  // Servers that people run themselves are often started with little, and many of their models take words alone.
  'openai-compatible': { contextTokens: 32_000, maxOutputTokens: null, price: null, images: false },
};

/**
 * Windows and list prices in US dollars for a million tokens, as of November 2026: input, cached input, cache write, output.
 * Sources: the table that GitHub publishes for its agents, which passes list prices on
 * (github.com/github/docs, data/tables/copilot/models-and-pricing.yml), and for older models the providers' own pages
 * (docs.anthropic.com/en/docs/about-claude/pricing, developers.openai.com/api/docs/pricing). Where a provider charges more for
 * long requests, the window ends where the higher price begins. Whoever pays other prices overrides these.
 */
const TABLE: readonly [ProviderName, string, number, number, number, number, number][] = [
  ['anthropic', 'claude-opus-5', 200_000, 5, 0.5, 6.25, 25],
  ['anthropic', 'claude-sonnet-5', 200_000, 2, 0.2, 2.5, 10],
  ['anthropic', 'claude-opus-4-8', 200_000, 5, 0.5, 6.25, 25],
  ['anthropic', 'claude-opus-4-7', 200_000, 5, 0.5, 6.25, 25],
  ['anthropic', 'claude-opus-4-6', 200_000, 5, 0.5, 6.25, 25],
  ['anthropic', 'claude-opus-4-5', 200_000, 5, 0.5, 6.25, 25],
  ['anthropic', 'claude-opus-4-1', 200_000, 15, 1.5, 18.75, 75],
  ['anthropic', 'claude-sonnet-4-6', 200_000, 3, 0.3, 3.75, 15],
  ['anthropic', 'claude-sonnet-4-5', 200_000, 3, 0.3, 3.75, 15],
  ['anthropic', 'claude-sonnet-4', 200_000, 3, 0.3, 3.75, 15],
  ['anthropic', 'claude-haiku-4-5', 200_000, 1, 0.1, 1.25, 5],
  ['openai', 'gpt-5.6-luna', 200_000, 0.2, 0.02, 0.25, 1.2],
  ['openai', 'gpt-5.6-terra', 272_000, 2, 0.2, 2.5, 12],
  ['openai', 'gpt-5.6-sol', 272_000, 5, 0.5, 6.25, 30],
  ['openai', 'gpt-5.5', 272_000, 5, 0.5, 5, 30],
  ['openai', 'gpt-5.4', 272_000, 2.5, 0.25, 2.5, 15],
  ['openai', 'gpt-5.4-mini', 272_000, 0.75, 0.075, 0.75, 4.5],
  ['openai', 'gpt-5.4-nano', 272_000, 0.2, 0.02, 0.2, 1.25],
  ['openai', 'gpt-5-mini', 272_000, 0.25, 0.025, 0.25, 2],
  ['openai', 'gpt-4.1', 1_000_000, 2, 0.5, 2, 8],
];

/** Versions of a model have its name and a date behind it. */
const VERSION = /^(?:-\d{8}|-\d{4}-\d{2}-\d{2}|-latest)?$/;

/** What is known of a model: from the operator, else from the table, else a careful guess without a price. */
export function factsOf(provider: ProviderName, model: string, overrides: ModelOverrides): ModelFacts {
  const row = TABLE.find(
    ([of, name]) => of === provider && model.startsWith(name) && VERSION.test(model.slice(name.length)),
  );
  const known: ModelFacts = row
    ? {
        contextTokens: row[2],
        maxOutputTokens: provider === 'anthropic' ? OUTPUT : null,
        price: { input: row[3], cachedInput: row[4], cacheWrite: row[5], output: row[6] },
        // All in the table do.
        images: true,
      }
    : UNKNOWN[provider];
  return { ...known, ...overrides[`${provider}/${model}`] };
}

const dollars = z.number().min(0).max(1_000_000);
const priceSchema = z
  .strictObject({ input: dollars, output: dollars, cachedInput: dollars.optional(), cacheWrite: dollars.optional() })
  .transform(({ input, output, cachedInput = input, cacheWrite = input }): Price => ({
    input,
    output,
    cachedInput,
    cacheWrite,
  }));
const overridesSchema = z.record(
  z.string(),
  z.strictObject({
    contextTokens: z.int().min(4_000).max(100_000_000).optional(),
    maxOutputTokens: z.int().min(256).max(10_000_000).optional(),
    price: priceSchema.optional(),
    images: z.boolean().optional(),
  }),
);

/**
 * Reads the operator's file of models: `{ "<model id>": { contextTokens, maxOutputTokens, price, images } }`, all of it optional.
 * @throws Error with a sentence that says where the text is wrong
 */
export function readModelOverrides(text: string): ModelOverrides {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
  const result = overridesSchema.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`${issue?.path.join(' → ') || 'it'}: ${issue?.message ?? 'is wrong'}`);
}
