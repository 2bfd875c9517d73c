import { expect, test } from 'vitest';
import { querySpan } from '../../../src/store/query-errors.ts';

test.each([
  ['select "id" from "jobs" where "id" = $1 for update skip locked', 'SELECT jobs'],
  ['insert into "messages" ("id") values ($1) on conflict do update set "id" = $1', 'INSERT messages'],
  ['update "turns" set "step" = $1', 'UPDATE turns'],
  ['WITH found AS (SELECT id FROM jobs FOR UPDATE OF jobs) UPDATE turns SET no = 1', 'UPDATE turns'],
  ['WITH found AS (SELECT id FROM jobs) SELECT * FROM found', 'SELECT jobs'],
  ['SELECT now() AS now', 'SELECT'],
  ["SELECT * FROM generate_series(1, 2), 'secret of somebody'", 'SELECT'],
  ['begin', 'BEGIN'],
  ["NOTIFY secret, 'of somebody'", 'OTHER'],
])('%s is reported as %s', (text, name) => {
  const span = querySpan(text);
  expect(span.name).toBe(name);
  expect(JSON.stringify(span)).not.toContain('secret');
});
