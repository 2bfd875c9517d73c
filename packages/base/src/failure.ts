/** How often an unreachable service is tried: with the pauses of activities, for some two minutes. */
export const UNREACHABLE_ATTEMPTS = 12;

/** How an activity continues after a failure. */
export interface Retry {
  /** The failure's type in the workflow's history, and the code of a turn that fails with it. */
  code: string;
  /** How often the activity is tried in all; 1 makes the failure final. */
  attempts: number;
  /** How long the other side asks to wait, in milliseconds. If that is too long, the failure is final. */
  afterMs?: number | undefined;
  /** The message of a turn that fails with it, if it differs. */
  message?: string;
}

/** A failure that decides how an activity continues. `message` is a sentence for people, without secrets. */
export class Failure extends Error {
  readonly retry: Retry;

  constructor(message: string, retry: Retry, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'Failure';
    this.retry = retry;
  }
}
