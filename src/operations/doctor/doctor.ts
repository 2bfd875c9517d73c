import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { messageOf } from '@docent/base/thrown';
import { Secret } from '../../platform/secret.ts';
import { openDatabase, type Database } from '../../store/database.ts';
import { readMigrations } from '../../store/installation/migration-files.ts';
import { findInstallationId } from '../../store/installation/installation.ts';
import { bucketSettingsOf } from '../../roles/analytics-folder.ts';
import type { TemporalSettings } from '../../roles/temporal-settings.ts';
import { taskQueueOf } from '../../workflows/contract.ts';
import { readRunFile, type RunFile } from '../../start/home.ts';
import { analyticsFindings } from './analytics-findings.ts';
import { databaseFindings, keyFindings } from './database-findings.ts';
import { DOCS, judgeGivenUp, warning, wrong, type Finding } from '../../platform/health.ts';
import { homeFindings } from './home-findings.ts';
import { networkFindings, repositoryFindings } from './network-findings.ts';
import { temporalFindings } from './temporal-findings.ts';

export interface DoctorOptions {
  config: Config;
  /** From the environment; null if `docent start` brings its own. */
  temporal: TemporalSettings | null;
  home: string;
  /** Also whether code hosts and models can be reached. */
  network: boolean;
}

const ASK_MS = 5_000;
const NAMESPACE = 'default';

/** Examines an installation, whatever of it is down, without changes. Checks fail independently. */
export async function examine({ config, temporal, home, network }: DoctorOptions): Promise<Finding[]> {
  const run = existsSync(home) ? readRunFile(home) : null;
  const embeds = { postgres: config.databaseUrl === undefined, temporal: temporal === null };
  const isStart = embeds.postgres || embeds.temporal || existsSync(path.join(home, 'state.json'));
  const findings: Finding[] = [];
  const check = async (name: string, findingsOf: () => Promise<Finding[]>) => {
    try {
      findings.push(...(await findingsOf()));
    } catch (err) {
      const todo = 'Fix the problems above, and run docent doctor again.';
      findings.push(warning(name, { what: `This could not be checked: ${messageOf(err)}`, todo, docs: DOCS.starting }));
    }
  };
  if (isStart) await check('home', () => homeFindings({ home, host: config.host, port: config.port, embeds }));
  if (run) await check('parts', () => partFindings(run));

  const url = config.databaseUrl?.reveal() ?? run?.databaseUrl;
  const database =
    url === undefined ? null : openDatabase(url, { applicationName: 'docent doctor', maxConnections: 2 });
  try {
    const reached = database && (await reach(database, config, check));
    if (!database) {
      const todo = 'Start Docent. The database can then be checked.';
      findings.push(warning('database', { what: 'Its PostgreSQL is not running.', todo, docs: DOCS.starting }));
    }
    const settings = temporal ?? (run ? { connection: { address: run.temporalAddress }, namespace: NAMESPACE } : null);
    const id = reached ? await findInstallationId(reached.db) : null;
    if (settings) await check('temporal', () => temporalFindings(settings, id === null ? null : taskQueueOf(id)));
    await check('analytics', () =>
      analyticsFindings(config.analyticsDir ?? path.join(home, 'analytics'), reached, bucketSettingsOf(config)),
    );
    if (reached) {
      await check('secret-key', () => keyFindings(reached, keysOf(config, home)));
      await check('repositories', () => repositoryFindings(reached));
      if (network) await check('network', () => networkFindings(reached, modelsOf(config)));
    }
  } finally {
    await database?.close();
  }
  return findings;
}

type Check = (name: string, findingsOf: () => Promise<Finding[]>) => Promise<void>;

/** Null if it cannot be used. */
async function reach(database: Database, config: Config, check: Check): Promise<Database | null> {
  let isReachable = false;
  await check('database', async () => {
    const found = await databaseFindings(database, readMigrations(config.migrations));
    isReachable = found.isReachable;
    return found.findings;
  });
  return isReachable ? database : null;
}

/** Failing parts, as reported by the API of a `docent start`. */
async function partFindings({ apiUrl }: RunFile): Promise<Finding[]> {
  let said: { givenUpParts?: { name: string; reason: string }[] };
  try {
    const response = await fetch(`${apiUrl}/readyz`, { signal: AbortSignal.timeout(ASK_MS) });
    said = (await response.json()) as typeof said;
  } catch {
    const what = `The API does not respond at ${apiUrl}.`;
    return [wrong('api', { what, todo: 'Check the output of docent start, or start it again.', docs: DOCS.starting })];
  }
  return judgeGivenUp(said.givenUpParts ?? []);
}

/** Keys of the environment precede that of the home. */
function keysOf(config: Config, home: string): readonly Secret[] {
  if (config.secretKeys.length > 0) return config.secretKeys;
  try {
    return [new Secret(readFileSync(path.join(home, 'secret-key'), 'utf8').trim())];
  } catch {
    return [];
  }
}

function modelsOf(config: Config): { name: string; url: string }[] {
  const given = [
    ['Anthropic', config.anthropicApiKey, config.anthropicBaseUrl],
    ['OpenAI', config.openaiApiKey, config.openaiBaseUrl],
    ['Google', config.googleApiKey, config.googleBaseUrl],
    ['OpenAI-compatible', config.openaiCompatibleBaseUrl, config.openaiCompatibleBaseUrl],
  ] as const;
  return given.flatMap(([name, isUsed, url]) => (isUsed && url ? [{ name: `model provider ${name}`, url }] : []));
}
