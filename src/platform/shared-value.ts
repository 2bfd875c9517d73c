/**
 * A value that many events have in common. A batch of events lists it once and notes its number here, so that
 * no map is asked for each event: see {@link EventBatch}. For texts, pass {@link copyOf} of what was cut out
 * of a longer one.
 */
export class SharedValue<T> {
  readonly value: T;
  /** The batch that listed it last, and as what. For batches only. */
  batch = 0;
  no = 0;

  constructor(value: T) {
    this.value = value;
  }
}

/** The same text on its own: a part of a string keeps all of it in memory. */
export const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
