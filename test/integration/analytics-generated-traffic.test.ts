import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventsOfSet, type DataSet } from '../../scripts/bench/data-set.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';

test('the page views of the benchmarks are the same however they are cut', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-generated-'));
  const duck = await Duck.open({
    memoryMb: 512,
    threads: 2,
    connections: 1,
    temporaryFolder: path.join(folder, 'duck'),
  });
  const set: DataSet = { events: 20_000, days: 30, paths: 2_000, readers: 'return' };
  const sumOf = (events: string) =>
    duck.use((session) => session.one(`SELECT count(*) AS events, bit_xor(hash(e)) AS sum FROM ${events} e`));
  try {
    const [first, second] = [eventsOfSet(set, 0, 7_000), eventsOfSet(set, 7_000, 13_000)];
    expect(await sumOf(`(FROM ${first} UNION ALL FROM ${second})`)).toEqual(await sumOf(eventsOfSet(set, 0, 20_000)));
  } finally {
    duck.close();
    await rm(folder, { recursive: true, force: true });
  }
});
