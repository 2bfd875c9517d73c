import { codeOf, messageOf } from '../thrown.ts';

/** Why no answer came, in a word or two: of a failed fetch, its cause says more than it does. */
export function networkReason(err: unknown): string {
  const cause = err instanceof Error ? err.cause : undefined;
  return cause instanceof Error ? (codeOf(cause) ?? cause.message) : messageOf(err);
}
