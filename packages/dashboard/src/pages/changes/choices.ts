import type { components } from '@docent/client';
import { text } from '../../text.ts';

export type JobDiff = components['schemas']['JobDiff'];

/** One of the diffs that a job has. */
export interface Choice {
  id: string;
  name: string;
  diff: string;
  isCut: boolean;
  /** Which pages have complete texts: see `getChangedPage`. Null for a single turn. */
  pagesOf: 'pending' | 'pull_request' | null;
}

const { changes: w } = text;

/** The possible views, the most wanted first: the unpublished change, the pull request, each turn. */
export function choicesOf({ pending, diff, turns }: JobDiff): Choice[] {
  const choices: Choice[] = [];
  if (pending)
    choices.push({
      id: 'pending',
      name: pending.ready ? w.ofReady : w.ofPending,
      diff: pending.diff,
      isCut: pending.cut,
      pagesOf: 'pending',
    });
  if (diff) choices.push({ id: 'pull-request', name: w.ofPullRequest, diff, isCut: false, pagesOf: 'pull_request' });
  if (turns.length > 1 || !diff) {
    for (const turn of turns.toReversed()) {
      if (turn.diff === null) continue;
      const name = w.ofTurn(turn.turn, turn.commit.slice(0, 8));
      choices.push({ id: `turn-${turn.turn}`, name, diff: turn.diff, isCut: false, pagesOf: null });
    }
  }
  return choices;
}
