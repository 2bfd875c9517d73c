import { CliFailure, EXIT } from '../../failures.ts';
import { git, type DiskFiles } from './disk-files.ts';

/**
 * The commit that a branch, or another commit, and the checkout have both come from.
 * @throws CliFailure where there is no such commit
 */
export function commonAncestor(files: DiskFiles, ref: string): string {
  if (!files.isRepository) {
    throw new CliFailure(
      '--changed-since compares with a commit, but this folder is in no git repository.',
      EXIT.usage,
    );
  }
  const resolve = (args: string[]) => git(files.top, args).toString('utf8').trim();
  let commit: string;
  try {
    commit = resolve(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  } catch (thrown) {
    const hint = 'In CI, fetch it first: a shallow checkout has the newest commit only.';
    throw new CliFailure(`There is no commit ${JSON.stringify(ref)} here. ${hint}`, EXIT.usage, { cause: thrown });
  }
  try {
    return resolve(['merge-base', commit, 'HEAD']);
  } catch {
    return commit; // A shallow checkout, or histories without a common commit.
  }
}
