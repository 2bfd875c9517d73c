/** How much a change is. */
export interface ChangeSize {
  files: number;
  /** Lines. */
  additions: number;
  deletions: number;
}

/** A request to publish a preview's changes. A turn without a model call carries it out. */
export interface PublishOrder {
  /** The turn that carries it out; null until that is opened. */
  turn: number | null;
  /** When it was given, ISO 8601. */
  at: string;
  /** Title of the pull request, even after later turns; absent: from the agent's text. */
  title?: string;
  /** Absent: the job's or its project's setting. */
  draft?: boolean;
}

/** Whether this turn only publishes what earlier turns made ready. */
export function isPublishTurn(job: { publishOrder: PublishOrder | null }, turnNo: number): boolean {
  return job.publishOrder?.turn === turnNo;
}

/** Whether a publishing turn waits to be opened. */
export function mustPublish(job: { publishOrder: PublishOrder | null }): boolean {
  return job.publishOrder !== null && job.publishOrder.turn === null;
}
