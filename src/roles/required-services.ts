import { homedir } from 'node:os';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { ConfigError } from '@docent/base/config-error';
import { hostInUrl } from '@docent/base/net/ip-address';
import type { Environment } from './environment.ts';
import type { TemporalSettings } from './temporal-settings.ts';

/** What a role needs. @throws ConfigError naming all that is missing */
export function requiredServices({ config, temporal }: Environment): {
  databaseUrl: string;
  temporal: TemporalSettings;
} {
  const problems: string[] = [];
  if (!config.databaseUrl) problems.push('DATABASE_URL is not set. Set it to a PostgreSQL 15 or newer.');
  if (!temporal) problems.push('TEMPORAL_ADDRESS is not set. Set it to host:port of a Temporal server.');
  if (!config.databaseUrl || !temporal) {
    throw new ConfigError([...problems, 'Or use `docent start`, which includes both and needs no settings.']);
  }
  return { databaseUrl: config.databaseUrl.reveal(), temporal };
}

/** The beginning of links, without a trailing slash. */
export function publicUrlOf(config: Config, port = config.port): string {
  if (config.publicUrl) return config.publicUrl;
  const isAnyAddress = ['0.0.0.0', '::', '[::]'].includes(config.host);
  return `http://${isAnyAddress ? '127.0.0.1' : hostInUrl(config.host)}:${port}`;
}

export function analyticsFolderOf(config: Config): string {
  return config.analyticsDir ?? path.join(config.home ?? path.join(homedir(), '.docent'), 'analytics');
}
