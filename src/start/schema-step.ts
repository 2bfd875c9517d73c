import type { ListrTask } from 'listr2';
import { openDatabase, type Database } from '../store/database.ts';
import { isDatabaseUnavailable } from '../store/database-problem.ts';
import { migrate } from '../store/installation/migrate.ts';
import { readMigrations } from '../store/installation/migration-files.ts';
import { readSchemaState, refuseMismatch } from '../store/installation/schema-version.ts';
import type { PartContext } from './start-parts.ts';
import { VERSION } from '../platform/version.ts';

/** A new home gets its schema quickly: only an upgrade is worth a line. */
const isUpgrade = (level: number) => level > 0;

/**
 * Updates the schema before the roles start, as it may take longer than they wait. Empty if there is nothing
 * to do, or an operator's database waits.
 * @throws Refused
 */
export async function schemaSteps(
  { config, databaseUrl }: PartContext,
  signal: AbortSignal,
  paced: (show: (text: string) => void) => (text: string) => void,
): Promise<ListrTask<undefined>[]> {
  if (!databaseUrl || (config.databaseUrl && config.migrate === 'never')) return [];
  const migrations = readMigrations(config.migrations);
  const withDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = openDatabase(databaseUrl, { applicationName: 'docent start', maxConnections: 2 });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  const state = await withDatabase(({ db }) => readSchemaState(db, migrations)).catch((err: unknown) => {
    if (isDatabaseUnavailable(err)) return null;
    throw err;
  });
  if (!state || !isUpgrade(state.level)) return [];
  refuseMismatch(state, migrations, VERSION);
  if (state.pending.length === 0) return [];
  return [
    {
      title: 'Database schema',
      async task(_, task) {
        const say = paced((text) => (task.output = text));
        await withDatabase((database) => migrate(database, { migrations, version: VERSION, signal, say }));
      },
    },
  ];
}
