import type { LanguageModelV4 } from '@ai-sdk/provider';
import { ModelProblem, type Model, type Models } from './model.ts';
import type { AwsCredentials } from './providers/aws-credentials.ts';
import { factsOf, type ModelOverrides } from './model-facts.ts';
import { isStorable, parseModelId, type ProviderName, type StorableProvider } from './model-id.ts';
import { createProviderModel, type ProviderModelOptions } from './providers/provider-model.ts';
import { tolerantChat } from './providers/tolerant-chat.ts';
import type { WatchLimits } from './providers/watched-fetch.ts';

/** A key that is shown only to its provider. */
interface Secret {
  reveal(): string;
}

/** How the process keeps secrets out of what people see. */
export interface SecretFilter {
  /** From now on, {@link SecretFilter.redact} removes this value, too. */
  conceal(secret: string): void;
  /** Removes all that is or looks like a secret. */
  redact(text: string): string;
}

/** How to reach a provider. The clouds have their own names for region and account. */
export interface ProviderAccess {
  apiKey: Secret | undefined;
  baseUrl: string | undefined;
  /** Google Cloud. */
  project?: string | undefined;
  location?: string | undefined;
  /** AWS. */
  region?: string | undefined;
  /** If there is no key. */
  credentials?: () => Promise<AwsCredentials>;
}

export interface StoredAccess {
  apiKey: Secret;
  baseUrl: string | undefined;
}

export interface ModelsOptions {
  /** Those that this installation may use. */
  providers: Partial<Record<ProviderName, ProviderAccess>>;
  overrides: ModelOverrides;
  limits: WatchLimits;
  /** A provider's stored access, as it is now; null for none. The environment takes precedence. */
  stored?: ((provider: StorableProvider) => Promise<StoredAccess | null>) | undefined;
  /** A model that needs no provider. */
  builtin: Model;
  secrets: SecretFilter;
  /** Sends the requests. Base URLs are the operator's: they may be private. */
  fetch?: typeof fetch;
}

interface Provider {
  label: string;
  keyVariable: string;
  urlVariable: string;
  needsKey: boolean;
  /** Where its credentials are when there is no key. */
  elsewhere?: string;
  /** The variables to set in addition to key and address. */
  lacks?: (access: ProviderAccess) => string | null;
  /** Loads its client library; most workers need that of one provider only. */
  load: (access: ProviderAccess) => Promise<(at: ClientOptions) => LanguageModelV4>;
  /** Null if the provider has no route that reports whether it has a model. */
  probeHeaders: ((key: string) => Record<string, string>) | null;
  providerOptions: ProviderModelOptions['providerOptions'];
}

const STORE_KEY = '`docent model key set`';

interface ClientOptions {
  model: string;
  apiKey: string;
  baseURL: string;
  fetch: typeof fetch;
}

/**
 * The transcript is ours: the provider keeps none, and gives reasoning back in a form that can be sent again.
 */
