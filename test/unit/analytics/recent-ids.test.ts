import { createHash } from 'node:crypto';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { RecentIds } from '../../../src/analytics/ingest/ingestor.ts';

const project = { projectId: '4sbhkj20jfcybypm9gbm', epoch: '0198c2a0-0000-7000-8000-000000000000' };
const time = Date.UTC(2026, 10, 23);
/** Cut from a longer text, as ids are. */
const idOf = (n: number) => createHash('sha256').update(String(n)).digest('hex').slice(0, 32);

test('a repeat is reported, of the same project, epoch and day', () => {
  const ids = new RecentIds(2);
  const key = RecentIds.key(project, { id: idOf(1), time });
  ids.add(key);
  expect(ids.has(RecentIds.key(project, { id: idOf(1), time: time + 1_000 }))).toBe(true);
  expect(ids.has(RecentIds.key(project, { id: idOf(1), time: time + 86_400_000 }))).toBe(false);
  expect(ids.has(RecentIds.key({ ...project, epoch: 'other' }, { id: idOf(1), time }))).toBe(false);
});

test('a cached id only takes the memory of its characters', () => {
  const N = 50_000;
  const ids = new RecentIds(N);
  const before = live();
  for (let n = 0; n < N; n += 1) ids.add(RecentIds.key(project, { id: idOf(n), time }));
  const bytes = (live() - before) / N;
  expect(ids.has(RecentIds.key(project, { id: idOf(0), time }))).toBe(true);
  // 101 characters with their header, and the cache's own 60 bytes or so.
  expect(bytes).toBeLessThan(260);
});

function live(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return getHeapStatistics().used_heap_size;
}
