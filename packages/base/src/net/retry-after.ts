/**
 * `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), as milliseconds from now, perhaps negative. Null
 * if it is neither.
 */
export function retryAfterMs(value: string | null | undefined, now = Date.now()): number | null {
  const text = value?.trim() ?? '';
  if (text === '') return null;
  const ms = /^\d{1,9}(?:\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? ms : null;
}
