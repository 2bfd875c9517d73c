import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import { InvalidPromptError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import { DuckDBInstance } from '@duckdb/node-api';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { expect, test } from 'vitest';
import { withoutQuotes } from '../../../src/platform/log-errors.ts';
import { createLogger } from '../../../src/platform/log.ts';

const PLANTED = 'plant7f';

function logged(fields: object): string {
  let text = '';
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => ((text += chunk.toString()), done()) });
  createLogger({ level: 'debug', name: 'test' }, sink).warn(fields, 'failed');
  return text;
}

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (err) {
    return err as Error;
  }
  throw new Error('It did not throw.');
}

async function duckError(query: string): Promise<Error> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run('CREATE TABLE t (word VARCHAR PRIMARY KEY, n INTEGER CHECK (n < 5))');
  await connection.run(`INSERT INTO t VALUES ('${PLANTED}', 1)`);
  return connection.run(query).then(
    () => expect.fail('It did not fail.'),
    (err: Error) => err,
  );
}

test.for<[string, () => Error | Promise<Error>]>([
  ['JSON.parse of a text', () => thrownBy(() => JSON.parse(`${PLANTED} is what it says`))],
  ['JSON.parse of a long text', () => thrownBy(() => JSON.parse(`{"a": "${'x'.repeat(40)}", ${PLANTED}${'y'.repeat(99)}`))],
  ['JSON.parse of more than JSON', () => thrownBy(() => JSON.parse(`{} ${PLANTED}`))],
  ['a header', () => thrownBy(() => new Headers({ authorization: `${PLANTED}\nx` }))],
  ['drizzle’s own error', () => new DrizzleQueryError(`insert into "t" values ($1)`, [PLANTED, `a\n${PLANTED}`], new Error('no'))],
  ['a model’s answer that is no JSON', () => new JSONParseError({ text: `{${PLANTED}\n${PLANTED}`, cause: thrownBy(() => JSON.parse(PLANTED)) })],
  ['a model’s answer of another shape', () => new TypeValidationError({ value: { text: PLANTED }, cause: new Error('x') })],
  ['a prompt', () => new InvalidPromptError({ prompt: PLANTED, message: PLANTED })],
  ['DuckDB converting', () => duckError(`SELECT CAST('${PLANTED}' AS INTEGER)`)],
  ['DuckDB and a duplicate', () => duckError(`INSERT INTO t VALUES ('${PLANTED}', 2)`)],
  ['DuckDB and a check', () => duckError(`INSERT INTO t VALUES ('${PLANTED}2', 7)`)],
  ['DuckDB and a wrong statement', () => duckError(`SELECT nothing FROM t WHERE word = '${PLANTED}'`)],
  ['DuckDB and a statement that it cannot read', () => duckError(`SELEC '${PLANTED}'`)],
])('%s is logged without what it quotes', async ([, make]) => {
  const err = await make();
  const failure = Object.assign(new Error('failed', { cause: err }), { data: PLANTED });
  const text = logged({ err: failure, reason: err, temporal: { meta: { error: err } } });
  expect(text).not.toContain(PLANTED);
  expect(withoutQuotes(err.message)).not.toContain(PLANTED);
}); // oxfmt-ignore

test('keeps useful facts', async () => {
  const { message } = await duckError(`SELECT * FROM read_parquet('/no/such/file.parquet')`);
  expect(withoutQuotes(message)).toContain('/no/such/file.parquet');
  expect(withoutQuotes("Invalid Input Error: File '/a/b.parquet' too small to be a Parquet file")).toContain(
    '/a/b.parquet',
  );
  const typeError = thrownBy(() => (undefined as unknown as { x: number }).x);
  expect(withoutQuotes(typeError.message)).toBe(typeError.message);
  const missing = thrownBy(() => createRequire(import.meta.url)('./no-such-module'));
  expect(withoutQuotes(missing.message)).toBe(missing.message);
});
