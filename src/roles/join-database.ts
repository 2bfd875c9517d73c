import type { Config } from '../config/config.ts';
import type { Logger } from '../platform/log.ts';
import type { Database } from '../store/database.ts';
import { isDatabaseUnavailable } from '../store/database-problem.ts';
import { migrate, type Say } from '../store/installation/migrate.ts';
import { levelOf, readMigrations, type Migration } from '../store/installation/migration-files.ts';
import { readSchemaState, refuseMismatch, type SchemaState } from '../store/installation/schema-version.ts';
import { SignOfLife } from './sign-of-life.ts';
import { untilReachable } from './until-reachable.ts';
import { VERSION } from '../platform/version.ts';
import { Refused } from '@docent/base/refused';

interface JoinOptions {
  config: Pick<Config, 'migrate' | 'migrations'>;
  log: Logger;
  /** Ends the wait for an unreachable database; without it, there is no wait. */
  stopping?: AbortSignal;
}

/**
 * Checks the schema, updates it if the settings allow that, and registers this process.
 * @throws Refused; at once for a wrong password or a missing database
 */
export function joinDatabase(database: Database, name: string, options: JoinOptions): Promise<SignOfLife> {
  const { config, log, stopping } = options;
  const migrations = readMigrations(config.migrations);
  const attempt = async () => {
    await bringUpToDate(database, migrations, options);
    return SignOfLife.join(database, { name, level: levelOf(migrations) }, log);
  };
  return stopping
    ? untilReachable('the database', attempt, isDatabaseUnavailable, { log, signal: stopping })
    : attempt();
}

async function bringUpToDate(
  database: Database,
  migrations: readonly Migration[],
  { config, log, stopping }: JoinOptions,
): Promise<void> {
  const state = await readSchemaState(database.db, migrations);
  refuseMismatch(state, migrations, VERSION);
  if (config.migrate === 'never') refuseOlder(state);
  else if (state.pending.length > 0) {
    const say: Say = (text, slow) => log[slow ? 'warn' : 'debug'](`schema: ${text}`);
    const options = { migrations, version: VERSION, say, ...(stopping ? { signal: stopping } : {}) };
    const { ran, postponed, older } = await migrate(database, options);
    if (ran.length > 0) log.info({ migrations: ran.map(({ name }) => name) }, 'updated the database schema');
    if (postponed.length > 0) {
      log.info(
        { migrations: postponed.map((one) => one.name), processes: older.map((one) => `${one.name} on ${one.host}`) },
        'kept schema parts that older running processes still use; a later start or `docent migrate` removes them',
      );
    }
  }
  const level = levelOf(migrations);
  if (state.level > level)
    log.info(
      { level: state.level, known: level },
      'the schema is from a newer version that this version is compatible with',
    );
}

/** Only additions are required. @throws Refused */
function refuseOlder({ pending }: SchemaState): void {
  const needed = pending.filter(({ kind }) => kind === 'expand');
  if (needed.length === 0) return;
  throw new Refused(
    `The database schema is too old for Docent ${VERSION}. Pending migrations: ${needed.map(({ name }) => name).join(', ')}. ` +
      `Run \`docent migrate\`, or start a role with DOCENT_MIGRATE=auto.`,
  );
}
