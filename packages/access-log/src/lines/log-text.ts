/** A text of a log line. */
export interface LogText<Known> {
  readonly text: string;
  /** A cached result from this text alone, owned by one user. Equal texts share the object. */
  known: Known | undefined;
}

export const logText = <Known>(text: string): LogText<Known> => ({ text, known: undefined });
