import { codeOf, messageOf } from '../thrown.ts';

/**
 * Why there was no answer, in one or two words. Taken from the fetch error's cause, which is more specific.
 */
export function networkReason(err: unknown): string {
  const cause = err instanceof Error ? err.cause : undefined;
  return cause instanceof Error ? (codeOf(cause) ?? cause.message) : messageOf(err);
}
