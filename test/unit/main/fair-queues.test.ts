import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { mayTakeTurns } from '@docent/servers/temporal/server';

/**
 * A file as the server leaves it, with this many tasks in queues of the old kind and queues of the new one.
 */
function serverFile({ tasks = 0, fairQueues = 0 } = {}): string {
  const name = path.join(mkdtempSync(path.join(tmpdir(), 'docent-fair-')), 'temporal.db');
  const file = new DatabaseSync(name);
  file.exec('CREATE TABLE tasks (task_id INTEGER); CREATE TABLE task_queues_v2 (range_id INTEGER)');
  for (let n = 0; n < tasks; n += 1) file.exec(`INSERT INTO tasks VALUES (${n})`);
  for (let n = 0; n < fairQueues; n += 1) file.exec(`INSERT INTO task_queues_v2 VALUES (${n})`);
  file.close();
  return name;
}

test('projects take turns in a new home, and in one in which nothing waits', () => {
  expect(mayTakeTurns(undefined)).toBe(true);
  expect(mayTakeTurns(path.join(tmpdir(), 'docent-no-such-file.db'))).toBe(true);
  expect(mayTakeTurns(serverFile())).toBe(true);
});

test('runs a task that waited in an earlier home', () => {
  expect(mayTakeTurns(serverFile({ tasks: 1 }))).toBe(false);
});

test('once they take turns they continue doing so, whatever the old tables still hold', () => {
  expect(mayTakeTurns(serverFile({ tasks: 3, fairQueues: 2 }))).toBe(true);
});

test('a file that cannot be read is left to the server to refuse', () => {
  const damaged = path.join(mkdtempSync(path.join(tmpdir(), 'docent-fair-')), 'temporal.db');
  writeFileSync(damaged, 'not a database');
  expect(mayTakeTurns(damaged)).toBe(true);
});
