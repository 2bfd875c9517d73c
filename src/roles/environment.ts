import { readFileSync } from 'node:fs';
import { loadConfig, type Config } from '../config/config.ts';
import { ConfigError } from '@docent/base/config-error';
import { messageOf } from '@docent/base/thrown';
import { loadTemporalSettings, type TemporalSettings } from './temporal-settings.ts';

export interface Environment {
  config: Config;
  /** Null if the environment names no Temporal server. */
  temporal: TemporalSettings | null;
}

/** Secrets may be in files, as container platforms provide them: `<name>_FILE` names the file. */
const FROM_FILES = [
  'DOCENT_OPERATOR_TOKEN',
  'DOCENT_SECRET_KEY',
  'DOCENT_OIDC_CLIENT_SECRET',
  'DOCENT_SIGNING_KEY',
  'DOCENT_SMTP_URL',
  'DATABASE_URL',
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'OPENAI_COMPATIBLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GOOGLE_VERTEX_API_KEY',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AZURE_API_KEY',
  'TEMPORAL_API_KEY',
] as const;

/** How long a key for Temporal is used before it is read again. */
const KEY_FRESH_MS = 5_000;

/** @throws ConfigError */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const resolved = withFiles(env);
  const temporal = loadTemporalSettings(resolved);
  if (temporal?.apiKey !== undefined) temporal.connection.apiKey = latestKey(env, temporal.apiKey);
  return { config: loadConfig(resolved), temporal };
}

/**
 * Temporal's key, read again from its file or configuration file; variables are fixed.
 * @throws ConfigError
 */
export function readTemporalKey(env: NodeJS.ProcessEnv): string | undefined {
  return loadTemporalSettings(withFiles(env))?.apiKey;
}

/** Keys may be replaced while a process runs. Keeps the last one if none can be read. */
function latestKey(env: NodeJS.ProcessEnv, first: string): () => string {
  let [key, readAt] = [first, performance.now()];
  return () => {
    if (performance.now() - readAt < KEY_FRESH_MS) return key;
    readAt = performance.now();
    try {
      key = readTemporalKey(env) ?? key;
    } catch (err) {
      if (!(err instanceof ConfigError)) throw err;
    }
    return key;
  };
}

function withFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const resolved = { ...env };
  for (const name of FROM_FILES) {
    const file = env[`${name}_FILE`];
    if (!file || env[name]) continue;
    try {
      resolved[name] = readFileSync(file, 'utf8').trim();
    } catch (err) {
      throw new ConfigError([`${name}_FILE names a file that cannot be read: ${messageOf(err)}.`]);
    }
  }
  return resolved;
}
