import { codeOf } from '@docent/base/thrown';
import { diskFailsIn, shortageIn } from '@docent/base/shortage';

/** A problem of the database itself, not of the query. Each may be temporary. */
export interface DatabaseProblem {
  kind: 'away' | 'full' | 'failing';
  /** For callers, and for operators of the database. */
  sentence: string;
  retryAfterSeconds: number;
}

const UNAVAILABLE: DatabaseProblem = {
  kind: 'away',
  sentence: 'The database is unreachable. Try again in a moment.',
  retryAfterSeconds: 5,
};
/** No connection in time: the pool says the same when all of its connections are busy. */
const SLOW: DatabaseProblem = {
  ...UNAVAILABLE,
  sentence: 'The database is unreachable or overloaded. Try again in a moment.',
};
const FULL: DatabaseProblem = {
  kind: 'full',
  sentence: 'The disk of the database is full. Try again after the operator has freed space.',
  retryAfterSeconds: 30,
};
const FAILING: DatabaseProblem = {
  kind: 'failing',
  sentence: 'The database is read-only or out of resources. Try again in a moment.',
  retryAfterSeconds: 15,
};

const CODES = new Map<string, DatabaseProblem>([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EPIPE',
    'ETIMEDOUT',
    '57P01', // admin_shutdown
    '57P02', // crash_shutdown
    '57P03', // cannot_connect_now: starting, stopping, or in recovery
    '53300', // too_many_connections
    '08000',
    '08001',
    '08003',
    '08004',
    '08006',
  ].map((code) => [code, UNAVAILABLE] as const),
  ['53100', FULL], // disk_full
  ...[
    '53000', // insufficient_resources: too many open files, among others
    '53200', // out_of_memory
    '53400', // configuration_limit_exceeded
    '58030', // io_error
    '25006', // read_only_sql_transaction: a standby, until the new primary takes over
  ].map((code) => [code, FAILING] as const),
]);

/** The database problem behind an error; null if the query is wrong, or it is something else. */
export function databaseProblem(err: unknown): DatabaseProblem | null {
  for (let current = err; current instanceof Error; current = current.cause) {
    const code = codeOf(current);
    const known = CODES.get(code ?? '');
    if (known) return known;
    // The server's socket is missing. For other files, ENOENT is not about the database.
    if (code === 'ENOENT' && 'syscall' in current && current.syscall === 'connect') return UNAVAILABLE;
    if (current.message.includes('timeout exceeded when trying to connect')) return SLOW;
    if (/Connection terminated|Client has encountered a connection error/.test(current.message)) return UNAVAILABLE;
    // PostgreSQL has codes for few of the system's errors: a used-up quota is an internal error to it.
    if (isSqlState(code) && shortageIn(current.message)) return shortageIn(current.message) === 'disk' ? FULL : FAILING;
    if (isSqlState(code) && diskFailsIn(current.message)) return FAILING;
    if (current instanceof AggregateError) {
      for (const inner of current.errors) {
        const found = databaseProblem(inner);
        if (found) return found;
      }
    }
  }
  return null;
}

/** Whether an error means that the database cannot work now (as opposed to: the query is wrong). */
export function isDatabaseUnavailable(err: unknown): boolean {
  return databaseProblem(err) !== null;
}

/** The SQLSTATE of an error from Postgres, however deep it is wrapped. */
export function sqlStateOf(err: unknown): string | undefined {
  for (let current = err; current instanceof Error; current = current.cause) {
    const code = codeOf(current);
    if (isSqlState(code)) return code;
  }
  return undefined;
}

/** `EPIPE` and `EROFS` have five letters too. */
function isSqlState(code: string | undefined): code is string {
  return code !== undefined && /^(?:[0-9][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/.test(code);
}
