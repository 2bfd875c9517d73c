import { citationsNotice, citationsOf, judgeCitations } from '@docent/agent/citations/turn-citations';
import type { Notice } from '@docent/models/conversation/transcript';
import { listEarlierCitations, type VerifiedCitations } from '../../store/jobs/citations.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import type { StoredOverlayEntry } from '../../store/jobs/overlay.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import { policyOf, type ActivityDeps } from '../deps.ts';
import { snapshotOf, type LocatedTurn } from '../open/turn-context.ts';
import { sourcesWithFiles } from '../open/turn-sources.ts';
import type { ActivityRun } from '../run-activity.ts';
import { readTurnEntries } from './turn-entries.ts';

/**
 * The turn's verified citations, built from rows and snapshots, so that each attempt finds the same. Null if
 * the job never cited anything. `notice`: for the agent, unless this turn already had one about citations.
 */
export async function verifiedCitations(
  deps: Pick<ActivityDeps, 'agents' | 'db' | 'git' | 'hosts' | 'settings'>,
  at: { job: JobRow; project: ProjectRow; turn: LocatedTurn; overlay: StoredOverlayEntry[] },
  run: ActivityRun,
): Promise<{ verified: VerifiedCitations; notice: Notice | null } | null> {
  const { job, project, turn, overlay } = at;
  const entries = await readTurnEntries(deps.db, job.id, turn.no);
  const found = citationsOf(entries);
  const earlier = overlay.length === 0 ? [] : await listEarlierCitations(deps.db, job.id, turn.no);
  if (found.cited.length + found.malformed.length + earlier.length === 0) return null;
  const result = await deps.agents.verifyCitations(
    {
      snapshotPath: await snapshotOf(deps, { job, project }, turn, run),
      overlay,
      policy: policyOf(deps.settings, project),
      site: project.settings.site,
      sources: found.cited.length === 0 ? [] : await sourcesWithFiles(deps, turn.sources ?? [], run),
      cited: found.cited.map(({ claim }) => claim),
      reads: found.reads,
      earlier: earlier.map(({ page, claim }) => ({ page, claim })),
    },
    { signal: run.signal },
  );
  const { held, refused } = judgeCitations(found, result.verdicts);
  const wasNotified = entries.some((entry) => entry.role === 'notice' && entry.kind === 'citations');
  return {
    verified: {
      held,
      without: refused.length,
      earlier: earlier.map((row, i) => ({
        turnNo: row.turnNo,
        no: row.no,
        // One that is cited again has its new row.
        line: held.some(({ page, claim }) => page === row.page && claim === row.claim)
          ? null
          : (result.earlier[i] ?? null),
      })),
    },
    notice: refused.length === 0 || wasNotified ? null : citationsNotice(refused),
  };
}
