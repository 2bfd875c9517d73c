import { hostname } from 'node:os';
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import type { Database, Queryable } from '../database.ts';

/** The advisory lock that all processes share which have the analytics folder open. */
const [CLASS, OBJECT] = [7264, 1];
const KEYS = `${CLASS}, ${OBJECT}`;

/** This process's share of the analytics folder's lock, on its own connection, with which it ends. */
export class FolderLock {
  readonly #url: string | undefined;
  readonly #name: string;
  #client: Client | null = null;

  /** @param name what this process is, for people: `docent api` */
  constructor(database: Database, name: string) {
    this.#url = database.pool.options.connectionString;
    this.#name = `${name}, process ${process.pid} on ${hostname()}`.slice(0, 63);
  }

  /** Takes the share, even after a lost connection. Waits for an exclusive holder. Idempotent. */
  async share(): Promise<void> {
    if (this.#client) return;
    await this.#connected(async (client) => {
      await client.query(`SELECT pg_advisory_lock_shared(${KEYS})`);
      return true;
    });
  }

  /**
   * Runs `work` under the exclusive lock, before `share`.
   * @returns null if another process has the folder open
   */
  alone<T>(work: () => Promise<T>): Promise<T | null> {
    return this.#connected(async (client) => {
      const { rows } = await client.query<{ locked: boolean }>(`SELECT pg_try_advisory_lock(${KEYS}) AS locked`);
      if (!rows[0]?.locked) return null;
      const result = await work();
      await client.query(`SELECT pg_advisory_lock_shared(${KEYS}), pg_advisory_unlock(${KEYS})`);
      return result;
    });
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  /** Keeps the connection if `lock` returns anything. */
  async #connected<T>(lock: (client: Client) => Promise<T | null>): Promise<T | null> {
    const client = new Client({
      connectionString: this.#url,
      application_name: this.#name,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    let isOpen = true;
    const forget = () => {
      isOpen = false;
      if (this.#client === client) this.#client = null;
    };
    client.on('error', forget);
    client.on('end', forget);
    await client.connect();
    let result: T | null = null;
    try {
      result = await lock(client);
      if (result !== null && isOpen) this.#client = client;
      return result;
    } finally {
      if (this.#client !== client) await client.end();
    }
  }
}

/** The processes that have the folder open, for people. */
export async function folderHolders(q: Queryable): Promise<string[]> {
  const { rows } = await q.execute<{ name: string }>(sql`
    SELECT coalesce(nullif(a.application_name, ''), 'a process') AS name
      FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.granted AND l.classid = ${CLASS} AND l.objid = ${OBJECT} AND l.objsubid = 2
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
     ORDER BY a.backend_start`);
  return rows.map(({ name }) => name);
}

/** Takes the lock alone until the transaction ends. @returns whether no process has the folder open */
export async function lockFolderAlone(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${sql.raw(KEYS)}) AS locked`,
  );
  return rows[0]?.locked === true;
}
