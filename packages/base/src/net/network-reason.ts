import { codeOf, messageOf } from '../thrown.ts';

/** Why there was no answer, in a word or two. The cause of a failed fetch says more than the error itself. */
export function networkReason(err: unknown): string {
  const cause = err instanceof Error ? err.cause : undefined;
  return cause instanceof Error ? (codeOf(cause) ?? cause.message) : messageOf(err);
}
