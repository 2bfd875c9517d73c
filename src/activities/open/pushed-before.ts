import type { GitStore } from '../../git/git-store.ts';
import type { Endpoint } from '@docent/git/contract';
import { listTurnMessages, listTurns } from '../../store/jobs/turns.ts';
import type { TurnRow } from '../../store/jobs/turn-fence.ts';
import type { Queryable } from '../../store/database.ts';

/** Commit times are whole seconds. */
const SECOND_MS = 1_000;

/** The trailer of a turn's commit. It identifies the turn that made it. */
export function turnTrailer({ jobId, no }: Pick<TurnRow, 'jobId' | 'no'>): string {
  return `Docent-Turn: ${jobId}/${no}`;
}

/** Whether a line of a commit message names a turn of the job as its author. */
export function isTurnTrailerOf(line: string, jobId: string): boolean {
  return line.startsWith(`Docent-Turn: ${jobId}/`);
}

interface TurnOnBranch extends Pick<TurnRow, 'jobId' | 'no'> {
  endpoint: Endpoint;
  branch: string;
  expectedTip: string | null;
  chainBaseCommit: string;
}

/**
 * Whether the branch has a commit of this turn that is missing from the rows: the turn was published, then
 * the database was restored to an earlier time. Its work is not repeated. Messages that arrived after that
 * commit are still carried out.
 */
export async function wasPushedBefore(
  q: Queryable,
  git: GitStore,
  turn: TurnOnBranch,
  signal: AbortSignal,
): Promise<boolean> {
  const { endpoint, branch, expectedTip: tip, chainBaseCommit: chainBase } = turn;
  if (tip === null) return false;
  const known = new Set((await listTurns(q, turn.jobId)).map(({ commit }) => commit));
  // The usual case: the branch has not changed since the previous turn.
  if (known.has(tip)) return false;
  const { commits } = await git.describeBranch(endpoint, { branch, tip, chainBase }, { signal });
  const trailer = turnTrailer(turn);
  const own = commits.findLast(({ id, message }) => !known.has(id) && message.split('\n').includes(trailer));
  if (!own) return false;
  const until = new Date(own.time).getTime() + SECOND_MS;
  return (await listTurnMessages(q, turn.jobId, turn.no)).every(({ createdAt }) => createdAt.getTime() < until);
}
