import type { ErrorCode } from '../../platform/errors.ts';

/** Why somebody was not signed in: what `/sign-in?error=…` says, for good. */
export const OPEN_ID_PROBLEMS = {
  openid_off: { code: 'not_found', sentence: 'This server has no identity provider to sign in with.' },
  openid_unavailable: {
    code: 'unavailable',
    sentence:
      'The identity provider cannot be reached, or cannot be used as it is set up. Try again in a moment; the server’s log says more.',
  },
  openid_expired: {
    code: 'unauthorized',
    sentence:
      'This sign-in took more than ten minutes, was begun in another browser, or has ended before. Begin again.',
  },
  openid_denied: { code: 'unauthorized', sentence: 'The identity provider did not let you in, or you left it.' },
  openid_invalid: {
    code: 'unauthorized',
    sentence: 'What the identity provider sent is not valid. Begin again; the server’s log says more.',
  },
  email_not_verified: {
    code: 'unauthorized',
    sentence: 'The identity provider has not verified your e-mail address, and without it you have no role here.',
  },
  no_role: { code: 'unauthorized', sentence: 'You have no role here. Ask whoever runs this server for one.' },
  person_disabled: { code: 'unauthorized', sentence: 'Your access to this server was ended.' },
} as const satisfies Record<string, { code: ErrorCode; sentence: string }>;

export type OpenIdProblemCode = keyof typeof OPEN_ID_PROBLEMS;

/** A sign-in that came to nothing, for a reason that the person is told. */
export class OpenIdProblem extends Error {
  readonly problem: OpenIdProblemCode;

  constructor(problem: OpenIdProblemCode, options?: ErrorOptions) {
    super(OPEN_ID_PROBLEMS[problem].sentence, options);
    this.name = 'OpenIdProblem';
    this.problem = problem;
  }
}
