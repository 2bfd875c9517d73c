import type { Notice, TranscriptEntry } from '../../agent/transcript.ts';

/**
 * Whether the agent was told just this in the turn, and has changed nothing since: it knows, and to tell it once more would ask it to say
 * once more why the problems must stay.
 */
export function wasTold(turn: readonly TranscriptEntry[], notice: Notice): boolean {
  const isSame = (entry: TranscriptEntry) =>
    entry.role === 'notice' &&
    entry.kind === notice.kind &&
    (notice.kind === 'problems'
      ? JSON.stringify(entry.problems) === JSON.stringify(notice.problems)
      : entry.text === notice.text);
  const at = turn.findLastIndex(isSame);
  if (at === -1) return false;
  const since = turn.slice(at + 1).flatMap((entry) => (entry.role === 'tool' ? entry.results : []));
  return !since.some((result) => result.ok && result.changed.length > 0);
}
