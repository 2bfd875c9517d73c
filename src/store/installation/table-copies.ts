import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Client, escapeIdentifier } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { sqlStateOf } from '../database-problem.ts';
/** Orders tables so that each follows those it references. @throws Error for circular references */
export function parentsFirst<T extends { name: string }>(
  tables: readonly T[],
  references: readonly { child: string; parent: string }[],
): T[] {
  const names = new Set(tables.map(({ name }) => name));
  const left = new Map(tables.map((table) => [table.name, table]));
  const ordered: T[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(
      ({ name }) => !references.some(({ child, parent }) => child === name && names.has(parent) && left.has(parent)),
    );
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...left.keys()].join(', ')}.`);
    for (const table of free) {
      ordered.push(table);
      left.delete(table.name);
    }
  }
  return ordered;
}

/** A table whose rows are copied, without generated columns: these follow from the others. */
export interface CopiedTable {
  name: string;
  columns: string[];
}

/** The value of a sequence; null if it has not been used. */
export interface SequenceState {
  name: string;
  last: string | null;
}

/** The database at the time of the snapshot. */
export interface SnapshotFacts {
  /** The time of the snapshot, by the database's clock. */
  moment: Date;
  /** As the server names its version. */
  postgres: string;
  level: number;
  minCompatible: number;
  /** Applied migrations, as in drizzle's table. */
  migrations: { when: number; hash: string }[];
  /** Parents before children. */
  tables: CopiedTable[];
  sequences: SequenceState[];
}

/** Their rows describe what runs now and would be wrong in a copy. Address lists are fetched again. */
const PASSING = ['processes', 'periodic_tasks', 'live_texts', 'agent_ranges'];
/** Made by the migrations themselves. */
const OF_MIGRATIONS = ['schema_version'];
const NOT_COPIED = [...PASSING, ...OF_MIGRATIONS];

const TRIES = 5;
const UNDEFINED_TABLE = '42P01';

const COLUMNS = `
  SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  GROUP BY c.relname ORDER BY c.relname`;
const REFERENCES = `
  SELECT child.relname AS child, parent.relname AS parent
  FROM pg_constraint k JOIN pg_class child ON child.oid = k.conrelid JOIN pg_class parent ON parent.oid = k.confrelid
  WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace AND child.oid <> parent.oid`;

/** A connection for work that takes as long as it takes. */
async function connect(url: string, name: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    keepAlive: true,
  });
  // Whatever runs on it fails with the same.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** All tables at one moment, however long reading takes. */
export class DatabaseSnapshot {
  readonly facts: SnapshotFacts;
  readonly #client: Client;

  private constructor(client: Client, facts: SnapshotFacts) {
    this.#client = client;
    this.facts = facts;
  }

  /** @throws Error with a sentence if the database holds no Docent */
  static async open(url: string): Promise<DatabaseSnapshot> {
    const client = await connect(url, 'docent backup');
    try {
      for (let tries = 1; ; tries++) {
        const facts = await begin(client);
        if (facts) return new DatabaseSnapshot(client, facts);
        await client.query('ROLLBACK');
        if (tries === TRIES) throw new Error('The database schema keeps changing. Try again in a minute.');
      }
    } catch (err) {
      await client.end();
      throw err;
    }
  }

  async rows<T>(query: string): Promise<T[]> {
    return (await this.#client.query(query)).rows as T[];
  }

  /** The rows of a table in COPY's text format. Read it to its end before any other query. */
  copyOut({ name, columns }: CopiedTable): Readable {
    return this.#client.query(copyTo(`COPY ${target({ name, columns })} TO STDOUT`));
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

/** Null if the schema was changed at that very moment. */
async function begin(client: Client): Promise<SnapshotFacts | null> {
  const before = await tablesOf(client);
  if (!before.some(({ name }) => name === 'schema_version'))
    throw new Error('The database contains no Docent installation.');
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    // The first statement that reads anything fixes the time: the tables cannot change from here on.
    const names = before.map(({ name }) => escapeIdentifier(name)).join(', ');
    await client.query(`LOCK TABLE ${names} IN ACCESS SHARE MODE`);
  } catch (err) {
    if (sqlStateOf(err) === UNDEFINED_TABLE) return null;
    throw err;
  }
  const tables = await tablesOf(client);
  if (JSON.stringify(tables) !== JSON.stringify(before)) return null;
  const { rows: references } = await client.query<{ child: string; parent: string }>(REFERENCES);
  const { rows: migrations } = await client.query<{ when: string; hash: string }>(
    'SELECT created_at AS when, hash FROM drizzle.__drizzle_migrations ORDER BY created_at',
  );
  const { rows: sequences } = await client.query<SequenceState>(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`,
  );
  const { rows: heads } = await client.query<{ moment: Date; postgres: string; level: number; minCompatible: number }>(
    `SELECT now() AS moment, current_setting('server_version') AS postgres, level, min_compatible AS "minCompatible" FROM schema_version`,
  );
  const [head] = heads;
  if (!head) throw new Error('The database contains no complete Docent installation: its schema was never completed.');
  return {
    ...head,
    moment: new Date(head.moment),
    migrations: migrations.map(({ when, hash }) => ({ when: Number(when), hash })),
    tables: parentsFirst(
      tables.filter(({ name }) => !NOT_COPIED.includes(name)),
      references,
    ),
    sequences,
  };
}

