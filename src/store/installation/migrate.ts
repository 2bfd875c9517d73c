import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { messageOf } from '@docent/base/thrown';
import type { Database, Queryable } from '../database.ts';
import { isDatabaseUnavailable, sqlStateOf } from '../database-problem.ts';
import { readMigrations, type Migration } from './migration-files.ts';
import { longestTransaction, withMigrationLock } from './migration-lock.ts';
import { olderProcesses, type LivingProcess } from './processes.ts';
import { quietDrizzle } from '../query-errors.ts';
import { readSchemaState, refuseMismatch } from './schema-version.ts';
import { Refused } from '@docent/base/refused';

export type Say = (text: string, slow?: 'slow') => void;

export interface MigrateOptions {
  /** Default: those of this build. */
  migrations?: readonly Migration[];
  /** The version of this build, for people. */
  version?: string;
  /** Ends any wait and any running statement; nothing remains half done. */
  signal?: AbortSignal;
  /** Contracts too, although processes live that cannot work after them. */
  force?: boolean;
  /** Gets progress sentences. `slow`: what it waits for, and that it still works. */
  say?: Say;
}

export interface MigrateResult {
  ran: readonly Migration[];
  /** Contracts that wait for the end of these processes, or for one before them. */
  postponed: readonly Migration[];
  older: readonly LivingProcess[];
}

/** Names the failed migration, the cause, and the resulting state. */
const failed = ({ name, inTransaction }: Migration, cause: unknown): Refused =>
  new Refused(
    `${name} could not be applied: ${messageOf(cause)}. ` +
      (inTransaction
        ? 'Nothing of it was kept; what came before it is done.'
        : 'What it has done so far stays, and the next try goes on from there.'),
    { cause },
  );

/** A statement that waits for a table blocks all later ones, so it never waits for long. */
const LOCK_TIMEOUT_MS = 1_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';
const REMIND_MS = 10_000;

/**
 * Updates the schema. Any number of processes may call it at the same time: one works, the others wait
 * without a limit. Safe to repeat; after a crash, the next call continues. Every unapplied migration runs,
 * also one with a lower number than applied ones.
 * @throws Refused
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<MigrateResult> {
  const { migrations = readMigrations(), version = 'a build', signal, say = () => {} } = options;
  const read = async (q: Queryable) => {
    const state = await readSchemaState(q, migrations);
    refuseMismatch(state, migrations, version);
    return state;
  };
  const ran: Migration[] = [];
  const round = async (client: PoolClient): Promise<MigrateResult> => {
    await makeJournal(client);
    // Someone else may have done it in the meantime.
    const { pending } = await read(quietDrizzle(client));
    const postponed: Migration[] = [];
    let older: readonly LivingProcess[] = [];
    const runner = new Runner(client, { version, signal, say, force: options.force ?? false });
    for (const migration of pending) {
      // A contract may rely on an earlier one that is postponed, so it is postponed, too.
      const blocked = migration.kind === 'contract' && postponed.length > 0 ? older : await runner.run(migration);
      if (blocked.length === 0) ran.push(migration);
      else {
        postponed.push(migration);
        older = blocked;
      }
    }
    return { ran, postponed, older };
  };
  if ((await read(database.db)).pending.length === 0) return { ran, postponed: [], older: [] };
  for (;;) {
    try {
      return await withMigrationLock(database, { signal, say }, round);
    } catch (err) {
      if (sqlStateOf(err) !== DEADLOCK) throw err;
      // An index waits for all transactions, one of which may wait for our lock: let it go first.
      say('Deadlock with another process. Yielding to it.', 'slow');
      await sleep(FIRST_PAUSE_MS, undefined, { signal });
    }
  }
}

/** The table of drizzle's own migrator, so that tools that read its files find the applied ones. */
async function makeJournal(client: PoolClient): Promise<void> {
  const { rows } = await client.query("SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS made");
  if (rows[0]?.made) return;
  await client.query(`
    CREATE SCHEMA IF NOT EXISTS drizzle;
    CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (
      id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint
    )`);
}

interface RunnerOptions extends Required<Pick<MigrateOptions, 'version' | 'force' | 'say'>> {
  signal: AbortSignal | undefined;
}

class Runner {
  readonly #client: PoolClient;
  readonly #options: RunnerOptions;

