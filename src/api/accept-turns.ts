import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../platform/errors.ts';

/** More would wait for more than a second, and be given up by their clients. */
const MAX_WAITING = 50;
/** As long as a query waits for a connection. */
const MAX_WAIT_MS = 5_000;
const MAX_PAUSE_MS = 100;

interface Line {
  /** How many wait or are being accepted. */
  length: number;
  last: Promise<void>;
}

/**
 * New jobs of one project are accepted one after the other, since the database locks the project for each.
 * Those that wait here hold no connection, so a flood of them delays no other request. Accepting leaves the
 * processor to the jobs that run: it pauses after each job for as long as it took, and refuses at once what
 * would wait too long.
 */
export class AcceptTurns {
  readonly #lines = new Map<string, Line>();

  /** @throws AppError `unavailable` (503) if it would wait too long; what `work` throws */
  async take<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(projectId) ?? { length: 0, last: Promise.resolve() };
    if (line.length > MAX_WAITING) throw tooMany();
    this.#lines.set(projectId, line);
    line.length += 1;
    const since = performance.now();
    const done = line.last.then(async () => {
      const start = performance.now();
      // The database hangs: each before this one has used up its own time.
      if (start - since > MAX_WAIT_MS) throw tooMany();
      return work().finally(() => (pauseMs = Math.min(MAX_PAUSE_MS, performance.now() - start)));
    });
    let pauseMs = 0;
    line.last = done.then(ignore, ignore).then(async () => {
      if (line.length > 1 && pauseMs > 0) await sleep(pauseMs);
      line.length -= 1;
      if (line.length === 0) this.#lines.delete(projectId);
    });
    return done;
  }
}

const ignore = (): void => {};

function tooMany(): AppError {
  return new AppError('unavailable', 'Too many jobs of this project are being created. Try again in a moment.', {
    retryAfterSeconds: 2,
  });
}
