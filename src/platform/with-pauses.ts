/** Gives what a source gives, and null whenever nothing came for `pauseMs` (forever, if that is infinite). */
export async function* withPauses<T>(source: AsyncIterable<T>, pauseMs: number): AsyncGenerator<T | null> {
  if (pauseMs === Infinity) {
    yield* source;
    return;
  }
  const iterator = source[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const pause = new Promise<null>((resolve) => (timer = setTimeout(resolve, pauseMs, null)));
      const result = await Promise.race([next, pause]).finally(() => clearTimeout(timer));
      if (result === null) {
        yield null;
        continue;
      }
      if (result.done) return;
      yield result.value;
      next = iterator.next();
    }
  } finally {
    next.catch(() => {}); // Nobody waits for it any more where the reader left early.
    await iterator.return?.();
  }
}
