import { Failure, UNREACHABLE_ATTEMPTS } from '@docent/base/failure';

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

/** A problem as a sentence for the person who can fix it. Only `unreachable` may pass without a fix. */
export class RepositoryProblem extends Failure {
  readonly code: RepositoryProblemCode;
  /** For `unreachable`: how long the server asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: RepositoryProblemCode,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined } = {},
  ) {
    const { cause, retryAfterMs } = options;
    const attempts = code === 'unreachable' ? UNREACHABLE_ATTEMPTS : 1;
    super(message, { code: jobCodeOf(code), attempts, afterMs: retryAfterMs }, { cause });
    this.name = 'RepositoryProblem';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The codes of jobs are fewer. */
function jobCodeOf(code: RepositoryProblemCode): RepositoryProblemCode {
  return /^(?:repository_unsupported|branch_invalid|unreachable)$/.test(code) ? 'repository_unreadable' : code;
}
