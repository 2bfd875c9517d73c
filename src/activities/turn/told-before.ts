import type { Notice, TranscriptEntry } from '../../agent/transcript.ts';

/**
 * Whether the agent was told just this in the turn, and has changed nothing since: it knows, and to tell it once more would ask it to say
 * once more why the problems must stay.
 */
export function wasTold(turn: readonly TranscriptEntry[], notice: Notice): boolean {
  const at = turn.findLastIndex((entry) => entry.role === 'notice' && entry.kind === 'problems');
  const told = turn[at];
  const since = turn.slice(at + 1).flatMap((entry) => (entry.role === 'tool' ? entry.results : []));
  const hasChanged = since.some((result) => result.ok && result.changed.length > 0);
  const isSame = told?.role === 'notice' && JSON.stringify(told.problems) === JSON.stringify(notice.problems);
  return isSame && !hasChanged;
}
