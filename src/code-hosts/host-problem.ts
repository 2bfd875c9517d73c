import { Failure, UNREACHABLE_ATTEMPTS } from '../platform/errors.ts';

export type HostProblemCode =
  | 'host_unauthorized'
  | 'host_forbidden'
  | 'host_rate_limited'
  | 'host_unavailable'
  | 'host_refused'
  | 'repository_missing'
  | 'credential_unreadable'
  | 'address_refused';

/**
 * What a code host's API said no to, in a sentence for the person who can fix it. Holds nothing of the
 * request: no header, no credential.
 */
export class HostProblem extends Failure {
  readonly code: HostProblemCode;
  /** How long the host asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /**
   * Whether it is worth while to try again. `host_rate_limited` and `host_unavailable` always are, the rest
   * only where said.
   */
  readonly mayPass: boolean;

  constructor(
    code: HostProblemCode,
    message: string,
    options: { retryAfterMs?: number | undefined; mayPass?: boolean } = {},
  ) {
    const { retryAfterMs, mayPass = code === 'host_rate_limited' || code === 'host_unavailable' } = options;
    super(message, { code, attempts: mayPass ? UNREACHABLE_ATTEMPTS : 1, afterMs: retryAfterMs });
    this.name = 'HostProblem';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.mayPass = mayPass;
  }
}
