/** How people and systems ask `docent start` to stop. */
export interface StopRequests {
  /** Aborted at the first request. */
  signal: AbortSignal;
  /** Settles at the first request. */
  asked: Promise<void>;
  /** Called when someone asks again because it takes too long. */
  onImpatience(act: () => void): void;
}

/** npm repeats the terminal's Ctrl-C: two signals within this time are one. */
const SAME_REQUEST_MS = 1_500;

/** Listens for SIGINT (Ctrl-C), SIGTERM and SIGHUP (the terminal is gone). */
export function stopRequests(now: () => number = () => performance.now()): StopRequests {
  const controller = new AbortController();
  const asked = Promise.withResolvers<void>();
  let first: number | undefined;
  let impatient: (() => void) | undefined;
  const onSignal = () => {
    if (first === undefined) {
      first = now();
      controller.abort(new Error('Docent was asked to stop.'));
      asked.resolve();
    } else if (now() - first > SAME_REQUEST_MS) {
      impatient?.();
    }
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  return {
    signal: controller.signal,
    asked: asked.promise,
    onImpatience: (act) => {
      impatient = act;
    },
  };
}
