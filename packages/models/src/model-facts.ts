import { z } from 'zod';
import type { Price } from './model.ts';
import table from './generated/model-table.json' with { type: 'json' };
import type { ProviderName } from './model-id.ts';

/** Known facts about a model, without its name. */
export interface ModelFacts {
  /** Tokens of a request and its answer together. */
  contextTokens: number;
  /** Tokens of one answer; null leaves it to the provider. */
  maxOutputTokens: number | null;
  price: Price | null;
  /** Whether it accepts images. */
  images: boolean;
}

/** Facts that an operator gives, by model id. They go before the table. */
export type ModelOverrides = Readonly<Record<string, Partial<ModelFacts>>>;

/** Room for one answer: enough for a long page, and for the reasoning before it. */
const OUTPUT = 32_000;
/** Providers whose models write little unless a request sets a limit. */
const NEEDS_OUTPUT: readonly ProviderName[] = ['anthropic', 'amazon-bedrock'];

const CAREFUL: ModelFacts = { contextTokens: 128_000, maxOutputTokens: null, price: null, images: true };
const UNKNOWN: Record<ProviderName, ModelFacts> = {
  anthropic: { ...CAREFUL, contextTokens: 200_000, maxOutputTokens: 16_000 },
  openai: CAREFUL,
  google: CAREFUL,
  'google-vertex': CAREFUL,
  'amazon-bedrock': { ...CAREFUL, images: false },
  azure: CAREFUL,
  // Servers that people run themselves are often started with little, and many of their models take words
  // alone.
  'openai-compatible': { contextTokens: 32_000, maxOutputTokens: null, price: null, images: false },
};

/**
 * Windows and list prices, by provider and model: see scripts/model-table.ts. Operators with other prices
 * override these. A row has the window, the longest answer, whether images are accepted, and dollars per
 * million tokens: input, cached input, cache write, output. Without these, the price is unknown.
 */
const TABLE: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = table.models;

/** Versions of a model have its name followed by a date. */
const VERSION = /^(?:-\d{8}|-\d{4}-\d{2}-\d{2}|-latest)?$/;

/** A model's facts: from the operator, else from the table, else a careful guess without a price. */
export function factsOf(provider: ProviderName, model: string, overrides: ModelOverrides): ModelFacts {
  const row = rowOf(TABLE[provider] ?? {}, model);
  const known = row ? factsIn(row, provider) : UNKNOWN[provider];
  return { ...known, ...overrides[`${provider}/${model}`] };
}

/** The part of an ARN of Bedrock before the model's ID. */
const ARN = /^arn:aws[\w-]*:bedrock:[^/]*:(?:inference-profile|foundation-model)\//;

function rowOf(rows: Readonly<Record<string, readonly number[]>>, asked: string): readonly number[] | undefined {
  const model = asked.replace(ARN, '');
  if (Object.hasOwn(rows, model)) return rows[model];
  const [, row] =
    Object.entries(rows).find(([name]) => model.startsWith(name) && VERSION.test(model.slice(name.length))) ?? [];
  return row;
}

function factsIn(row: readonly number[], provider: ProviderName): ModelFacts {
  const [contextTokens = 0, maxOutput = 0, images = 0, input, cachedInput = 0, cacheWrite = 0, output = 0] = row;
  return {
    contextTokens,
    maxOutputTokens: NEEDS_OUTPUT.includes(provider) ? Math.min(OUTPUT, maxOutput) : null,
    price: input === undefined ? null : { input, cachedInput, cacheWrite, output },
    images: images === 1,
  };
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
 * Reads the operator's file of models: `{ "<model id>": { contextTokens, maxOutputTokens, price, images } }`,
 * all of it optional.
 * @throws Error that names the position of the mistake
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
