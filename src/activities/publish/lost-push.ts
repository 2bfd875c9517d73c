import type { OpenRepository, PullRequest } from '../../code-hosts/host.ts';
import type { Published } from '../../git/contract.ts';
import { findPullRequestByHead } from '../../store/pull-requests.ts';
import { listTurns } from '../../store/turns.ts';
import type { ActivityDeps } from '../deps.ts';
import type { Publication } from './publication.ts';
import { turnTrailer } from './pushed-before.ts';
import { isDirect } from './turn-target.ts';

/**
 * What a turn pushed that was lost before it could say so: the job's branch has commits, and no pull request that the job knows
 * of, or its newest commit is one of ours that no turn has. Null where there is no such thing.
 */
export async function lostPush(
  { db, git }: Pick<ActivityDeps, 'db' | 'git'>,
  { turn, job, project }: Publication,
  { endpoint }: OpenRepository,
  existing: PullRequest | null,
  signal: AbortSignal,
): Promise<Published | null> {
  if (turn.expectedTip === null || isDirect(turn)) return null;
  const turns = await listTurns(db, job.id);
  const row = existing && job.prLink !== null ? await findPullRequestByHead(db, project.id, turn.branch) : null;
  if (row && turns.some(({ commit }) => commit === turn.expectedTip)) return null;
  const at = { branch: turn.branch, tip: turn.expectedTip, chainBase: turn.chainBaseCommit };
  const found = await git.describeBranch(endpoint, at, { signal });
  const newest = found.commits.at(-1);
  if (!newest) return null;
  const isOurs = turns.some(({ no, commit }) => commit === null && hasTrailer(newest.message, job.id, no));
  return row === null || isOurs ? found : null;
}

function hasTrailer(message: string, jobId: string, no: number): boolean {
  return message.trimEnd().split('\n').at(-1) === turnTrailer({ jobId, no });
}
