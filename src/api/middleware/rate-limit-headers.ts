import type { Quota } from '../../platform/errors.ts';

/**
 * The rest of a limit, for clients that slow down on their own: `RateLimit-Policy` and `RateLimit` by the
 * current draft (draft-ietf-httpapi-ratelimit-headers-10, structured fields), and the three fields of earlier
 * drafts, which most clients read today.
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
