import type { Quota } from '../../platform/errors.ts';

/**
 * What is left of a limit, for clients that slow down by themselves: `RateLimit-Policy` and `RateLimit` as in
 * the current draft (draft-ietf-httpapi-ratelimit-headers-10, structured fields), and the three fields of the
 * drafts before, which most clients read today.
 */
export function rateLimitHeaders(quota: Quota): Record<string, string> {
  const { name, limit, windowSeconds, remaining, resetSeconds } = quota;
  return {
    'RateLimit-Policy': `"${name}";q=${limit};w=${windowSeconds}`,
    RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  };
}
