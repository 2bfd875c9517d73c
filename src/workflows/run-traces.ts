import { proxySinks, uuid4 } from '@temporalio/workflow';
import type { EndedTurn, TurnSinks } from './contract.ts';

/**
 * Which requests' traces the work of this run belongs to: a turn continues the trace of the oldest signal
 * since the turn before, and has links to those of the others, which it may answer too. One that comes while
 * a turn runs is told by a link, and begins the next turn, if there is one. Without traces nothing of it is
 * ever set, and a run makes the same commands with and without them.
 */
class RunTraces {
  #waiting: string[] = [];
  #turn: EndedTurn | undefined;

  /** @param traceparent what came with a start or a signal */
  received(traceparent: string | undefined): void {
    if (traceparent === undefined) return;
    const known = this.#turn ? [this.#turn.parent, ...this.#turn.links] : this.#waiting;
    // What starts a run is a signal too.
    if (known.includes(traceparent)) return;
    if (this.#turn) {
      this.#turn.links.push(traceparent);
      this.#waiting = [traceparent];
    } else this.#waiting.push(traceparent);
  }

  /** Nothing waits any more of what signals told of. */
  forget(): void {
    this.#waiting = [];
  }

  /** What activities continue. */
  get current(): string | undefined {
    return this.#turn?.traceparent ?? this.#waiting[0];
  }

  /** What the next run continues. */
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

/** Of this run: modules are each run's own. */
export const runTraces = new RunTraces();
