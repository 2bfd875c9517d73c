/** Providers of models, as the first part of a model's id. */
const PROVIDERS = [
  'anthropic',
  'openai',
  'google',
  'google-vertex',
  'amazon-bedrock',
  'azure',
  'openai-compatible',
] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** The providers that only need a key, or a key and an address: an operator can store these. */
const STORABLE = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;
export type StorableProvider = (typeof STORABLE)[number];

export function isStorable(provider: string): provider is StorableProvider {
  return STORABLE.some((one) => one === provider);
}

export type ModelId = { provider: 'builtin' } | { provider: ProviderName; model: string };

/** The possible ids, for messages. */
const MODEL_FORMS = `builtin, ${PROVIDERS.slice(0, -1)
  .map((name) => `${name}/<model>`)
  .join(', ')} or openai-compatible/<model>`;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,150}$/;

/**
 * Parses `builtin` or `<provider>/<model>`.
 * @returns the parts, or a sentence about the mistake
 */
export function parseModelId(id: string): ModelId | string {
  if (id === 'builtin') return { provider: 'builtin' };
  const slash = id.indexOf('/');
  const provider = PROVIDERS.find((name) => name === id.slice(0, slash));
  if (!provider) return `The model ${JSON.stringify(id.slice(0, 100))} has no known provider. Use ${MODEL_FORMS}.`;
  const model = id.slice(slash + 1);
  if (!NAME.test(model)) return `${JSON.stringify(id.slice(0, 100))} is not a model. Use ${MODEL_FORMS}.`;
  return { provider, model };
}
