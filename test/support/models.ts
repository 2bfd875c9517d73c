import type { Model, ModelRequest, Models } from '@docent/models/model';
import { createModels, type ModelsOptions } from '@docent/models/models';
import { createBuiltinModel } from '@docent/agent/builtin/builtin';
import { TOOL_DEFINITIONS } from '@docent/agent/tools/tool-set';
import { concealInLogs, redact } from '../../src/platform/log.ts';
import { Secret } from '../../src/platform/secret.ts';

/** A key that no text of ours may ever show. */
export const TEST_KEY = 'sk-test-9f8e7d6c5b4a39281706f5e4d3c2b1a0';

/** What every installation gives its models. */
export const MODEL_OPTIONS: Pick<ModelsOptions, 'builtin' | 'secrets' | 'overrides'> = {
  builtin: createBuiltinModel(),
  secrets: { conceal: concealInLogs, redact },
  overrides: {},
};

/** All providers' models, which answer at `baseUrl`. */
export function modelsAt(baseUrl: string, options: Partial<ModelsOptions> = {}): Models {
  const access = { apiKey: new Secret(TEST_KEY), baseUrl };
  return createModels({
    providers: { anthropic: access, openai: access, 'openai-compatible': access },
    ...MODEL_OPTIONS,
    limits: { idleMs: 1_000, totalMs: 5_000 },
    ...options,
  });
}

/** A model of a provider that answers at `baseUrl`. */
export function modelAt(id: string, baseUrl: string, options: Partial<ModelsOptions> = {}): Model {
  return modelsAt(baseUrl, options).find(id);
}

export function requestOf(...said: ModelRequest['transcript']): ModelRequest {
  return { system: 'You edit docs.', transcript: said, tools: TOOL_DEFINITIONS, cacheKey: 'job1' };
}

export const ASKED: ModelRequest['transcript'][number] = { role: 'user', no: 1, text: 'Say hello in index.mdx.' };
