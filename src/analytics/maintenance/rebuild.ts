import { faultPoint } from '../../platform/faults.ts';
import { findAnalytics, readManifest } from '../../store/analytics/manifest.ts';
import { wantedMapping } from '../../store/analytics-settings.ts';
import { findProject } from '../../store/projects/projects.ts';
import { recomputeCounts, type Revision } from '../counts/recompute.ts';
import { mergeLocked } from './merge.ts';
import { withWholeFiles } from './repair.ts';
import { commit, type StorageDeps } from '../storage/storage.ts';

const WAIT_MS = 120_000;

/** Recomputes and swaps the counts with the current mapping. Idempotent. Null if busy for minutes. */
export async function rebuildProject(
  deps: StorageDeps,
  projectId: string,
  revision: Revision,
): Promise<{ events: number; reclassified: number } | null> {
  const { database, folder, log } = deps;
  return withWholeFiles(
    deps,
    projectId,
    async () => {
      await mergeLocked(deps, projectId);
      const head = await findAnalytics(database.db, projectId);
      if (!head) return { events: 0, reclassified: 0 };
      const manifest = await readManifest(database.db, projectId);
      const mapping = wantedMapping((await findProject(database.db, projectId))?.settings ?? {});
      const recomputed = await recomputeCounts(deps, { ...manifest, mapping }, revision);
      const { remove, add, events, reclassified } = recomputed;
      faultPoint('rebuild-written');
      await commit(database, folder, { projectId, fence: head.fence, remove, add, mapping });
      faultPoint('rebuild-committed');
      log.info({ projectId, events, reclassified }, 'counts rebuilt from the events');
      return { events, reclassified };
    },
    { waitMs: WAIT_MS },
  );
}
