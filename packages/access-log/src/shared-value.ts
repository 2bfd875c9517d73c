/**
 * A value that many events share. A batch lists it once and notes its number here, without a map: see {@link
 * EventBatch}. Pass {@link copyOf} for parts of longer texts.
 */
export class SharedValue<T> {
  readonly value: T;
  /** The last batch that listed it, and its number there. For batches only. */
  batch = 0;
  no = 0;

  constructor(value: T) {
    this.value = value;
  }
}

/** The same text on its own: a part of a string keeps all of it in memory. */
export const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
