import type { GitStore } from '../../git/git-store.ts';
import type { Endpoint } from '@docent/git/contract';
import { RepositoryProblem } from '@docent/git/repository-problem';
import type { Failure } from '@docent/base/failure';
import { jobFailure } from '../../platform/errors.ts';
import type { StoredOverlayEntry } from '../../store/jobs/overlay.ts';
import type { BranchTarget } from './branch-target.ts';

/** Applies changed files to a newer commit. Files that others changed, too, are conflicts. */
export async function conflictsOnNewBase(
  git: GitStore,
  endpoint: Endpoint,
  overlay: readonly StoredOverlayEntry[],
  oldBase: string,
  target: BranchTarget,
  signal: AbortSignal,
): Promise<{ conflicts: string[]; changedByOthers: string[] }> {
  if (oldBase === target.baseCommit) return { conflicts: [], changedByOthers: [] };
  let changedByOthers: string[];
  try {
    const tip = { branch: target.baseBranch, commit: target.baseCommit };
    changedByOthers = await git.changedPaths(endpoint, oldBase, tip, { signal });
  } catch (err) {
    if (!(err instanceof RepositoryProblem) || err.code !== 'branch_missing') throw err;
    // The old commit is gone with its branch, so all files count as conflicts.
    return { conflicts: overlay.map(({ path }) => path), changedByOthers: [] };
  }
  const changed = new Set(changedByOthers);
  return { conflicts: overlay.map(({ path }) => path).filter((path) => changed.has(path)), changedByOthers };
}

/** A change that a person asked to publish is published exactly as they saw it, or not at all. */
export function changedSince(files: readonly string[]): Failure {
  const shown = files.slice(0, 5).map((path) => JSON.stringify(path));
  const more = files.length > shown.length ? ` and ${files.length - shown.length} more` : '';
  return jobFailure(
    'conflict_unresolved',
    `Nothing was published: others have since changed ${shown.join(', ')}${more}. Send a message so that ` +
      'the agent redoes the change on the current state, then publish it.',
  );
}

const MAX_LISTED = 30;

/** Paths for a notice to the agent, one per line. Paths over the limit are only counted. */
export function listPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_LISTED).map((path) => `- ${JSON.stringify(path)}`);
  return [...shown, ...(paths.length > MAX_LISTED ? [`- and ${paths.length - MAX_LISTED} more`] : [])].join('\n');
}
