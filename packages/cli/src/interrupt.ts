import { CliFailure, EXIT } from '@docent/base/terminal/failures';

/** npm repeats the terminal's Ctrl-C: two within this time are one. */
const SAME_REQUEST_MS = 500;

/**
 * Does something that Ctrl-C leaves while its subject continues. A second Ctrl-C ends the process.
 * @param words what continues, and how to come back
 * @throws CliFailure with these words and exit code 130
 */
export async function untilInterrupted<T>(
  words: () => string,
  work: (signal: AbortSignal) => Promise<T>,
  now: () => number = () => performance.now(),
): Promise<T> {
  const stop = new AbortController();
  let first: number | undefined;
  const onSignal = () => {
    if (first === undefined) {
      first = now();
      stop.abort(new CliFailure(words(), EXIT.interrupted));
    } else if (now() - first > SAME_REQUEST_MS) {
      process.exit(EXIT.interrupted);
    }
  };
  process.on('SIGINT', onSignal);
  try {
    return await work(stop.signal);
  } finally {
    process.off('SIGINT', onSignal);
    // Whatever the work's result: it was interrupted.
    stop.signal.throwIfAborted();
  }
}
