import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import type { AnalyticsBench } from './analytics.ts';
import type { KnownEvent } from './brute-count.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2026, 9, 1);
export const BATCH = 20;

/** Batch `no` of a stream of events that is always the same. */
export function knownEventsOf(no: number): KnownEvent[] {
  return Array.from({ length: BATCH }, (_, i) => {
    const n = no * BATCH + i;
    return {
      id: `e${n}`,
      time: FIRST + ((n * 7919) % 20) * DAY_MS + ((n * 104_729) % DAY_MS),
      path: `/p${(n * 31) % 7}`,
      visitor: `v${(n * 17) % 23}`,
      class: n % 3 === 0 ? 'assistant' : 'human',
    };
  });
}

/** The same, as a client sends them. */
export const eventsOf = (no: number): unknown[] =>
  knownEventsOf(no).map(({ time, visitor, ...rest }) => ({ ...rest, timestamp: time, visitorId: visitor }));

/** A new project with the first batches, merged two by two but for the last `unmerged` of them. */
export async function fillProject(
  bench: AnalyticsBench,
  { batches, unmerged }: { batches: number; unmerged: number },
): Promise<string> {
  const project = await bench.newProject();
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  for (let no = 0; no < batches; no += 1) {
    await ingestor.ingest(project, eventsOf(no));
    await ingestor.flush();
    if (no % 2 === 1 && no < batches - unmerged) await mergeProject(bench, project);
  }
  return project;
}
