import { readFileSync } from 'node:fs';
import { loadConfig, type Config } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import { messageOf } from '../../platform/errors.ts';
import { loadTemporalSettings, type TemporalSettings } from './temporal-settings.ts';

export interface Environment {
  config: Config;
  /** Null where the environment names no Temporal server. */
  temporal: TemporalSettings | null;
}

/** Secrets may lie in files, as container platforms hand them out: `<name>_FILE` names the file. */
const FROM_FILES = [
  'DOCENT_OPERATOR_TOKEN',
  'DOCENT_SECRET_KEY',
  'DOCENT_OIDC_CLIENT_SECRET',
  'DATABASE_URL',
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'OPENAI_COMPATIBLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GOOGLE_VERTEX_API_KEY',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AZURE_API_KEY',
] as const;

/**
 * Reads all that the environment says.
 * @throws ConfigError
 */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
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
  return { config: loadConfig(resolved), temporal: loadTemporalSettings(resolved) };
}
