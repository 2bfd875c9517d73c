import { expect, test } from 'vitest';
import { PLANNED_ANEW, StatementNames } from '../../../src/store/statement-names.ts';

test('a statement that comes again has one name, the same in every pool, and others have others', () => {
  const names = new StatementNames();
  expect(names.of('SELECT $1')).toBeUndefined();
  const name = names.of('SELECT $1');
  expect(name).toMatch(/^docent_[0-9a-f]{24}$/);
  expect(names.of('SELECT $1')).toBe(name);
  names.of('SELECT $2');
  expect(names.of('SELECT $2')).not.toBe(name);
  const other = new StatementNames();
  other.of('SELECT $1');
  expect(other.of('SELECT $1')).toBe(name);
});

const listOf = (length: number) => `SELECT 1 WHERE 1 IN (${Array.from({ length }, (_, n) => `$${n + 1}`).join()})`;

test('lists of values of any length do not fill the connections with statements', () => {
  const names = new StatementNames();
  const named = new Set<string>();
  for (let length = 1; length <= 500; length += 1) {
    for (let n = 0; n < 3; n += 1) {
      const name = names.of(listOf(length));
      if (name !== undefined) named.add(name);
    }
  }
  expect(named.size).toBe(300);
});

test('a statement whose best plan depends on its values is never kept', () => {
  const names = new StatementNames();
  for (let n = 0; n < 5; n += 1) expect(names.of(`SELECT $1 WHERE ${PLANNED_ANEW}`)).toBeUndefined();
});