  constructor(client: PoolClient, options: RunnerOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** @returns living processes that the migration would take something away from: then it did not run */
  async run(migration: Migration): Promise<readonly LivingProcess[]> {
    const { say, signal } = this.#options;
    const startedAt = performance.now();
    const seconds = () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    say(`${migration.name}: started.`);
    const timer = setInterval(() => say(`${migration.name}: running for ${seconds()}.`, 'slow'), REMIND_MS);
    try {
      const older = await (migration.inTransaction ? this.#whole(migration) : this.#byStatement(migration));
      if (older.length === 0) say(`${migration.name}: done in ${seconds()}.`);
      return older;
    } catch (err) {
      signal?.throwIfAborted();
      throw isDatabaseUnavailable(err) ? err : failed(migration, err);
    } finally {
      clearInterval(timer);
    }
  }

  #whole(migration: Migration): Promise<readonly LivingProcess[]> {
    return this.#inTransaction(migration, async () => {
      const older = await this.#claim(migration);
      if (older.length > 0) return older;
      for (const statement of migration.statements) await this.#client.query(statement);
      await this.#record(migration);
      return [];
    });
  }

  async #byStatement(migration: Migration): Promise<readonly LivingProcess[]> {
    const older = await this.#inTransaction(migration, () => this.#claim(migration));
    if (older.length > 0) return older;
    for (const statement of migration.statements) {
      await this.#retried(migration, async () => {
        await this.#dropInvalidIndex(statement);
        await this.#client.query(statement);
      });
    }
    await this.#inTransaction(migration, () => this.#record(migration));
    return [];
  }

  /**
   * Announces removals of a contract: older builds then do not start, or learn it by their next sign of life.
   */
  async #claim({ kind, minCompatible }: Migration): Promise<readonly LivingProcess[]> {
    if (kind === 'expand') return [];
    // From now on, a joining process either is seen here or sees these rows.
    await this.#client.query('LOCK TABLE processes IN SHARE MODE');
    const older = this.#options.force ? [] : await olderProcesses(quietDrizzle(this.#client), minCompatible);
    if (older.length > 0) return older;
    await this.#client.query(
      'UPDATE schema_version SET min_compatible = greatest(min_compatible, $1), changed_by = $2, changed_at = now()',
      [minCompatible, this.#options.version],
    );
    return [];
  }

  async #record({ hash, when, level, minCompatible }: Migration): Promise<void> {
    await this.#client.query('INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ($1, $2)', [
      hash,
      when,
    ]);
    await this.#client.query(
      `INSERT INTO schema_version AS v (level, min_compatible, changed_by) VALUES ($1, $2, $3)
       ON CONFLICT (singleton) DO UPDATE SET
         level = greatest(v.level, excluded.level),
         min_compatible = greatest(v.min_compatible, excluded.min_compatible),
         changed_by = excluded.changed_by, changed_at = now()`,
      [level, minCompatible, this.#options.version],
    );
  }

  /** Left over from an interrupted CREATE INDEX CONCURRENTLY: IF NOT EXISTS would accept it as the index. */
  async #dropInvalidIndex(statement: string): Promise<void> {
    const name = /\bINDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+"?(\w+)"?/i.exec(statement)?.[1];
    if (name === undefined) return;
    const { rows } = await this.#client.query(
      `SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE c.relname = $1 AND pg_table_is_visible(c.oid) AND NOT i.indisvalid`,
      [name],
    );
    if (rows.length > 0) await this.#client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
  }

  #inTransaction<T>(migration: Migration, work: () => Promise<T>): Promise<T> {
    return this.#retried(migration, async () => {
      await this.#client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      try {
        const result = await work();
        await this.#client.query('COMMIT');
        return result;
      } catch (err) {
        // A broken connection has already rolled back: report its error instead.
        await this.#client.query('ROLLBACK').catch(() => {});
        throw err;
      }
    });
  }

  /** Again, until it gets its locks. */
  async #retried<T>({ name }: Migration, attempt: () => Promise<T>): Promise<T> {
    const { say, signal } = this.#options;
    let said = -Infinity;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      try {
        return await attempt();
      } catch (err) {
        if (sqlStateOf(err) !== LOCK_NOT_AVAILABLE) throw err;
      }
      if (performance.now() - said > REMIND_MS) {
        said = performance.now();
        const other = await longestTransaction(this.#client);
        say(
          `${name}: a table is in use${other ? `; the longest transaction is that of ${other}` : ''}. Retrying until it is free.`,
          'slow',
        );
      }
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
