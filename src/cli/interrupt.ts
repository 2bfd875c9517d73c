import { CliFailure, EXIT } from '@docent/base/terminal/failures';

/**
 * npm passes Ctrl-C on to a process that the terminal has sent it to already: two within this time are one.
 */
const SAME_REQUEST_MS = 500;

/**
 * Does work that Ctrl-C leaves, while the watched job continues elsewhere. A second Ctrl-C ends the process
 * immediately.
 * @param words the message: what continues, and how to come back
 * @throws CliFailure with this message and exit code 130 after Ctrl-C
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
