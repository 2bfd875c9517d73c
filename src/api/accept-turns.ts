import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../platform/errors.ts';

/** As long as a query waits for a connection. */
const MAX_WAIT_MS = 5_000;
/** Of the time that a job took: while many are created, that takes a quarter of one connection's time. */
const PAUSES = 3;
const MAX_PAUSE_MS = 100;

interface Line {
  /** How many wait or are being accepted. */
  length: number;
  /** From one to the next, measured with the last. */
  eachMs: number;
  last: Promise<void>;
}

/**
 * New jobs of one project are accepted one after the other, since the database locks the project for each.
 * Those that wait here hold no connection, so a flood of them delays no other request. Accepting leaves the
 * processor to the jobs that run: while more wait, it pauses after each, and it refuses at once what would
 * wait too long.
 */
export class AcceptTurns {
  readonly #lines = new Map<string, Line>();

  /** @throws AppError `unavailable` (503) if it would wait too long; what `work` throws */
  async take<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(projectId) ?? { length: 0, eachMs: 0, last: Promise.resolve() };
    if (line.length * line.eachMs > MAX_WAIT_MS) throw tooMany();
    this.#lines.set(projectId, line);
    line.length += 1;
    const since = performance.now();
    let start = since;
    const done = line.last.then(() => {
      start = performance.now();
      return start - since > MAX_WAIT_MS ? Promise.reject(tooMany()) : work();
    });
    line.last = this.#pauseAfter(done, projectId, line, () => start);
    return done;
  }

  async #pauseAfter(done: Promise<unknown>, projectId: string, line: Line, start: () => number): Promise<void> {
    await Promise.allSettled([done]);
    const tookMs = performance.now() - start();
    const pauseMs = Math.min(MAX_PAUSE_MS, PAUSES * tookMs);
    line.eachMs = tookMs + pauseMs;
    if (line.length > 1) await sleep(pauseMs);
    line.length -= 1;
    if (line.length === 0) this.#lines.delete(projectId);
  }
}

function tooMany(): AppError {
  return new AppError('unavailable', 'Too many jobs of this project are being created. Try again in a moment.', {
    retryAfterSeconds: 2,
  });
}
