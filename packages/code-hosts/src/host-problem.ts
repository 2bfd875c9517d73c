import { Failure, UNREACHABLE_ATTEMPTS } from '@docent/base/failure';

export type HostProblemCode =
  | 'host_unauthorized'
  | 'host_forbidden'
  | 'host_rate_limited'
  | 'host_unavailable'
  | 'host_refused'
  | 'repository_missing'
  | 'credential_unreadable'
  | 'address_refused';

/** A code host's refusal, as a sentence for the person who can fix it, without headers or credentials. */
export class HostProblem extends Failure {
  readonly code: HostProblemCode;
  /** How long the host asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether a retry may help: always for `host_rate_limited` and `host_unavailable`, else if stated. */
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
