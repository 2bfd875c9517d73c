/**
 * What an operator asked for cannot be done as things stand: a start, a backup, a folder, a log. The message is one
 * sentence that says what to do; a stack would say no more.
 */
export class Refused extends Error {
  /** Whether the same can succeed in a moment, or in another way. */
  readonly mayPass: boolean;

  constructor(message: string, options: { cause?: unknown; mayPass?: boolean } = {}) {
    super(message, options);
    this.name = 'Refused';
    this.mayPass = options.mayPass ?? false;
  }
}
