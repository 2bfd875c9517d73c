import { proxySinks, uuid4 } from '@temporalio/workflow';
import type { EndedTurn, TurnSinks } from './contract.ts';

/**
 * Assigns this run's work to the traces of the requests that caused it. A turn continues the trace of the
 * oldest signal since the previous turn, and links to the traces of the others. A signal that arrives during
 * a turn is linked, and starts the trace of the next turn, if there is one. Without traces, nothing is set: a
 * run makes the same commands either way.
 */
class RunTraces {
  #waiting: string[] = [];
  #turn: EndedTurn | undefined;

  /** @param traceparent what came with a start or a signal */
  received(traceparent: string | undefined): void {
    if (traceparent === undefined) return;
    const known = this.#turn ? [this.#turn.parent, ...this.#turn.links] : this.#waiting;
    // The start of a run is a signal, too.
    if (known.includes(traceparent)) return;
    if (this.#turn) {
      this.#turn.links.push(traceparent);
      this.#waiting = [traceparent];
    } else this.#waiting.push(traceparent);
  }

  /** The work that signals asked for is done. */
  forget(): void {
    this.#waiting = [];
  }

  /** The trace that activities continue. */
  get current(): string | undefined {
    return this.#turn?.traceparent ?? this.#waiting[0];
  }

  /** The trace that the next run continues. */
  get next(): string | undefined {
    return this.#turn?.parent ?? this.#waiting[0];
  }

  /** Runs a turn as a span. @returns what `work` does, with the span open while it runs */
  async inTurn<T>(turn: number, work: () => Promise<T>): Promise<T> {
    const [parent, ...links] = this.#waiting;
    if (parent === undefined) return work();
    this.#waiting = [];
    const id = uuid4().replaceAll('-', '').slice(0, 16);
    const span: EndedTurn = {
      traceparent: `${parent.slice(0, 36)}${id}${parent.slice(52)}`,
      parent,
      links,
      turn,
      startedAt: Date.now(),
      endedAt: 0,
    };
    this.#turn = span;
    try {
      return await work();
    } finally {
      this.#turn = undefined;
      traces.turnEnded({ ...span, endedAt: Date.now() });
    }
  }
}

const { traces } = proxySinks<TurnSinks>();

/** One per run: each run has its own modules. */
export const runTraces = new RunTraces();
