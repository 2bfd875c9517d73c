import { openDatabase, type Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/installation/migrate.ts';
import { createDatabase, dropDatabase } from './databases.ts';
import { services } from './run-services.ts';

export interface TestDatabase extends Database {
  url: string;
  /** Closes the pool and deletes the database, even while other processes are connected to it. */
  drop(): Promise<void>;
}

/**
 * A separate database on the run's server, with the schema in place: a copy of one on which all migrations
 * have run.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  return openNew(services.databaseTemplate);
}

/** The same without a schema. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return openNew();
}

async function openNew(template?: string): Promise<TestDatabase> {
  const serverUrl = services.postgresUrl;
  const { name, url } = await createDatabase(serverUrl, template);
  // Under load, a slow pool must not count as exhausted.
  const database = openDatabase(url, { waitMs: 60_000 });
  return {
    ...database,
    url,
    async drop() {
      await database.close();
      await dropDatabase(serverUrl, name);
    },
  };
}

/**
 * A database of a server that the test itself stops and starts. Nothing is dropped: the server goes with its
 * folder.
 */
export async function openTestDatabase(url: string): Promise<TestDatabase> {
  const database = openDatabase(url, { onIdleError: () => {} });
  await migrate(database);
  return { ...database, url, drop: database.close };
}
