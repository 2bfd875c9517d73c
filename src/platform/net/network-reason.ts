/** Why no answer came, in a word or two: of a failed fetch, its cause says more than it does. */
export function networkReason(err: unknown): string {
  const inner = err instanceof Error ? (err.cause as NodeJS.ErrnoException | undefined) : undefined;
  return inner?.code ?? inner?.message ?? (err instanceof Error ? err.message : String(err));
}
