import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';

export interface TestDatabase extends Database {
  url: string;
  /** Closes the pool and deletes the database, also while other processes are connected to it. */
  drop(): Promise<void>;
}

/** A database of its own on the run's server, with the schema in place. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  await migrate(database);
  return database;
}

/** The same without a schema. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  const name = `docent_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = openDatabase(url.href);
  return {
    ...database,
    url: url.href,
    async drop() {
      await database.close();
      await onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** A database of a server that the test itself stops and starts. Nothing is dropped: the server goes with its folder. */
export async function openTestDatabase(url: string): Promise<TestDatabase> {
  const database = openDatabase(url, { onIdleError: () => {} });
  await migrate(database);
  return { ...database, url, drop: database.close };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
