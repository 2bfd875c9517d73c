import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Duck } from '../../../src/analytics/storage/duck.ts';
import { eventsOfSet, type DataSet } from '../../../scripts/bench/data-set.ts';

const events = (set: DataSet) => eventsOfSet(set, 0, set.events);

/** The benchmarks' events are what their description says: figures from visitors who read one page each would prove nothing. */
describe('generated page views', () => {
  const RETURNING: DataSet = { events: 200_000, days: 30, paths: 2_000, readers: 'return' };
  let duck: Duck;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'docent-generated-'));
    duck = await Duck.open({ memoryMb: 512, threads: 2, connections: 1, temporaryFolder: path.join(folder, 'duck') });
  });
  afterAll(async () => {
    duck.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (sql: string) =>
    Number((await duck.use((session) => session.one(`SELECT (${sql})::DOUBLE AS n`))).n);

  test('come from some people far more often than from others', async () => {
    const people = RETURNING.events / 20;
    const frequent = await ask(
      `SELECT sum(views) FROM (SELECT count(*) AS views FROM ${events(RETURNING)} GROUP BY visitor ORDER BY views DESC LIMIT ${people / 10})`,
    );
    expect(frequent / RETURNING.events).toBeCloseTo(0.4, 1);
  });

  test('are on three favourite pages half of the time, else anywhere', async () => {
    const regulars = `(SELECT visitor FROM ${events(RETURNING)} GROUP BY visitor HAVING count(*) >= 60)`;
    const views = `(SELECT visitor, path, count(*) AS views FROM ${events(RETURNING)} WHERE visitor IN ${regulars} GROUP BY ALL)`;
    const favourites = await ask(
      `SELECT sum(views) FILTER (place <= 3) / sum(views)
       FROM (SELECT views, row_number() OVER (PARTITION BY visitor ORDER BY views DESC) AS place FROM ${views})`,
    );
    expect(favourites).toBeGreaterThan(0.45);
    expect(favourites).toBeLessThan(0.6);
    const pages = await ask(`SELECT median(pages) FROM (SELECT count(*) AS pages FROM ${views} GROUP BY visitor)`);
    expect(pages).toBeGreaterThan(25);
  });

  test('are of each class alike on any page', async () => {
    const spread = await ask(
      `SELECT stddev(share) FROM (
         SELECT avg((class = 'human')::INTEGER) AS share
         FROM (SELECT DISTINCT path, visitor, class FROM ${events(RETURNING)}) GROUP BY path HAVING count(*) >= 100)`,
    );
    expect(spread).toBeLessThan(0.06);
    expect(
      await ask(
        `SELECT avg((class = 'human')::INTEGER) FROM (SELECT DISTINCT visitor, class FROM ${events(RETURNING)})`,
      ),
    ).toBeCloseTo(0.7, 1);
  });

  test('of readers who rarely return show one in twenty again', async () => {
    const rare: DataSet = { ...RETURNING, readers: 'rarely return' };
    const again = await ask(
      `SELECT avg((views > 1)::INTEGER) FROM (SELECT count(*) AS views FROM ${events(rare)} GROUP BY visitor)`,
    );
    expect(again).toBeCloseTo(0.05, 2);
  });

  test('are the same however they are cut', async () => {
    const whole = await ask(`SELECT bit_xor(hash(e)) % 1000000007 FROM ${eventsOfSet(RETURNING, 0, 20_000)} e`);
    const parts = await ask(
      `SELECT bit_xor(hash(e)) % 1000000007 FROM (FROM ${eventsOfSet(RETURNING, 0, 7_000)} UNION ALL FROM ${eventsOfSet(RETURNING, 7_000, 13_000)}) e`,
    );
    expect(parts).toBe(whole);
  });
});
