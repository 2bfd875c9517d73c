import { AppError } from '../platform/errors.ts';

/** As long as a query waits for a connection. */
const MAX_WAIT_MS = 5_000;
/** Times as long as accepting the job took: so accepting takes a seventh of one connection's time. */
const PAUSES = 6;
const MAX_PAUSE_MS = 250;
/** So many are accepted without pauses: a client that creates a job for each page at once is no flood. */
const BURST = 200;

interface Line {
  /** How many wait or are being accepted. */
  length: number;
  /** How many were accepted or refused since the line formed. */
  done: number;
  /** From one to the next, measured with the last. */
  eachMs: number;
  /** Resolves when the last one has left. */
  end: Promise<void>;
}

/**
 * New jobs of one project are accepted one after the other, since the database locks the project for each.
 * Those that wait here hold no connection, so a flood of them delays no other request. Accepting leaves the
 * processor to the jobs that run: in a flood, it pauses after each, and refuses at once what would wait too
 * long.
 */
export class AcceptTurns {
  readonly #lines = new Map<string, Line>();

  /** @throws AppError `unavailable` (503) if it would wait too long; what `work` throws */
  async take<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(projectId) ?? { length: 0, done: 0, eachMs: 0, end: Promise.resolve() };
    if (line.done >= BURST && line.length * line.eachMs > MAX_WAIT_MS) throw tooMany();
    this.#lines.set(projectId, line);
    line.length += 1;
    const [before, left] = [line.end, Promise.withResolvers<void>()];
    line.end = left.promise;
    const since = performance.now();
    await before;
    const start = performance.now();
    try {
      if (start - since > MAX_WAIT_MS) throw tooMany();
      return await work();
    } finally {
      const tookMs = performance.now() - start;
      line.done += 1;
      const pauseMs = line.done >= BURST && line.length > 1 ? Math.min(MAX_PAUSE_MS, PAUSES * tookMs) : 0;
      line.eachMs = tookMs + pauseMs;
      setTimeout(() => {
        line.length -= 1;
        if (line.length === 0) this.#lines.delete(projectId);
        left.resolve();
      }, pauseMs);
    }
  }
}

function tooMany(): AppError {
  return new AppError('unavailable', 'Too many jobs of this project are being created. Try again in a moment.', {
    retryAfterSeconds: 2,
  });
}
