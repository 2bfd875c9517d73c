/** Works on all, `atOnce` at a time. After a failure, waits for the running ones and throws. */
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
