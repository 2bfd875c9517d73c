export type GitErrorCode =
  /** The pack and the snapshots at hand do not make up the commit. Fetching it whole helps. */
  | 'commit_incomplete'
  /** A damaged or too large pack, object or tree. The message follows "Docent cannot read commit …: ". */
  | 'object_bad'
  /** A snapshot file is gone or damaged. `ensureSnapshot` makes it again. */
  | 'snapshot_unusable';

/** A condition that some caller handles, by its code: see {@link isGitError}. */
export class GitError extends Error {
  readonly code: GitErrorCode;

  constructor(code: GitErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'GitError';
    this.code = code;
  }
}

export function isGitError(err: unknown, ...codes: readonly GitErrorCode[]): err is GitError {
  return err instanceof GitError && codes.includes(err.code);
}
