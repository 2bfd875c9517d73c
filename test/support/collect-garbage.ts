import type { StorageDeps } from '../../src/analytics/storage/storage.ts';
import { GarbageCollector } from '../../src/analytics/maintenance/garbage-collector.ts';

/** Deletes objects without an owner for an hour, as two checks an hour apart do. */
export async function collectAnHourLater(deps: StorageDeps): Promise<void> {
  let now = 0;
  const collector = new GarbageCollector(deps, { wall: Date.now, monotonic: () => now });
  await collector.collect();
  now += 3_700_000;
  await collector.collect();
}
