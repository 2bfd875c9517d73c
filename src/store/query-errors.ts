import { EventEmitter } from 'node:events';
import { NodePgDatabase, NodePgSession } from 'drizzle-orm/node-postgres';
import { PgDialect, type PgTransactionConfig } from 'drizzle-orm/pg-core';
import { DatabaseError, Pool, type ClientBase } from 'pg';
import { withEllipsis } from '@docent/base/ellipsis';
import { codeOf, messageOf } from '@docent/base/thrown';
import { inSpan, isTracing, type SpanStart } from '../platform/telemetry/spans.ts';
import type * as schema from './schema.ts';
import { StatementNames } from './statement-names.ts';

const WORD = /^[\s(]*([a-z]+)/i;
const WORDS = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'BEGIN', 'COMMIT', 'ROLLBACK', 'SAVEPOINT', 'SET']);
/** The changed table, even in a part of the statement: not the `UPDATE` of a lock or a conflict. */
const CHANGE = /(?<!\b(?:for|do)\s)\b(insert|update|delete)\s+(?:into\s+|from\s+)?"?([a-z_]{2,63})\b/i;
/** What it reads: a table, not a function. */
const SOURCE = /\bfrom\s+"?([a-z_]{2,63})\b(?!\s*\()/i;

/**
 * Operation and table, without the text, which may hold values.
 * https://opentelemetry.io/docs/specs/semconv/database/postgresql/
 */
export function querySpan(text: string): SpanStart {
  const word = WORD.exec(text)?.[1]?.toUpperCase() ?? '';
  const change = word === 'SELECT' ? null : CHANGE.exec(text);
  const plain = word === 'WITH' ? 'SELECT' : WORDS.has(word) ? word : 'OTHER';
  const operation = change?.[1]?.toUpperCase() ?? plain;
  const table = change?.[2] ?? SOURCE.exec(text)?.[1];
  return {
    name: table === undefined ? operation : `${operation} ${table}`,
    kind: 'client',
    fields: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.collection.name': table },
  };
}

/*
 * Query values include prompts, model answers, pages and visitors, and errors that repeat them end up in logs
 * and workflow histories. So values are removed where errors are created, for all users of the database: from
 * the server's messages, and from drizzle's.
 */

const MAX_QUERY = 200;

/** The text has placeholders; `cause` is the driver's or server's message, without values. */
export class QueryFailed extends Error {
  constructor(text: string, cause: unknown) {
    super(`${reasonOf(cause)} (query: ${withEllipsis(text, MAX_QUERY)})`, { cause });
    this.name = 'QueryFailed';
  }
}

function reasonOf(cause: unknown): string {
  // Several addresses were tried: the message is empty.
  return messageOf(cause) || (codeOf(cause) ?? 'The query failed');
}

/** Has a connection leave values out of the server's errors, before anyone has seen them. */
export function quietErrors(client: ClientBase): void {
  // Missing in its types. Without it, values would get into errors: better to have no connection.
  if (!('connection' in client) || !(client.connection instanceof EventEmitter))
    throw new TypeError('This version of pg has no connection whose errors could be read first.');
  client.connection.prependListener('errorMessage', withoutValues);
}

/**
 * SQLSTATE classes whose messages name tables, columns, constraints and parts of the statement (with
 * placeholders), but no values. See "PostgreSQL Error Codes", appendix A of its manual. For others, such as
 * 22 (data exception: `invalid input syntax for type json: "…"`) and P0 (raised by a trigger), only the code
 * is kept.
 */
const NAMES_ONLY = /^(?:0[89A]|2[3568D]|3[BDF]|4[024]|5[34578]|XX)/;

/** The server's routine for `RAISE` in PL/pgSQL: triggers can raise any text under any code. */
const RAISE = 'exec_stmt_raise';

/** Fields that may quote values: "Key (x)=(value) already exists", "COPY t, line 1: …". */
const QUOTING = ['detail', 'hint', 'where', 'internalQuery'] as const;

export function withoutValues(err: unknown): void {
  if (!(err instanceof DatabaseError)) return;
  for (const field of QUOTING) err[field] = undefined;
  if (NAMES_ONLY.test(err.code ?? '') && err.routine !== RAISE) return;
  const said = err.message;
  err.message = `PostgreSQL refused it with ${err.code ?? 'no code'}; its message is left out, because it may quote values`;
  err.stack = err.stack?.replace(said, () => err.message);
}

type Schema = typeof schema;
type Client = ConstructorParameters<typeof NodePgSession>[0];
type Work<T> = Parameters<NodePgSession<Schema, never>['transaction']>[0] extends (tx: infer Tx) => unknown
  ? (tx: Tx) => Promise<T>
  : never;

/** Throws {@link QueryFailed}, as drizzle's own error has all values. Names repeated statements. */
class QuietSession extends NodePgSession<Schema, never> {
  readonly #client: Client;
  readonly #dialect: PgDialect;
  readonly #names: StatementNames;

  constructor(client: Client, dialect: PgDialect, names: StatementNames) {
    super(client, dialect, undefined);
    this.#client = client;
    this.#dialect = dialect;
    this.#names = names;
  }

  override prepareQuery(
    ...[query, fields, name, ...more]: Parameters<NodePgSession<Schema, never>['prepareQuery']>
  ): never {
    const given = name ?? (query.params.length > 0 ? this.#names.of(query.sql) : undefined);
    return Object.assign(super.prepareQuery(query, fields, given, ...more), { queryWithCache: runQuery }) as never;
  }

  override async transaction<T>(work: Work<T>, config?: PgTransactionConfig): Promise<T> {
    if (!(this.#client instanceof Pool)) return super.transaction(work, config);
    const client = await this.#client.connect();
    try {
      return await new QuietSession(client, this.#dialect, this.#names).transaction(work, config);
    } finally {
      client.release();
    }
  }
}

/** Replaces drizzle's method of this name, which runs all queries. */
async function runQuery<T>(text: string, _values: unknown, query: () => Promise<T>): Promise<T> {
  try {
    return await (isTracing() ? inSpan(querySpan(text), query) : query());
  } catch (err) {
    throw new QueryFailed(text, err);
  }
}

/** drizzle on a pool or a connection. */
export function quietDrizzle(client: Client): NodePgDatabase<Schema> {
  const dialect = new PgDialect();
  return new NodePgDatabase(dialect, new QuietSession(client, dialect, new StatementNames()), undefined);
}
