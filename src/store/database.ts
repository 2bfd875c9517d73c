import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import { Pool } from 'pg';
import * as schema from './schema.ts';

export type Db = NodePgDatabase<typeof schema>;
/** A transaction, or the database outside one: queries take either. */
export type Queryable = Db | Parameters<Parameters<Db['transaction']>[0]>[0];

export interface Database {
  readonly db: Db;
  readonly pool: Pool;
  close(): Promise<void>;
}

/** Any number that no other program is likely to lock; the same for every version. */
const MIGRATION_LOCK = 7_216_340_811;

/**
 * Opens a pool. Connects lazily; a broken connection is replaced by the next query.
 * @param onIdleError is told about connections that break while nobody uses them (Postgres restarted)
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
  // A connection in use that breaks says so too, beside failing its query: unheard, that would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return { db: drizzle(pool, { schema }), pool, close: () => pool.end() };
}

/** Brings the schema up to date. Runs under an advisory lock: any number of processes may call it at once. */
export async function migrate(database: Database): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      await applyMigrations(drizzle(client, { schema }), {
        migrationsFolder: fileURLToPath(new URL('./migrations', import.meta.url)),
      });
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    client.release();
  }
}

const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '08000',
  '08003',
  '08006',
]);

/** The database's clock, in milliseconds since 1970. */
export async function databaseNow(db: Db): Promise<number> {
  const { rows } = await db.execute<{ now: Date | string }>(sql`SELECT now() AS now`);
  return new Date(rows[0]?.now ?? NaN).getTime();
}

/** Whether an error says that the database cannot be reached now (as opposed to: the query is wrong). */
export function isDatabaseUnavailable(err: unknown): boolean {
  for (let current = err; current instanceof Error; current = current.cause) {
    const code = (current as { code?: unknown }).code;
    if (typeof code === 'string' && CONNECTION_ERRORS.has(code)) return true;
    if (
      /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
        current.message,
      )
    )
      return true;
    if (current instanceof AggregateError && current.errors.some(isDatabaseUnavailable)) return true;
  }
  return false;
}

/** The SQLSTATE that Postgres gave for an error, however deep it is wrapped. */
export function sqlStateOf(err: unknown): string | undefined {
  for (let current = err; current instanceof Error; current = current.cause) {
    const code = (current as { code?: unknown }).code;
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}
