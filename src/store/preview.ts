/** How much a change is. */
export interface ChangeSize {
  files: number;
  /** Lines. */
  additions: number;
  deletions: number;
}

/**
 * Someone's request to publish what a preview has ready: a turn without a question to a model carries it out.
 */
export interface PublishOrder {
  /** The turn that carries it out; null until that is opened. */
  turn: number | null;
  /** When it was given, ISO 8601. */
  at: string;
  /** Of the pull request, also after later turns; absent: what the agent's words give. */
  title?: string;
  /** Absent: as the job, or its project, says. */
  draft?: boolean;
}

/** Whether this turn publishes what earlier turns have made ready, and does nothing else. */
export function isPublishTurn(job: { publishOrder: PublishOrder | null }, turnNo: number): boolean {
  return job.publishOrder?.turn === turnNo;
}

/** Whether a turn waits to be opened that publishes. */
export function mustPublish(job: { publishOrder: PublishOrder | null }): boolean {
  return job.publishOrder !== null && job.publishOrder.turn === null;
}
