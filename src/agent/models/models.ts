import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Secret } from '../../platform/secret.ts';
import { ModelProblem, type Model, type Models } from '../model.ts';
import { createBuiltinModel } from './builtin.ts';
import { factsOf, type ModelOverrides } from './model-facts.ts';
import { parseModelId, type ProviderName } from './model-id.ts';
import { createProviderModel, type ProviderModelOptions } from './provider-model.ts';
import { tolerantChat } from './tolerant-chat.ts';
import type { WatchLimits } from './watched-fetch.ts';

/** How a provider is reached. */
export interface ProviderAccess {
  apiKey: Secret | undefined;
  baseUrl: string | undefined;
}

export interface ModelsOptions {
  providers: Record<ProviderName, ProviderAccess>;
  overrides: ModelOverrides;
  limits: WatchLimits;
  /** Where Docent's docs are. */
  docsUrl?: string;
  /** What requests go through. Base URLs are the operator's: they may be private. */
  fetch?: typeof fetch;
}

interface Provider {
  label: string;
  keyVariable: string;
  urlVariable: string;
  needsKey: boolean;
  /** Loads what makes its clients, which most workers want of one provider. */
  load: () => Promise<(at: { model: string; apiKey: string; baseURL: string; fetch: typeof fetch }) => LanguageModelV4>;
  probeHeaders: (key: string) => Record<string, string>;
  providerOptions: ProviderModelOptions['providerOptions'];
}

const PROVIDERS: Record<ProviderName, Provider> = {
  anthropic: {
    label: 'Anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    urlVariable: 'ANTHROPIC_BASE_URL',
    needsKey: true,
    async load() {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return ({ model, ...access }) => createAnthropic(access).languageModel(model);
    },
    probeHeaders: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    providerOptions: () => ({}),
  },
  openai: {
    label: 'OpenAI',
    keyVariable: 'OPENAI_API_KEY',
    urlVariable: 'OPENAI_BASE_URL',
    needsKey: true,
    async load() {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return ({ model, ...access }) => createOpenAI(access).languageModel(model);
    },
    probeHeaders: bearer,
    // The transcript is ours: the provider keeps none, and gives reasoning back in a form that can be sent again.
    providerOptions: ({ cacheKey }) => ({
      openai: {
        store: false,
        ...(cacheKey ? { promptCacheKey: cacheKey } : {}),
        include: ['reasoning.encrypted_content'],
      },
    }),
  },
  'openai-compatible': {
    label: 'The OpenAI-compatible server',
    keyVariable: 'OPENAI_COMPATIBLE_API_KEY',
    urlVariable: 'OPENAI_COMPATIBLE_BASE_URL',
    needsKey: false,
    async load() {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return ({ model, apiKey, fetch: fetcher, ...access }) =>
        createOpenAICompatible({
          name: 'compatible',
          includeUsage: true,
          ...access,
          fetch: tolerantChat(fetcher),
          ...(apiKey ? { apiKey } : {}),
        }).languageModel(model);
    },
    probeHeaders: bearer,
    providerOptions: () => ({}),
  },
};

function bearer(key: string): Record<string, string> {
  return key ? { authorization: `Bearer ${key}` } : {};
}

/** Anthropic's own clients take the address without the version, the AI SDK with it: both are right here. */
function versioned(baseUrl: string): string {
  return /\/v\d+$/.test(baseUrl) ? baseUrl : `${baseUrl}/v1`;
}

/** The models that this installation has keys and addresses for. */
export function createModels(options: ModelsOptions): Models {
  const builtin = createBuiltinModel(options.docsUrl);
  const made = new Map<string, Model>([[builtin.id, builtin]]);
  return {
    find(id) {
      const model = made.get(id) ?? makeModel(id, options);
      made.set(id, model);
      return model;
    },
  };
}

function makeModel(
  id: string,
  { providers, overrides, limits, docsUrl, fetch: fetcher = fetch }: ModelsOptions,
): Model {
  const parsed = parseModelId(id);
  if (typeof parsed === 'string') throw new ModelProblem('model_unknown', parsed);
  if (parsed.provider === 'builtin') return createBuiltinModel(docsUrl);
  const { label, keyVariable, urlVariable, ...provider } = PROVIDERS[parsed.provider];
  const { apiKey, baseUrl: given } = providers[parsed.provider];
  const baseUrl = given !== undefined && parsed.provider === 'anthropic' ? versioned(given) : given;
  if (provider.needsKey && !apiKey) {
    throw new ModelProblem(
      'model_key',
      `The model ${id} needs a key: set ${keyVariable} for the worker and restart it.`,
    );
  }
  if (baseUrl === undefined) {
    throw new ModelProblem(
      'model_key',
      `The model ${id} needs a server: set ${urlVariable} for the worker, e.g. to http://127.0.0.1:11434/v1 for Ollama, and restart it.`,
    );
  }
  const key = apiKey?.reveal() ?? '';
  const { model } = parsed;
  return createProviderModel({
    id,
    asked: { provider: parsed.provider, label, model, keyVariable, baseUrl, key },
    facts: factsOf(parsed.provider, model, overrides),
    limits,
    fetch: fetcher,
    async load() {
      const clientOf = await provider.load();
      return (watched) => clientOf({ model, apiKey: key, baseURL: baseUrl, fetch: watched });
    },
    probeHeaders: provider.probeHeaders(key),
    providerOptions: provider.providerOptions,
  });
}
