import {
  BIGINT,
  BOOLEAN,
  LIST,
  listValue,
  UBIGINT,
  VARCHAR,
  version,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  type JS,
} from '@duckdb/node-api';
import { appendColumns, type Column } from './duck-append.ts';
import { readIds, readNumbers, type Ids } from './duck-read.ts';
import { LocalPaths, type LetGo } from './local-paths.ts';
import type { BoundStatement } from './row-stream.ts';
import { requireWhole } from './whole-result.ts';

/** A value to bind. Numbers are whole, and bound as BIGINT; bigints are visitors, and bound as UBIGINT. */
type Bound = string | number | bigint | boolean | null | readonly string[];
export type Values = Readonly<Record<string, Bound>>;
export type Row = Record<string, JS>;

/** One connection: its statements run one after another. */
export class DuckSession {
  readonly #connection: DuckDBConnection;
  #isSpent = false;
  /** DuckDB's version. */
  readonly libraryVersion = version();

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async run(sql: string, values: Values = {}): Promise<void> {
    await withFiles(sql, values, () => this.#connection.run(sql, ...bind(sql, values)));
  }

  /** Whether tables could not be dropped: the connection is then closed after use. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Drops tables; see {@link isSpent} for failures, which undo nothing. @returns whether they are gone */
  drop(...tables: readonly string[]): Promise<boolean> {
    return this.#dropAll('TABLE', tables);
  }

  /** As {@link drop}, of types. */
  dropTypes(...types: readonly string[]): Promise<boolean> {
    return this.#dropAll('TYPE', types);
  }

  async #dropAll(kind: 'TABLE' | 'TYPE', names: readonly string[]): Promise<boolean> {
    try {
      for (const name of names) await this.#connection.run(`DROP ${kind} IF EXISTS ${name}`);
      return true;
    } catch {
      this.#isSpent = true;
      return false;
    }
  }

  /** Rows as plain JavaScript values; 64-bit integers are bigints. */
  async all<R = Row>(sql: string, values: Values = {}): Promise<R[]> {
    const reader = await withFiles(sql, values, () => this.#connection.runAndReadAll(sql, ...bind(sql, values)));
    return reader.getRowObjectsJS() as R[];
  }

  /** Rows of columns that are INTEGER or UINTEGER and not NULL, some thousand at a time, column by column. */
  async *numbers(sql: string, values: Values = {}): AsyncGenerator<Uint32Array[]> {
    for await (const chunk of this.#chunks(sql, values)) yield readNumbers(chunk);
  }

  /** As {@link numbers}, of one column of ids as files of events keep them. */
  async *ids(sql: string, values: Values = {}): AsyncGenerator<Ids> {
    for await (const chunk of this.#chunks(sql, values)) yield readIds(chunk);
  }

  async *#chunks(sql: string, values: Values): AsyncGenerator<DuckDBDataChunk> {
    const letGo = await holdFiles(sql, values);
    try {
      const result = await this.#connection.stream(sql, ...bind(sql, values));
      for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
        yield chunk;
      requireWhole(result);
    } finally {
      letGo();
    }
  }

  async one<R = Row>(sql: string, values: Values = {}): Promise<R> {
    const [row] = await this.all<R>(sql, values);
    if (row === undefined) throw new Error('A query that always gives a row gave none.');
    return row;
  }

  /** See {@link appendColumns}. */
  append(table: string, rows: number, columns: readonly Column[]): Promise<void> {
    return appendColumns(this.#connection, table, rows, columns);
  }

  /** Binds a statement's values, and keeps the files that they name on this disk until released. */
  async bound(sql: string, values: Values): Promise<Omit<BoundStatement, 'tables'>> {
    const letGo = await holdFiles(sql, values);
    const [bound, types] = bind(sql, values);
    return { sql, values: bound, types, letGo };
  }

  close(): void {
    this.#connection.closeSync();
  }
}

const isNamed = (sql: string, name: string): boolean => new RegExp(`\\$${name}\\b`).test(sql);

/** Brings the files here that a statement names, and keeps them. */
async function holdFiles(sql: string, values: Values): Promise<LetGo> {
  const held: LetGo[] = [];
  const letGo = () => {
    for (const one of held) one();
  };
  try {
    for (const [name, value] of Object.entries(values)) {
      if (value instanceof LocalPaths && isNamed(sql, name)) held.push(await value.hold());
    }
  } catch (err) {
    letGo();
    throw err;
  }
  return letGo;
}

async function withFiles<T>(sql: string, values: Values, work: () => Promise<T>): Promise<T> {
  const letGo = await holdFiles(sql, values);
  try {
    return await work();
  } finally {
    letGo();
  }
}

/** DuckDB refuses values that a statement does not name: parts of queries bring theirs. */
function bind(sql: string, values: Values): [Record<string, DuckDBValue>, Record<string, DuckDBType>] {
  const bound: Record<string, DuckDBValue> = {};
  const types: Record<string, DuckDBType> = {};
  for (const [name, value] of Object.entries(values)) {
    if (!isNamed(sql, name)) continue;
    if (typeof value === 'number') {
      bound[name] = BigInt(value);
      types[name] = BIGINT;
    } else if (typeof value === 'bigint') {
      bound[name] = value;
      types[name] = UBIGINT;
    } else if (typeof value === 'boolean') {
      bound[name] = value;
      types[name] = BOOLEAN;
    } else if (value === null || typeof value === 'string') {
      bound[name] = value;
      types[name] = VARCHAR;
    } else {
      bound[name] = listValue([...value]);
      types[name] = LIST(VARCHAR);
    }
  }
  return [bound, types];
}
