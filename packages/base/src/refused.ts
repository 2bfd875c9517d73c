/** An operator's request that cannot be fulfilled, in one sentence with what to do, without a stack. */
export class Refused extends Error {
  /** Whether the same may succeed soon, or in another way. */
  readonly mayPass: boolean;

  constructor(message: string, options: { cause?: unknown; mayPass?: boolean } = {}) {
    super(message, options);
    this.name = 'Refused';
    this.mayPass = options.mayPass ?? false;
  }
}
