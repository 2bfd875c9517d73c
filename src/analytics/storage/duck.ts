import {
  BIGINT,
  BOOLEAN,
  DuckDBInstance,
  LIST,
  listValue,
  UBIGINT,
  VARCHAR,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  type JS,
} from '@duckdb/node-api';
import { appendColumns, type Column } from './duck-append.ts';
import { readNumbers } from './duck-read.ts';
import { LocalPaths, type LetGo } from './local-paths.ts';
import { claimDuckFolder, type OwnedFolder } from './owned-folder.ts';
import { RowStream } from './row-stream.ts';

/** A value to bind. Numbers are whole, and bound as BIGINT; bigints are visitors, and bound as UBIGINT. */
export type Bound = string | number | bigint | boolean | null | readonly string[];
export type Values = Readonly<Record<string, Bound>>;
export type Row = Record<string, JS>;

/** One connection: its statements run one after another. */
export class DuckSession {
  readonly #connection: DuckDBConnection;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async run(sql: string, values: Values = {}): Promise<void> {
    await withFiles(sql, values, () => this.#connection.run(sql, ...bind(sql, values)));
  }

  /** Rows as plain JavaScript values; 64-bit integers are bigints. */
  async all<R = Row>(sql: string, values: Values = {}): Promise<R[]> {
    const reader = await withFiles(sql, values, () => this.#connection.runAndReadAll(sql, ...bind(sql, values)));
    return reader.getRowObjectsJS() as R[];
  }

  /** Rows of columns that are INTEGER and not NULL, some thousand at a time, column by column. */
  async *integers(sql: string, values: Values = {}): AsyncGenerator<number[][]> {
    for await (const chunk of this.#chunks(sql, values)) yield chunk.getColumns() as number[][];
  }

  /** As {@link integers}, of columns that are INTEGER or UINTEGER, as their four bytes: cheaper for each value. */
  async *numbers(sql: string, values: Values = {}): AsyncGenerator<Uint32Array[]> {
    for await (const chunk of this.#chunks(sql, values)) yield readNumbers(chunk);
  }

  async *#chunks(sql: string, values: Values): AsyncGenerator<DuckDBDataChunk> {
    const letGo = await holdFiles(sql, values);
    try {
      const result = await this.#connection.stream(sql, ...bind(sql, values));
      for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
        yield chunk;
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

  close(): void {
    this.#connection.closeSync();
  }
}

/**
 * One DuckDB in memory, for Parquet files. Connections are shared by all who ask, a bounded number at a time. It installs
 * nothing, and nobody can change how it is set up.
 */
export class Duck {
  readonly #instance: DuckDBInstance;
  readonly #folder: OwnedFolder;
  readonly #free: DuckSession[] = [];
  readonly #queue: ((session: DuckSession) => void)[] = [];
  readonly #closing = new AbortController();
  #open = 0;
  readonly #max: number;

  private constructor(instance: DuckDBInstance, folder: OwnedFolder, connections: number) {
    this.#instance = instance;
    this.#folder = folder;
    this.#max = connections;
  }

  static async open(options: {
    memoryMb: number;
    threads: number;
    connections: number;
    /** Queries that need more memory put what does not fit into a folder of their own below this one. */
    temporaryFolder: string;
  }): Promise<Duck> {
    const folder = claimDuckFolder(options.temporaryFolder);
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${options.memoryMb}MB`,
      threads: String(options.threads),
      temp_directory: folder.path,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      // What it read of files would stay in memory until the limit is reached, of files that were merged long ago too: some 4 MB a minute
      // under load. The system keeps them by itself, and gives the memory back.
      enable_external_file_cache: 'false',
      preserve_insertion_order: 'false',
      lock_configuration: 'true',
    });
    return new Duck(instance, folder, options.connections);
  }

  /** Lends a connection. */
  async use<T>(work: (session: DuckSession) => Promise<T>): Promise<T> {
    const session = await this.#take();
    try {
      return await work(session);
    } finally {
      const next = this.#queue.shift();
      if (next) next(session);
      else this.#free.push(session);
    }
  }

  /**
   * Rows that are taken as they are wanted, on a connection beside those that are lent: whoever asks bounds how many there are at once.
   * @param prepare makes what the statement needs, and gives the statement with the temporary tables of it; it should sort: see
   *   {@link RowStream.open}
   * @throws what DuckDB throws; AppError `unavailable` after the signal
   */
  async stream<R = Row>(
    prepare: (session: DuckSession) => Promise<{ sql: string; values: Values; tables?: readonly string[] }>,
    signal: AbortSignal,
  ): Promise<RowStream<R>> {
    const connection = await this.#instance.connect();
    return RowStream.open<R>(
      connection,
      async () => {
        const { sql, values, tables = [] } = await prepare(new DuckSession(connection));
        const letGo = await holdFiles(sql, values);
        const [bound, types] = bind(sql, values);
        return { sql, values: bound, types, tables, letGo };
      },
      AbortSignal.any([signal, this.#closing.signal]),
    );
  }

  /** Call it when nobody uses the instance any more: streams that are still read break off. */
  close(): void {
    this.#closing.abort();
    for (const session of this.#free) session.close();
    this.#instance.closeSync();
    this.#folder.release();
  }

  async #take(): Promise<DuckSession> {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#open >= this.#max) return new Promise((resolve) => this.#queue.push(resolve));
    this.#open += 1;
    try {
      return new DuckSession(await this.#instance.connect());
    } catch (err) {
      this.#open -= 1;
      throw err;
    }
  }
}

/** Whether a query needed more memory than DuckDB may use. */
export const isOutOfMemory = (err: unknown): boolean => err instanceof Error && /Out of Memory/i.test(err.message);

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

/** DuckDB refuses values that a statement does not name: queries are built of parts, which name what they need. */
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
