import type { Endpoint, GitStore } from '../../git/contract.ts';
import { listTurnMessages, listTurns } from '../../store/jobs/turns.ts';
import { type TurnRow } from '../../store/jobs/turn-fence.ts';
import type { Queryable } from '../../store/database.ts';

/** Commit times are whole seconds. */
const SECOND_MS = 1_000;

/** What a turn's commit says at its end, so that it is known whose it is. */
export function turnTrailer({ jobId, no }: Pick<TurnRow, 'jobId' | 'no'>): string {
  return `Docent-Turn: ${jobId}/${no}`;
}

/** Whether a line of a commit's message says that a turn of the job made it. */
export function isTurnTrailerOf(line: string, jobId: string): boolean {
  return line.startsWith(`Docent-Turn: ${jobId}/`);
}

/** A turn, and the branch that it is to be pushed to. */
interface TurnOnBranch extends Pick<TurnRow, 'jobId' | 'no'> {
  endpoint: Endpoint;
  branch: string;
  expectedTip: string | null;
  chainBaseCommit: string;
}

/**
 * Whether the branch has a commit of this very turn that the rows know nothing of: the turn was carried out,
 * and then the database was restored to before that. What it was asked for is not done a second time; but
 * where it has messages that came after that commit, they are still to be carried out.
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
  // The usual case: no one has touched the branch since the turn before.
  if (known.has(tip)) return false;
  const { commits } = await git.describeBranch(endpoint, { branch, tip, chainBase }, { signal });
  const trailer = turnTrailer(turn);
  const own = commits.findLast(({ id, message }) => !known.has(id) && message.split('\n').includes(trailer));
  if (!own) return false;
  const until = new Date(own.time).getTime() + SECOND_MS;
  return (await listTurnMessages(q, turn.jobId, turn.no)).every(({ createdAt }) => createdAt.getTime() < until);
}
