/**
 * Works on all, so many at once. Begins no more after the first failure, waits for what runs, and throws
 * that.
 */
export async function inTurns<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values();
  let failure: { err: unknown } | null = null;
  const turns = Array.from({ length: Math.min(atOnce, all.length) }, async () => {
    for (const one of rest) {
      if (failure) return;
      try {
        await work(one);
      } catch (err) {
        failure ??= { err };
      }
    }
  });
  await Promise.all(turns);
  if (failure) throw (failure as { err: unknown }).err;
}
