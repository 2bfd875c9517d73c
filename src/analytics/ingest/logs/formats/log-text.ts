/** A text of a log line. */
export interface LogText<Known> {
  readonly text: string;
  /**
   * What was worked out from this text alone, by the one who needs it; the same lines bring the same object
   * again.
   */
  known: Known | undefined;
}

export const logText = <Known>(text: string): LogText<Known> => ({ text, known: undefined });
