import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database } from '../database.ts';

/** Any number that no other program is likely to lock; the same for every version. */
const MIGRATION_LOCK = 7_216_340_811;
const POLL_MS = 500;
const REMIND_MS = 10_000;
const QUIET_MS = 2_000;

/** Runs work as the only process that changes the schema, without time limits, on its own connection. */
export async function withMigrationLock<T>(
  database: Database,
  { signal, say }: { signal: AbortSignal | undefined; say: (text: string, slow: 'slow') => void },
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  const [{ pid } = { pid: 0 }] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
  // A running statement would continue without us.
  const cancel = () => void database.pool.query('SELECT pg_cancel_backend($1)', [pid]).catch(() => {});
  try {
    signal?.throwIfAborted();
    await client.query(
      // A server that cannot be informed of our death notices it within minutes.
      'SET statement_timeout = 0; SET lock_timeout = 0; SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10',
    );
    await untilLocked(client, signal, say);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await work(client);
    } finally {
      signal?.removeEventListener('abort', cancel);
      // On a broken connection, the lock is already released.
      await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {});
    }
  } finally {
    // Not reusable: it has no time limits.
    client.release(true);
  }
}

/** Polls: a waiting statement would hold a snapshot, for which CREATE INDEX CONCURRENTLY waits. */
async function untilLocked(
  client: PoolClient,
  signal: AbortSignal | undefined,
  say: (text: string, slow: 'slow') => void,
): Promise<void> {
  // Roles that start together wait for each other for a moment: that is not worth a message.
  let said = performance.now() - REMIND_MS + QUIET_MS;
  for (;;) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS mine', [MIGRATION_LOCK]);
    if (rows[0]?.mine) return;
    if (performance.now() - said > REMIND_MS) {
      said = performance.now();
      const holder = await holderOf(client);
      say(`Waiting for another process that is updating the schema${holder ? `: ${holder}` : ''}.`, 'slow');
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

const WHO = `coalesce(nullif(a.application_name, ''), 'a client') || coalesce(' at ' || host(a.client_addr), '') ||
             ' (PostgreSQL process ' || a.pid`;

async function holderOf(client: PoolClient): Promise<string | undefined> {
  const { rows } = await client.query<{ who: string }>(
    `SELECT ${WHO} || ')' AS who
     FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND l.classid = ($1::bigint >> 32)::oid AND l.objid = ($1::bigint & 4294967295)::oid`,
    [MIGRATION_LOCK],
  );
  return rows[0]?.who;
}

/** The longest open transaction in this database, for people; undefined if there is no other. */
export async function longestTransaction(client: PoolClient): Promise<string | undefined> {
  const { rows } = await client.query<{ who: string }>(
    `SELECT ${WHO} || ', open for ' || round(extract(epoch FROM clock_timestamp() - a.xact_start)) || ' s)' AS who
     FROM pg_stat_activity a
     WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.xact_start IS NOT NULL
     ORDER BY a.xact_start LIMIT 1`,
  );
  return rows[0]?.who;
}
