import type { ClaimedTurn } from '../../store/jobs/claimed-turn.ts';
import type { StoredOverlayEntry } from '../../store/jobs/overlay.ts';
import type { ActivityDeps } from '../deps.ts';
import type { LocatedTurn } from '../open/turn-context.ts';
import type { ActivityRun } from '../run-activity.ts';
import { outgoingSecrets, secretFailure } from '../step/outgoing-secrets.ts';

/** A turn's work on its way to the repository. */
export interface Publication extends ClaimedTurn {
  turn: LocatedTurn;
  run: ActivityRun;
}

export type Published =
  | { kind: 'published'; commit: string; prLink: string | null }
  | { kind: 'unchanged' }
  /** A preview: a person publishes it, or not. */
  | { kind: 'ready' };

/** The push has to go elsewhere: its branch moved, or takes none. */
export type Elsewhere = { kind: 'moved' } | { kind: 'turned-away'; why: string };

/**
 * The last check before a push, on the target base, regardless of earlier checks.
 * @param closing the agent's closing text, or null
 * @throws Failure `secret_found`
 */
export async function assertNoSecrets(
  deps: ActivityDeps,
  { turn, job, project, run }: Publication,
  overlay: StoredOverlayEntry[],
  closing: string | null,
): Promise<void> {
  const found = await outgoingSecrets(deps, { job, project, turn, overlay, closing }, run);
  if (found.length > 0) throw secretFailure(found, project);
}
