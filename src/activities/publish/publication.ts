import type { Endpoint } from '../../git/contract.ts';
import type { JobRow } from '../../store/jobs.ts';
import type { ProjectRow } from '../../store/projects.ts';
import type { TurnRow } from '../../store/turn-fence.ts';
import type { ActivityRun } from '../run-activity.ts';
import type { LocatedTurn } from '../turn/turn-context.ts';

/** A turn's work on its way to the repository. */
export interface Publication {
  claim: TurnRow;
  turn: LocatedTurn;
  job: JobRow;
  project: ProjectRow;
  run: ActivityRun;
}

/** The push has to go elsewhere: its branch moved, or takes none. */
export type Elsewhere = { kind: 'moved' } | { kind: 'turned-away'; why: string };

export function targetOn(
  endpoint: Endpoint,
  at: { branch: string; expectedTip: string | null; chainBaseCommit: string },
) {
  return { endpoint, branch: at.branch, tip: at.expectedTip, chainBase: at.chainBaseCommit };
}
