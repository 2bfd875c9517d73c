export type RepositoryProblemCode =
  | 'repository_missing'
  | 'repository_replaced'
  | 'repository_unreadable'
  | 'repository_empty'
  | 'repository_unsupported'
  | 'branch_missing'
  | 'branch_invalid'
  | 'branch_prefix_taken'
  | 'address_refused'
  | 'unreachable';

/** What is wrong with a repository, in a sentence for the person who can help. `unreachable` may pass by itself; the rest is final. */
export class RepositoryProblem extends Error {
  readonly code: RepositoryProblemCode;
  /** For `unreachable`: how long the server asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: RepositoryProblemCode,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options);
    this.name = 'RepositoryProblem';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}