const openaiOptions: ProviderModelOptions['providerOptions'] = ({ cacheKey }) => ({
  openai: {
    store: false,
    ...(cacheKey ? { promptCacheKey: cacheKey } : {}),
    include: ['reasoning.encrypted_content'],
  },
});

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
    providerOptions: openaiOptions,
  },
  google: {
    label: 'Google',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    urlVariable: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    needsKey: true,
    async load() {
      const { createGoogle } = await import('@ai-sdk/google');
      return ({ model, ...access }) => createGoogle(access).languageModel(model);
    },
    probeHeaders: (key) => ({ 'x-goog-api-key': key }),
    providerOptions: () => ({}),
  },
  'google-vertex': {
    label: 'Google Vertex AI',
    keyVariable: 'GOOGLE_VERTEX_API_KEY',
    urlVariable: 'GOOGLE_VERTEX_BASE_URL',
    elsewhere: 'the application default credentials',
    needsKey: false,
    lacks: ({ apiKey, project, location }) =>
      apiKey || (project && location)
        ? null
        : 'GOOGLE_VERTEX_PROJECT and GOOGLE_VERTEX_LOCATION, with application default credentials, or GOOGLE_VERTEX_API_KEY',
    async load({ project, location }) {
      const { createGoogleVertex } = await import('@ai-sdk/google-vertex');
      return ({ model, apiKey, baseURL, fetch: fetcher }) =>
        createGoogleVertex({
          fetch: fetcher,
          // Without a key, Google's library finds the credentials of the machine, as it documents.
          ...(apiKey ? { apiKey } : { ...(project && { project }), ...(location && { location }) }),
          ...(baseURL && { baseURL }),
        }).languageModel(model);
    },
    probeHeaders: null,
    providerOptions: () => ({}),
  },
  'amazon-bedrock': {
    label: 'Amazon Bedrock',
    keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
    urlVariable: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
    elsewhere: 'the AWS credentials of the worker',
    needsKey: false,
    lacks: ({ region }) => (region ? null : 'AWS_REGION'),
    async load({ region = '', apiKey: key, credentials }) {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
      const signing = key ? undefined : await credentials?.();
      return ({ model, apiKey, baseURL, fetch: fetcher }) =>
        createAmazonBedrock({
          region,
          fetch: fetcher,
          ...(baseURL && { baseURL }),
          ...(signing ?? { apiKey }),
        }).languageModel(model);
    },
    probeHeaders: null,
    providerOptions: () => ({}),
  },
  azure: {
    label: 'Azure OpenAI',
    keyVariable: 'AZURE_API_KEY',
    urlVariable: 'AZURE_RESOURCE_NAME (or AZURE_BASE_URL)',
    needsKey: true,
    async load() {
      const { createAzure } = await import('@ai-sdk/azure');
      return ({ model, ...access }) => createAzure(access).languageModel(model);
    },
    probeHeaders: null,
    providerOptions: openaiOptions,
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

/** Anthropic's own clients take the address without the version, the AI SDK with it: both work here. */
function versioned(baseUrl: string): string {
  return /\/v\d+$/.test(baseUrl) ? baseUrl : `${baseUrl}/v1`;
}

/** The models that this installation has keys and addresses for. */
export function createModels(options: ModelsOptions): Models {
  const made = new Map<string, Model>([[options.builtin.id, options.builtin]]);
  const find = (id: string) => {
    const model = made.get(id) ?? makeModel(id, options);
    made.set(id, model);
    return model;
  };
  return {
    find,
    async resolve(id) {
      const parsed = parseModelId(id);
      if (typeof parsed === 'string' || parsed.provider === 'builtin') return find(id);
      const { provider } = parsed;
      const own = options.providers[provider];
      if (!isStorable(provider)) return find(id);
      const isReached = own?.apiKey !== undefined || (!PROVIDERS[provider].needsKey && own?.baseUrl !== undefined);
      const stored = isReached ? null : await options.stored?.(provider);
      return stored ? makeModel(id, options, stored) : find(id);
    },
  };
}

function makeModel(
  id: string,
  { providers, overrides, limits, builtin, secrets, fetch: fetcher = fetch }: ModelsOptions,
  stored?: StoredAccess,
): Model {
  const parsed = parseModelId(id);
  if (typeof parsed === 'string') throw new ModelProblem('model_unknown', parsed);
  if (parsed.provider === 'builtin') return builtin;
  const { label, keyVariable, urlVariable, ...provider } = PROVIDERS[parsed.provider];
  const own = providers[parsed.provider] ?? { apiKey: undefined, baseUrl: undefined };
  const access = stored ? { ...own, apiKey: stored.apiKey, baseUrl: stored.baseUrl ?? own.baseUrl } : own;
  const { apiKey, baseUrl: given } = access;
  const baseUrl = given !== undefined && parsed.provider === 'anthropic' ? versioned(given) : given;
  const lacking = provider.needsKey && !apiKey ? keyVariable : (provider.lacks?.(access) ?? null);
  if (lacking !== null) {
    const what = provider.needsKey ? 'a key' : 'access';
    const orStore = isStorable(parsed.provider) ? `, or enter the key on the Model page or with ${STORE_KEY}` : '';
    throw new ModelProblem(
      'model_key',
      `The model ${id} needs ${what}: set ${lacking} for the worker and restart it${orStore}.`,
    );
  }
  if (baseUrl === undefined && !provider.lacks) {
    const example = isStorable(parsed.provider) ? ', e.g. to http://127.0.0.1:11434/v1 for Ollama,' : '';
    const orStore = isStorable(parsed.provider) ? `, or enter the address on the Model page or with ${STORE_KEY}` : '';
    throw new ModelProblem(
      'model_key',
      `The model ${id} needs a server: set ${urlVariable} for the worker${example} and restart it${orStore}.`,
    );
  }
  const key = apiKey?.reveal() ?? '';
  // Its form is known to no pattern of the log.
  if (apiKey && (provider.lacks || stored)) secrets.conceal(key);
  const { model } = parsed;
  const usedKey = apiKey || !provider.elsewhere ? keyVariable : provider.elsewhere;
  const at = baseUrl ?? `its address in ${access.region ?? access.location ?? 'the cloud'}`;
  return createProviderModel({
    id,
    asked: {
      provider: parsed.provider,
      label,
      model,
      keyVariable: stored ? null : usedKey,
      baseUrl: at,
      key,
      redact: secrets.redact,
    },
    facts: factsOf(parsed.provider, model, overrides),
    limits,
    fetch: fetcher,
    async load() {
      const clientOf = await provider.load(access);
      return (watched) => clientOf({ model, apiKey: key, baseURL: baseUrl ?? '', fetch: watched });
    },
    probeHeaders: provider.probeHeaders?.(key) ?? null,
    providerOptions: provider.providerOptions,
  });
}