async function tablesOf(client: Client): Promise<CopiedTable[]> {
  return (await client.query<CopiedTable>(COLUMNS)).rows;
}

const target = ({ name, columns }: CopiedTable): string =>
  `public.${escapeIdentifier(name)} (${columns.map((column) => escapeIdentifier(column)).join(', ')})`;

/** A table that takes rows just now. */
interface OpenTable {
  name: string;
  stream: ReturnType<typeof copyFrom>;
  done: Promise<void>;
}

/** Fills the tables of an empty database in one transaction. */
export class TableFilling {
  readonly #client: Client;
  #table: OpenTable | null = null;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async begin(url: string): Promise<TableFilling> {
    const client = await connect(url, 'docent restore');
    await client.query('BEGIN');
    return new TableFilling(client);
  }

  /** More rows of a table, in the form of {@link DatabaseSnapshot.copyOut}. Tables come one after another. */
  async write(table: CopiedTable, rows: Buffer): Promise<void> {
    let open = this.#table;
    if (open?.name !== table.name) {
      await this.#endTable();
      const stream = this.#client.query(copyFrom(`COPY ${target(table)} FROM STDIN`));
      const done = finished(stream);
      done.catch(() => {}); // It is awaited with the next rows, or at the end.
      this.#table = open = { name: table.name, stream, done };
    }
    const { stream, done } = open;
    if (!stream.write(rows)) await Promise.race([once(stream, 'drain'), done]);
  }

  /** Call it after all rows are copied. */
  async setSequences(sequences: readonly SequenceState[]): Promise<void> {
    await this.#endTable();
    for (const { name, last } of sequences) {
      if (last === null) continue;
      await this.#client.query('SELECT setval($1::regclass, $2::bigint)', [`public.${escapeIdentifier(name)}`, last]);
    }
  }

  async rows<T>(query: string): Promise<T[]> {
    await this.#endTable();
    return (await this.#client.query(query)).rows as T[];
  }

  async commit(): Promise<void> {
    await this.#endTable();
    await this.#client.query('COMMIT');
    await this.#client.end();
  }

  /** Rolls back everything that was written. */
  async giveUp(): Promise<void> {
    this.#table?.stream.destroy();
    await this.#client.end();
  }

  async #endTable(): Promise<void> {
    const open = this.#table;
    this.#table = null;
    if (!open) return;
    open.stream.end();
    await open.done;
  }
}

/** Tables of a database that hold rows, except those that any schema has. */
export async function filledTables(url: string): Promise<string[]> {
  const client = await connect(url, 'docent restore');
  try {
    const filled: string[] = [];
    for (const { name } of await tablesOf(client)) {
      if (OF_MIGRATIONS.includes(name)) continue;
      const { rowCount } = await client.query(`SELECT 1 FROM public.${escapeIdentifier(name)} LIMIT 1`);
      if (rowCount !== 0) filled.push(name);
    }
    return filled;
  } finally {
    await client.end();
  }
}
