/**
 * Carries out work that SIGINT (Ctrl-C) or SIGTERM aborts; the same signal again ends the process. The end of the
 * work aborts what it has left open.
 * @param reason what the signal is aborted with. Without it, an AbortError.
 */
export async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>, reason?: Error): Promise<T> {
  const stop = new AbortController();
  const onSignal = () => stop.abort(reason);
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.once(name, onSignal);
  try {
    return await work(stop.signal);
  } finally {
    for (const name of names) process.off(name, onSignal);
    stop.abort();
  }
}
