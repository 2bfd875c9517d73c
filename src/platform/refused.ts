/**
 * An operator's request is impossible in the current state: a start, a backup, a folder, a log. The message
 * is one sentence that explains what to do; a stack would add nothing.
 */
export class Refused extends Error {
  /** Whether the same may succeed soon, or in another way. */
  readonly mayPass: boolean;

  constructor(message: string, options: { cause?: unknown; mayPass?: boolean } = {}) {
    super(message, options);
    this.name = 'Refused';
    this.mayPass = options.mayPass ?? false;
  }
}
