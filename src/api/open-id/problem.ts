import type { ErrorCode } from '../../platform/errors.ts';

/** Why a sign-in failed: the stable values of `/sign-in?error=…`. */
export const OPEN_ID_PROBLEMS = {
  openid_off: { code: 'not_found', sentence: 'No identity provider is set up on this server.' },
  openid_unavailable: {
    code: 'unavailable',
    sentence:
      'The identity provider is unreachable or misconfigured. Try again in a moment. The server log has details.',
  },
  openid_expired: {
    code: 'unauthorized',
    sentence:
      'This sign-in expired after ten minutes, was started in another browser, or was already completed. Start again.',
  },
  openid_denied: { code: 'unauthorized', sentence: 'The identity provider rejected the sign-in, or you cancelled it.' },
  openid_invalid: {
    code: 'unauthorized',
    sentence: 'The response of the identity provider is not valid. Start again. The server log has details.',
  },
  email_not_verified: {
    code: 'unauthorized',
    sentence:
      'Your email address is not verified at the identity provider, so you have no role here. Verify it and sign in again.',
  },
  no_role: { code: 'unauthorized', sentence: 'You have no role here. Ask the operator of this server for one.' },
  person_disabled: { code: 'unauthorized', sentence: 'Your access to this server was revoked.' },
} as const satisfies Record<string, { code: ErrorCode; sentence: string }>;

export type OpenIdProblemCode = keyof typeof OPEN_ID_PROBLEMS;

/** A failed sign-in whose reason is shown to the person. */
export class OpenIdProblem extends Error {
  readonly problem: OpenIdProblemCode;

  constructor(problem: OpenIdProblemCode, options?: ErrorOptions) {
    super(OPEN_ID_PROBLEMS[problem].sentence, options);
    this.name = 'OpenIdProblem';
    this.problem = problem;
  }
}
