import { readFileSync } from 'node:fs';
import { createBuiltinModel } from '@docent/agent/builtin/builtin';
import { ModelProblem, type Models } from '@docent/models/model';
import { awsCredentials } from '@docent/models/providers/aws-credentials';
import { createModels, type ModelsOptions } from '@docent/models/models';
import { readModelOverrides, type ModelOverrides } from '@docent/models/model-facts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '@docent/base/config-error';
import { messageOf } from '@docent/base/thrown';
import { concealInLogs, redact, type Logger } from '../platform/log.ts';
import { publicUrlOf } from './required-services.ts';

/** One answer may be long, and some models think before they write; an activity has 15 minutes. */
const ANSWER_MS = 12 * 60_000;

/**
 * The configured models, including that of DOCENT_MODEL.
 * @param stored by an operator
 * @throws ConfigError if DOCENT_MODEL's cannot work
 */
export function modelsOf(config: Config, stored?: ModelsOptions['stored']): Models {
  const models = createModels({
    providers: {
      anthropic: { apiKey: config.anthropicApiKey, baseUrl: config.anthropicBaseUrl },
      openai: { apiKey: config.openaiApiKey, baseUrl: config.openaiBaseUrl },
      google: { apiKey: config.googleApiKey, baseUrl: config.googleBaseUrl },
      'google-vertex': {
        apiKey: config.vertexApiKey,
        baseUrl: config.vertexBaseUrl,
        project: config.vertexProject,
        location: config.vertexLocation,
      },
      'amazon-bedrock': {
        apiKey: config.bedrockApiKey,
        baseUrl: config.bedrockBaseUrl,
        region: config.s3Region,
        credentials: awsCredentials(concealInLogs),
      },
      azure: { apiKey: config.azureApiKey, baseUrl: azureUrl(config) },
      'openai-compatible': { apiKey: config.openaiCompatibleApiKey, baseUrl: config.openaiCompatibleBaseUrl },
    },
    overrides: overridesOf(config),
    limits: { idleMs: config.modelIdleSeconds * 1_000, totalMs: ANSWER_MS },
    stored,
    builtin: createBuiltinModel(`${publicUrlOf(config).replace(/\/+$/, '')}/docs`),
    secrets: { conceal: concealInLogs, redact },
  });
  try {
    if (config.model !== undefined) models.find(config.model);
  } catch (err) {
    if (err instanceof ModelProblem) throw new ConfigError([`DOCENT_MODEL is ${config.model}. ${err.message}`]);
    throw err;
  }
  return models;
}

function azureUrl({ azureBaseUrl, azureResourceName }: Config): string | undefined {
  if (azureBaseUrl !== undefined || azureResourceName === undefined) return azureBaseUrl;
  return `https://${azureResourceName}.openai.azure.com/openai`;
}

/** An operator can set a model while this worker runs: so the worker starts anyway, but jobs would fail. */
export async function warnOfUnusable(models: Models, id: string, log: Logger): Promise<void> {
  try {
    await models.resolve(id);
  } catch (err) {
    if (!(err instanceof ModelProblem)) throw err;
    log.warn(`This worker cannot use the default model. ${err.message}`);
  }
}

function overridesOf({ modelsFile }: Config): ModelOverrides {
  if (modelsFile === undefined) return {};
  try {
    return readModelOverrides(readFileSync(modelsFile, 'utf8'));
  } catch (err) {
    throw new ConfigError([`DOCENT_MODELS_FILE is ${modelsFile}, which cannot be used: ${messageOf(err)}.`]);
  }
}
