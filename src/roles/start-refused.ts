/**
 * Docent cannot start here as it was told to. The message is one sentence that says what to do; a stack would
 * say no more.
 */
export class StartRefused extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartRefused';
  }
}
