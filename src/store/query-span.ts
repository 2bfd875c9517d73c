import type { SpanStart } from '../platform/telemetry/spans.ts';

const WORD = /^[\s(]*([a-z]+)/i;
const WORDS = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'BEGIN', 'COMMIT', 'ROLLBACK', 'SAVEPOINT', 'SET']);
/** The changed table, also in a part of the statement: not the `UPDATE` of a lock or a conflict. */
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
