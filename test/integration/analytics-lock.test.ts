import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { withProjectLock } from '../../src/store/analytics/lock.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';

const CONNECTIONS = 4;

let database: TestDatabase;
let small: Database;
let other: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  small = openDatabase(database.url, { maxConnections: CONNECTIONS, waitMs: 3_000 });
  other = openDatabase(database.url);
});
afterAll(async () => {
  await small.close();
  await other.close();
  await database.drop();
});

const ask = async () => (await small.pool.query<{ n: number }>('SELECT 1 AS n')).rows[0]?.n;

test('more projects than connections are worked on in parallel, with enough connections for each', async () => {
  let most = 0;
  let now = 0;
  const done = await Promise.all(
    Array.from({ length: 3 * CONNECTIONS }, (_, no) =>
      withProjectLock(small, `site-${no}`, async () => {
        now += 1;
        most = Math.max(most, now);
        await sleep(20);
        const answer = await ask();
        now -= 1;
        return answer;
      }),
    ),
  );
  expect(done).toEqual(Array.from({ length: 3 * CONNECTIONS }, () => 1));
  expect(most).toBe(CONNECTIONS / 2);
});

test('waiting for a lock holds no connection', async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<string>();
  onTestFinished(() => letGo('theirs'));
  const begun = Promise.withResolvers<void>();
  const holder = withProjectLock(other, 'site', () => {
    begun.resolve();
    return held;
  });
  await begun.promise;
  const waiting = Array.from({ length: 2 * CONNECTIONS }, () =>
    withProjectLock(small, 'site', async () => 'mine', { waitMs: 60_000 }),
  );
  await sleep(300);
  expect(await ask()).toBe(1);
  expect(await withProjectLock(small, 'another', ask)).toBe(1);
  letGo('theirs');
  expect(await holder).toBe('theirs');
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'mine'));
});

test('a caller that does not wait, or no longer, learns that the lock is taken', async () => {
  const result = await withProjectLock(other, 'site', async () => [
    await withProjectLock(small, 'site', ask),
    await withProjectLock(small, 'site', ask, { waitMs: 300 }),
  ]);
  expect(result).toEqual([null, null]);
  expect(await withProjectLock(small, 'site', ask)).toBe(1);
});

test('finished work is kept if its lock cannot be released, and the next caller gets the lock immediately', async () => {
  small.pool.once('acquire', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    Object.assign(client, {
      query: (...given: unknown[]) =>
        String(given[0]).includes('pg_advisory_unlock')
          ? Promise.reject(new Error('Query read timeout'))
          : query(...given),
    });
  });
  expect(await withProjectLock(small, 'site', async () => 'merged')).toBe('merged');
  expect(await withProjectLock(other, 'site', async () => 'next', { waitMs: 5_000 })).toBe('next');
});
