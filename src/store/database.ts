import { sql, type SQLWrapper } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import { quietDrizzle, quietErrors } from './query-errors.ts';
import type * as schema from './schema.ts';

export type Db = NodePgDatabase<typeof schema>;
/** A transaction, or the database outside one: queries take either. */
export type Queryable = Db | Parameters<Parameters<Db['transaction']>[0]>[0];

/** A query that runs when its result is awaited, or that is part of another one. */
export type Query<T> = Promise<T> & SQLWrapper;

export interface Database {
  readonly db: Db;
  readonly pool: Pool;
  close(): Promise<void>;
}

/**
 * Connects lazily and replaces broken connections.
 * @param onIdleError is called for broken idle connections
 */
export function openDatabase(
  url: string,
  options: {
    maxConnections?: number;
    applicationName?: string;
    /** How long a query may wait for a free or new connection, in milliseconds. */
    waitMs?: number;
    onIdleError?: (err: Error) => void;
  } = {},
): Database {
  const pool = new Pool({
    connectionString: url,
    max: options.maxConnections ?? 10,
    application_name: options.applicationName ?? 'docent',
    connectionTimeoutMillis: options.waitMs ?? 5_000,
    // A paused process must not hold row locks for long: others wait for them.
    idle_in_transaction_session_timeout: 15_000,
    statement_timeout: 60_000,
  });
  pool.on('error', (err) => options.onIdleError?.(err));
  // A broken connection in use also emits an error, which would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    quietErrors(client);
  });
  return { db: quietDrizzle(pool), pool, close: () => pool.end() };
}

/** The database's clock, in milliseconds since 1970. */
export async function databaseNow(db: Db): Promise<number> {
  const { rows } = await db.execute<{ now: Date | string }>(sql`SELECT now() AS now`);
  return new Date(rows[0]?.now ?? NaN).getTime();
}
