import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Duty } from '../../src/jobs/duty.ts';
import { claimDuty } from '../../src/store/duties.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';

/** Long enough that a busy machine makes nobody miss a turn. */
const EVERY_MS = 1_500;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Writes down who had which round. */
function fiveOf(name: string, rounds: { by: number; isNew: boolean }[], work: (by: number) => Promise<void>): Duty[] {
  return Array.from(
    { length: 5 },
    (_, by) =>
      new Duty({
        db: database.db,
        name,
        everyMs: EVERY_MS,
        round: async (isNew) => {
          rounds.push({ by, isNew });
          await work(by);
        },
        failed: () => {},
      }),
  );
}

test('five processes look as often as one would, and it is always the same one that looks', async () => {
  const rounds: { by: number; isNew: boolean }[] = [];
  const processes = fiveOf('as one', rounds, async () => {});
  for (const process of processes) process.start();
  await sleep(10 * EVERY_MS);
  await Promise.all(processes.map((process) => process.stop()));
  expect(rounds.length).toBeGreaterThanOrEqual(4);
  expect(rounds.length).toBeLessThanOrEqual(11);
  expect(new Set(rounds.map(({ by }) => by)).size).toBe(1);
  expect(rounds.filter(({ isNew }) => isNew)).toHaveLength(1);
});

test('a round that takes long is not begun by others meanwhile, and one that fails does not end them', async () => {
  const rounds: { by: number; isNew: boolean }[] = [];
  const processes = fiveOf('long', rounds, async () => {
    await sleep(5 * EVERY_MS);
    throw new Error('Away.');
  });
  for (const process of processes) process.start();
  await sleep(4 * EVERY_MS);
  expect(rounds).toHaveLength(1);
  await sleep(4 * EVERY_MS);
  expect(rounds).toHaveLength(2);
  await Promise.all(processes.map((process) => process.stop()));
});

test('one that stops leaves it to another, which knows that it is new', async () => {
  const rounds: { by: number; isNew: boolean }[] = [];
  const processes = fiveOf('left', rounds, async () => {});
  for (const process of processes) process.start();
  await sleep(2 * EVERY_MS);
  const first = rounds.at(-1)?.by ?? -1;
  await processes[first]?.stop();
  const before = rounds.length;
  await sleep(3 * EVERY_MS);
  expect(rounds[before]).toMatchObject({ isNew: true });
  expect(rounds.slice(before).map(({ by }) => by)).not.toContain(first);
  await Promise.all(processes.map((process) => process.stop()));
});

test('of many who claim what nobody keeps any more, one gets it', async () => {
  const terms = { name: 'claimed', everyMs: 1_000, graceMs: 10 };
  const claimAll = () =>
    Promise.all(Array.from({ length: 8 }, (_, n) => claimDuty(database.db, terms, `process ${n} ${Math.random()}`)));
  for (let n = 0; n < 3; n += 1) {
    expect((await claimAll()).filter((waits) => waits === null)).toHaveLength(1);
    expect((await claimAll()).filter((waits) => waits === null)).toHaveLength(0);
    await sleep(1_100);
  }
});
