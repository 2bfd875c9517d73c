import type { ConnectionOptions } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { ConfigError } from '@docent/base/config-error';
import { messageOf } from '@docent/base/thrown';
import { fitsHeader, UNFIT_FOR_HEADER, withoutMargins } from '@docent/base/net/header-value';

/** The address of Temporal, and its credentials. */
export interface TemporalSettings {
  connection: ConnectionOptions & { address: string };
  namespace: string;
  /** The key as it was when the settings were read. */
  apiKey?: string;
}

/** The variables of Temporal's environment configuration that choose the server. */
const CHOOSING = ['TEMPORAL_ADDRESS', 'TEMPORAL_CONFIG_FILE', 'TEMPORAL_PROFILE'] as const;

/**
 * Reads Temporal's environment configuration. Null unless a variable chooses a server: a default
 * configuration file alone does not.
 * @throws ConfigError
 */
export function loadTemporalSettings(env: Readonly<Record<string, string | undefined>>): TemporalSettings | null {
  if (!CHOOSING.some((name) => env[name])) return null;
  const given = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value ? [[name, withoutMargins(value)]] : [],
  );
  try {
    const { connectionOptions, namespace } = loadClientConnectConfig({
      overrideEnvVars: Object.fromEntries(given),
      disableFile: !env.TEMPORAL_CONFIG_FILE && !env.TEMPORAL_PROFILE,
    });
    const { address, apiKey, tls, metadata } = connectionOptions;
    if (typeof apiKey === 'string' && !fitsHeader(apiKey)) throw new Error(`TEMPORAL_API_KEY ${UNFIT_FOR_HEADER}`);
    if (!address) throw new Error('it has no address; set TEMPORAL_ADDRESS');
    const options = {
      address,
      ...(apiKey ? { apiKey } : {}),
      ...(tls === undefined ? {} : { tls }),
      ...(metadata ? { metadata } : {}),
    };
    return { connection: options, namespace: namespace ?? 'default', ...(apiKey ? { apiKey } : {}) };
  } catch (err) {
    throw new ConfigError([`The Temporal settings (TEMPORAL_…) are invalid: ${messageOf(err)}.`]);
  }
}
