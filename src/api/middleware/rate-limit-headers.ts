import type { Quota } from '../../platform/errors.ts';

/**
 * The rest of a limit: `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10), and the
 * three fields of earlier drafts that most clients read.
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
