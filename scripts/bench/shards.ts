import { compactProject } from '../../src/analytics/counts/compact.ts';
import { mergeProject } from '../../src/analytics/counts/merge.ts';
import { rebuildProject } from '../../src/analytics/counts/rebuild.ts';
import { shardNumbers } from '../../src/analytics/counts/shards.ts';
import { mergeShard, planSharedMerge, publishSharedMerge } from '../../src/analytics/counts/shared-merge.ts';
import { createLogger } from '../../src/platform/log.ts';
import { ms, type BenchRow } from './bench-row.ts';
import { openData, PROJECT } from './data-folder.ts';
import { DATA_SETS, describeSet } from './data-set.ts';

/** Events of each merge. */
const FRESH = 500_000;

/**
 * Measures what a merge takes of each worker where several share it: planning, which writes the events, and then each shard by itself, one
 * after the other here. With enough workers a merge takes as long as the planning and the longest shard.
 */
export async function benchShards(events = 2_000_000): Promise<BenchRow[]> {
  const set = { ...DATA_SETS.returning, events };
  const data = await openData(set);
  const deps = { ...data, log: createLogger({ level: 'error', name: 'bench' }) };
  const rows: BenchRow[] = [];
  try {
    for (const [round, shards] of [1, 4, 16].entries()) {
      process.stderr.write(`${shards} shards  \r`);
      if (shards > 1) {
        const rebuilt = await processorMs(() => rebuildProject(deps, PROJECT, {}, shards));
        rows.push({ name: `rebuild in ${shards} shards`, measured: ms(rebuilt.ms) });
        await compactProject(deps, PROJECT);
      }
      await data.addUnmergedEvents(FRESH, round * FRESH);
      const of = `merge of ${FRESH.toLocaleString('en-US')} events in ${shards} shards`;
      if (shards === 1) {
        rows.push({ name: of, measured: ms((await processorMs(() => mergeProject(deps, PROJECT))).ms) });
        continue;
      }
      const planned = await processorMs(() => planSharedMerge(deps, PROJECT));
      const { id } = planned.result!;
      const each: number[] = [];
      for (const shard of shardNumbers(shards)) {
        each.push((await processorMs(() => mergeShard(deps, PROJECT, id, shard))).ms);
      }
      const published = await processorMs(() => publishSharedMerge(deps, PROJECT, id));
      const sum = planned.ms + published.ms + each.reduce((total, shard) => total + shard, 0);
      rows.push({
        name: of,
        measured: `planning ${ms(planned.ms)}, longest shard ${ms(Math.max(...each))}, publishing ${ms(published.ms)}, all ${ms(sum)}`,
      });
    }
    return rows.map(({ name, measured }) => ({ name: `${describeSet(set)}: ${name}`, measured }));
  } finally {
    await data.close();
  }
}

/** Milliseconds of processor time. */
async function processorMs<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1_000, result };
}
